// SPDX-License-Identifier: Apache-2.0
// Stands between the function of the SMs and the device's memory port: performs each access at its
// simulated time and measures what it takes, waiting for the port included.  All SMs share the
// one port, which has one transaction outstanding.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/memory_port.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu {

class PortClock : public AccessClock, public GlobalPort {
 public:
  // kernel_start: when cycle 0 is.
  PortClock(MemoryPort& port, sc_core::sc_time kernel_start, const kit::Clock& clock)
      : port_(port), kernel_start_(kernel_start), clock_(clock) {}

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
  uint64_t cycle_ = 0;  // when the next access begins
  std::vector<uint32_t> accesses_;
};

}  // namespace gvp::gpgpu
