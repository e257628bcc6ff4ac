// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/memory_below.h"

#include <algorithm>

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
  free_ = 0;
  counters_ = {};
}

void MemoryBelow::go_to(uint64_t cycle) {
  const sc_core::sc_time when = start_ + clock_.at(std::max(cycle, free_));
  if (annotated_) {
    port_.set_time(when);
    return;
  }
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (when > now) sc_core::wait(when - now);
}

void MemoryBelow::end_at(uint64_t& cycle) {
  const sc_core::sc_time end = port_.time();
  if (end > start_) free_ = std::max(free_, clock_.cycles_up(end - start_));
  cycle = std::max(cycle, free_);
}

FaultCause MemoryBelow::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  go_to(cycle);
  const FaultCause cause = port_.read(address, data, bytes);
  end_at(cycle);
  if (cause == FaultCause::kNone) count_read(counters_, bytes);
  return cause;
}

FaultCause MemoryBelow::write(uint32_t address, const uint8_t* data, uint32_t bytes,
                              uint64_t& cycle) {
  go_to(cycle);
  const FaultCause cause = port_.write(address, data, bytes);
  end_at(cycle);
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
