// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/memory_below.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/base/error.h"

namespace gvp::gpgpu::hierarchy {
namespace {

void count_read(BelowCounters& counters, uint32_t bytes) {
  ++counters.reads;
  counters.bytes_read += bytes;
}

void count_write(BelowCounters& counters, uint32_t bytes) {
  ++counters.writes;
  counters.bytes_written += bytes;
}

}  // namespace

void MemoryBelow::begin(const sc_core::sc_time& start, bool annotated) {
  start_ = start;
  annotated_ = annotated;
  std::fill(ends_.begin(), ends_.end(), 0);
  next_ = 0;
  next_begin_ = begun_ = over_ = 0;
  counters_ = {};
}

// The address channel takes one a cycle.
void MemoryBelow::go_to(uint64_t cycle) {
  const uint64_t begin = begun_ = std::max({cycle, ends_[next_], next_begin_});
  if (ends_.size() > 1) next_begin_ = begin + 1;
  const sc_core::sc_time when = start_ + clock_.at(begin);
  if (!annotated_) {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (when > now) sc_core::wait(when - now);
  }
  if (annotated_ || ends_.size() > 1) port_.set_time(when);
  called_ = sc_core::sc_time_stamp();
}

void MemoryBelow::end_at(uint64_t& cycle, uint32_t bytes) {
  if (ends_.size() > 1 && sc_core::sc_time_stamp() != called_)
    throw bad_input(fmt::format("{} outstanding transactions of a GPGPU's port: its bus takes "
                                "simulated time for each",
                                ends_.size()),
                    {}, "gpgpu.outstanding = 1, or axi.model = \"lt\" and ddr3.model = \"lt\"");
  const sc_core::sc_time end = port_.time();
  const uint64_t ended = end > start_ ? clock_.cycles_up(end - start_) : 0;
  const uint64_t data = ends_.size() > 1 ? (bytes + port_bytes_ - 1) / port_bytes_ : 0;
  over_ = std::max(ended, over_ + data);
  ends_[next_] = over_;
  next_ = (next_ + 1) % ends_.size();
  cycle = std::max(cycle, over_);
}

void MemoryBelow::answer_taken(uint64_t cycle) {
  uint64_t& last = ends_[(next_ + ends_.size() - 1) % ends_.size()];
  over_ = std::max(over_, cycle);
  last = std::max(last, cycle);
}

FaultCause MemoryBelow::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  go_to(cycle);
  const FaultCause cause = port_.read(address, data, bytes);
  end_at(cycle, bytes);
  if (cause == FaultCause::kNone) count_read(counters_, bytes);
  return cause;
}

FaultCause MemoryBelow::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                      const LineBytes* strobes, uint64_t& cycle) {
  std::array<uint8_t, kMostLineBytes> enables;
  for (uint32_t i = 0; strobes != nullptr && i < bytes; ++i)
    enables[i] = (*strobes)[i] ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  go_to(cycle);
  const FaultCause cause = strobes == nullptr ? port_.write(address, data, bytes)
                                              : port_.write(address, data, bytes, enables.data());
  end_at(cycle, bytes);
  if (cause == FaultCause::kNone) {
    count_write(counters_, changed_bytes(bytes, strobes));
    return cause;
  }
  if (strobes == nullptr) return cause;
  // The words between may belong to nobody, or to a target that knows no strobes.
  return write_runs(address, *strobes, bytes, [&](uint32_t offset, uint32_t run) {
    return write(address + offset, data + offset, run, cycle);
  });
}

FaultCause PerfectMemory::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  ++cycle;
  if (port_.debug_read(address, data, bytes) != bytes) return FaultCause::kBusError;
  count_read(counters_, bytes);
  return FaultCause::kNone;
}

FaultCause PerfectMemory::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                        const LineBytes* strobes, uint64_t& cycle) {
  ++cycle;
  const auto one = [&](uint32_t offset, uint32_t run) {
    return port_.debug_write(address + offset, data + offset, run) == run ? FaultCause::kNone
                                                                          : FaultCause::kBusError;
  };
  const FaultCause cause =
      strobes == nullptr ? one(0, bytes) : write_runs(address, *strobes, bytes, one);
  if (cause == FaultCause::kNone) count_write(counters_, changed_bytes(bytes, strobes));
  return cause;
}

}  // namespace gvp::gpgpu::hierarchy
