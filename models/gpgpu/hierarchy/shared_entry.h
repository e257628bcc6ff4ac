// SPDX-License-Identifier: Apache-2.0
// Where the requests of several SMs enter what they share: network, L2 cache, memory.  Below, data
// move and time is worked out in one call (memory_level.h), so calls are to come in the order of
// their cycles: each is made in the process of its SM when simulated time has come to its cycle,
// and not while another one's is under way in simulated time.  Of those that wait the one goes on
// whose request has come first.  A request that has waited for a call keeps its own cycle: what it
// waits for in the hierarchy is worked out there, cache by cache and link by link.
//
// Switched off (loosely timed, or one SM alone) it does nothing.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/gpgpu/hierarchy/memory_level.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::hierarchy {

class EntryTurns {
 public:
  EntryTurns(unsigned sms, const kit::Clock& clock) : clock_(clock), waits_(sms, kNobody) {}

  // A kernel begins, whose cycle 0 is this time.
  void begin(const sc_core::sc_time& start, bool enabled);
  bool enabled() const { return enabled_; }
  // Lets simulated time pass until it is this SM's turn, whose request comes in this cycle.
  void take(unsigned sm, uint64_t cycle);
  // At the end of the call.
  void give();

 private:
  static constexpr uint64_t kNobody = ~uint64_t{0};
  bool is_first(unsigned sm) const;

  const kit::Clock clock_;
  bool enabled_ = false;
  bool taken_ = false;
  sc_core::sc_time start_;
  std::vector<uint64_t> waits_;  // cycle of the request that has come, by SM
  sc_core::sc_event given_;
};

class SharedEntry : public MemoryLevel {
 public:
  SharedEntry(EntryTurns& turns, unsigned sm, MemoryLevel& next)
      : turns_(turns), sm_(sm), next_(next) {}

  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override;
  uint64_t accepted() const override { return next_.accepted(); }

 private:
  EntryTurns& turns_;
  const unsigned sm_;
  MemoryLevel& next_;
};

}  // namespace gvp::gpgpu::hierarchy
