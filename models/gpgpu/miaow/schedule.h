// SPDX-License-Identifier: Apache-2.0
// When the instructions of a compute unit's wavefronts are issued, in cycles that whoever starts
// wavefronts counts.  Each wavefront's are issued in order.  Two models: a serial one, loosely
// timed, which adds up what instructions cost one after the other, whosesoever they are; and
// MIAOW2.0's scoreboard, approximately timed, under which the units work side by side and the
// wavefronts share them, one issue a cycle.  No SystemC.
//
// Not modelled: the limit of 15 instructions in flight; fetch, which keeps up but after branches,
// whose cost has it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "models/gpgpu/miaow/operation_cost.h"

namespace gvp::gpgpu::miaow {

class Schedule {
 public:
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  virtual ~Schedule() = default;
  // No wavefront executes, and cycles may be counted anew.
  virtual void reset() = 0;
  // A wavefront starts; wave: its number, below those that the schedule was made for.
  virtual void begin(unsigned wave, uint64_t cycle) = 0;
  // When its next instruction is issued; kNever: not before an access has ended.
  virtual uint64_t issue_cycle(unsigned wave, const OperationCost& cost) const = 0;
  // It was issued then and keeps its unit, or the wavefront where it has none or branches, for so
  // long.  The cost must last until the wavefront has ended.
  virtual void issued(unsigned wave, const OperationCost& cost, uint64_t cycle,
                      uint64_t cycles) = 0;
  // An access is issued, and issued() will tell of it when its end is known.  Until then the units
  // that it keeps are nobody's.
  virtual void access_begins(unsigned wave, uint64_t cycle) = 0;
  // The earliest cycle in which the wavefront issues anything; and that it does not do so before.
  virtual uint64_t next(unsigned wave) const = 0;
  virtual void wait_until(unsigned wave, uint64_t cycle) = 0;
  // When the wavefront has ended, whose s_endpgm was issued.
  virtual uint64_t end(unsigned wave) const = 0;
  // Whether wavefronts are executed side by side, or each to its end or a barrier.
  virtual bool side_by_side() const = 0;
};

std::unique_ptr<Schedule> make_serial_schedule(const Timing& timing, unsigned wavefronts = 1);
// So many vector units side by side; an instruction takes the one that is free first.
std::unique_ptr<Schedule> make_scoreboard_schedule(const Timing& timing, unsigned integer_units = 1,
                                                   unsigned float_units = 1,
                                                   unsigned wavefronts = 1);

}  // namespace gvp::gpgpu::miaow
