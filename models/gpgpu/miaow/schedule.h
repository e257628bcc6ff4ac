// SPDX-License-Identifier: Apache-2.0
// When the instructions of a wavefront are issued, in cycles from its start.  They are issued in
// order.  Two models: a serial one, loosely timed, which adds up what instructions cost one after
// the other; and MIAOW2.0's scoreboard, approximately timed, under which the units work side by
// side.  No SystemC.
//
// Not modelled: the limit of 15 instructions in flight, which one wavefront cannot reach; fetch,
// which keeps up with one wavefront but after branches, whose cost has it.
#pragma once

#include <cstdint>
#include <memory>

#include "models/gpgpu/miaow/operation_cost.h"

namespace gvp::gpgpu::miaow {

class Schedule {
 public:
  virtual ~Schedule() = default;
  // A wavefront starts.
  virtual void begin() = 0;
  // When the next instruction is issued.
  virtual uint64_t issue_cycle(const OperationCost& cost) const = 0;
  // It was issued then and keeps its unit, or the wavefront where it has none or branches, for so
  // long.  The cost must last until the wavefront has ended.
  virtual void issued(const OperationCost& cost, uint64_t cycle, uint64_t cycles) = 0;
  // When the wavefront has ended, if nothing follows.
  virtual uint64_t end() const = 0;
};

std::unique_ptr<Schedule> make_serial_schedule(const Timing& timing);
// So many vector units side by side; an instruction takes the one that is free first.
std::unique_ptr<Schedule> make_scoreboard_schedule(const Timing& timing, unsigned integer_units = 1,
                                                   unsigned float_units = 1);

}  // namespace gvp::gpgpu::miaow
