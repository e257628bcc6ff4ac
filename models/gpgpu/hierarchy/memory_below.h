// SPDX-License-Identifier: Apache-2.0
// The last level: what the device's bus port reaches.
#pragma once

#include <cstdint>
#include <systemc>

#include "models/gpgpu/hierarchy/memory_level.h"
#include "models/gpgpu/memory_port.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::hierarchy {

// Requests that went to the bus in this kernel.
struct BelowCounters {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
};

// Each request is a transaction, one after the other, which takes as long as the bus answers.
// Either simulated time passes until it begins, so that it is at its place among those of other
// masters (approximately timed), or its time is annotated and the port runs ahead (loosely timed).
class MemoryBelow : public MemoryLevel {
 public:
  MemoryBelow(MemoryPort& port, const kit::Clock& clock) : port_(port), clock_(clock) {}

  // A kernel begins, whose cycle 0 is this time.
  void begin(const sc_core::sc_time& start, bool annotated);
  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write(uint32_t address, const uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  const BelowCounters& counters() const { return counters_; }

 private:
  void go_to(uint64_t cycle);
  void end_at(uint64_t& cycle);

  MemoryPort& port_;
  const kit::Clock clock_;
  sc_core::sc_time start_;
  bool annotated_ = false;
  uint64_t free_ = 0;  // when the port can begin the next transaction
  BelowCounters counters_;
};

// The same memory, which answers in the cycle after the request whatever is under way (thesis 5.6,
// "perfect memory"): by debug transactions, which take no time.
class PerfectMemory : public MemoryLevel {
 public:
  explicit PerfectMemory(MemoryPort& port) : port_(port) {}

  void begin() { counters_ = {}; }
  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write(uint32_t address, const uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  const BelowCounters& counters() const { return counters_; }

 private:
  MemoryPort& port_;
  BelowCounters counters_;
};

}  // namespace gvp::gpgpu::hierarchy
