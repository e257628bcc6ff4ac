// SPDX-License-Identifier: Apache-2.0
// Stands between the function of an SM and the device's memory port: performs each access at its
// simulated time and measures what it takes, waiting for the port included.  All SMs share the
// one port, which has one transaction outstanding, in turn.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/memory_port.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu {

// Whose turn it is, where several SMs share a port: after each access the next one that waits,
// beginning with the one after the last (round robin, as in flexgrip_axi_master.sv).
class PortTurns {
 public:
  // between: what a port takes from the end of one access to the beginning of the next.
  PortTurns(const MemoryPort& port, unsigned sms, const sc_core::sc_time& between)
      : port_(port), between_(between), waits_(sms) {}

  // Lets simulated time pass until the port is free for this SM.
  void take(unsigned sm);
  // At the end of its access, in simulated time or annotated.
  void give();

 private:
  unsigned next() const;
  sc_core::sc_time until_free() const;

  const MemoryPort& port_;
  const sc_core::sc_time between_;
  sc_core::sc_time free_;  // from then on
  bool taken_ = false;
  unsigned last_ = 0;  // who has or had it
  std::vector<bool> waits_;
  sc_core::sc_event given_;
};

class PortClock : public AccessClock, public GlobalPort {
 public:
  // kernel_start: when cycle 0 is.  between: cycles from the end of one access to the beginning of
  // the next one of the same instruction.  turns: null for the only SM.
  PortClock(MemoryPort& port, sc_core::sc_time kernel_start, const kit::Clock& clock,
            unsigned between = 0, PortTurns* turns = nullptr, unsigned sm = 0)
      : port_(port),
        kernel_start_(kernel_start),
        clock_(clock),
        between_(between),
        turns_(turns),
        sm_(sm) {}

  void begin(uint64_t cycle) override;
  const std::vector<uint32_t>& accesses() const override { return accesses_; }

  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;

 private:
  void wait_for_turn();
  void take_time();

  MemoryPort& port_;
  const sc_core::sc_time kernel_start_;
  const kit::Clock clock_;
  const unsigned between_;
  PortTurns* const turns_;
  const unsigned sm_;
  uint64_t cycle_ = 0;  // when the next access begins
  std::vector<uint32_t> accesses_;
};

}  // namespace gvp::gpgpu
