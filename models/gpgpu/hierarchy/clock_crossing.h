// SPDX-License-Identifier: Apache-2.0
// Where a request goes from one clock domain into another: the network and the L2 cache may have
// clocks of their own (thesis 5.4.2, figure 21: queues between them are block RAMs with a port in
// each domain).  What comes is taken at the other clock's next edge, and so is its answer on its
// way back; more cycles of synchronisation are the levels' own (hit_cycles, hop_cycles).  All
// domains have an edge when a kernel begins.  Units: clock cycles of the level that is named.
#pragma once

#include <cstdint>

#include "models/gpgpu/hierarchy/memory_level.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::hierarchy {

class ClockCrossing : public MemoryLevel {
 public:
  // above: the clock of those who ask; below: next's.
  ClockCrossing(const kit::Clock& above, const kit::Clock& below, MemoryLevel& next)
      : above_(above), below_(below), next_(next) {}

  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override {
    uint64_t inside = down(cycle);
    const FaultCause cause = next_.read(address, data, bytes, inside);
    cycle = up(inside);
    return cause;
  }
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override {
    uint64_t inside = down(cycle);
    const FaultCause cause = next_.write_strobed(address, data, bytes, strobes, inside);
    cycle = up(inside);
    return cause;
  }

  uint64_t accepted() const override { return up(next_.accepted()); }
  void answer_taken(uint64_t cycle) override { next_.answer_taken(down(cycle)); }

  // The first cycle of the other domain that begins with this one or later.
  uint64_t down(uint64_t cycle) const { return below_.cycles_up(above_.ps(cycle)); }
  uint64_t up(uint64_t cycle) const { return above_.cycles_up(below_.ps(cycle)); }

 private:
  const kit::Clock above_, below_;
  MemoryLevel& next_;
};

}  // namespace gvp::gpgpu::hierarchy
