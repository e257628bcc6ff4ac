// SPDX-License-Identifier: Apache-2.0
// The last level: what the device's bus port reaches.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

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

// Each request is a transaction, which takes as long as the bus answers.  So many are under way at
// a time, of one AXI ID: they are answered in order, and each has the data channel for the cycles
// of its own data.  Either simulated time passes until a transaction begins, so that it is at its
// place among those of other masters (approximately timed), or its time is annotated and the port
// runs ahead (loosely timed).
//
// More than one needs a bus that works time out within a call, so a loosely timed one; another one
// lets simulated time pass until the answer, and is refused: Error (bad input) at the first one.
class MemoryBelow : public MemoryLevel {
 public:
  // outstanding, port_bytes: Settings.
  MemoryBelow(MemoryPort& port, const kit::Clock& clock, uint32_t outstanding = 1,
              uint32_t port_bytes = 4)
      : port_(port), clock_(clock), port_bytes_(port_bytes), ends_(outstanding) {}

  // A kernel begins, whose cycle 0 is this time.
  void begin(const sc_core::sc_time& start, bool annotated);
  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override;
  uint64_t accepted() const override { return begun_; }
  // It holds the data channel until then.
  void answer_taken(uint64_t cycle) override;
  const BelowCounters& counters() const { return counters_; }

 private:
  void go_to(uint64_t cycle);
  void end_at(uint64_t& cycle, uint32_t bytes);

  MemoryPort& port_;
  const kit::Clock clock_;
  sc_core::sc_time start_;
  bool annotated_ = false;
  const uint32_t port_bytes_;
  std::vector<uint64_t> ends_;  // of the last transactions, in turn
  size_t next_ = 0;             // whose end the next one waits for
  uint64_t next_begin_ = 0;     // of several: one begins a cycle
  sc_core::sc_time called_;     // simulated time when the last one began
  uint64_t begun_ = 0;          // when the last one was
  uint64_t over_ = 0;           // when all are
  BelowCounters counters_;
};

// The same memory, which answers in the cycle after the request whatever is under way (thesis 5.6,
// "perfect memory"): by debug transactions, which take no time.
class PerfectMemory : public MemoryLevel {
 public:
  explicit PerfectMemory(MemoryPort& port) : port_(port) {}

  void begin() { counters_ = {}; }
  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override;
  const BelowCounters& counters() const { return counters_; }

 private:
  MemoryPort& port_;
  BelowCounters counters_;
};

}  // namespace gvp::gpgpu::hierarchy
