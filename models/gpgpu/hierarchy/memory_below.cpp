// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/memory_below.h"

#include <fmt/format.h>

#include <algorithm>

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
  next_begin_ = over_ = 0;
  counters_ = {};
}

// The address channel takes one a cycle.
void MemoryBelow::go_to(uint64_t cycle) {
  const uint64_t begin = std::max({cycle, ends_[next_], next_begin_});
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

FaultCause MemoryBelow::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  go_to(cycle);
  const FaultCause cause = port_.read(address, data, bytes);
  end_at(cycle, bytes);
  if (cause == FaultCause::kNone) count_read(counters_, bytes);
  return cause;
}

FaultCause MemoryBelow::write(uint32_t address, const uint8_t* data, uint32_t bytes,
                              uint64_t& cycle) {
  go_to(cycle);
  const FaultCause cause = port_.write(address, data, bytes);
  end_at(cycle, bytes);
  if (cause == FaultCause::kNone) count_write(counters_, bytes);
  return cause;
}

FaultCause PerfectMemory::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  ++cycle;
  if (port_.debug_read(address, data, bytes) != bytes) return FaultCause::kBusError;
  count_read(counters_, bytes);
  return FaultCause::kNone;
}

FaultCause PerfectMemory::write(uint32_t address, const uint8_t* data, uint32_t bytes,
                                uint64_t& cycle) {
  ++cycle;
  if (port_.debug_write(address, data, bytes) != bytes) return FaultCause::kBusError;
  count_write(counters_, bytes);
  return FaultCause::kNone;
}

}  // namespace gvp::gpgpu::hierarchy
