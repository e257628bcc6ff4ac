// SPDX-License-Identifier: Apache-2.0
// What stands at the pins of a block of RTL: a transactor, a checker, a serial line.  At each
// rising edge of the clock
//
//   sample()   the pins as they are just before it, settled: handshakes are decided here
//   drive()    just after it: the inputs for the next edge
//   settled()  the block's answer to them
//
// No agent writes an input before all have sampled, and none sees an output before all have driven:
// their order does not matter.
#pragma once

#include <cstdint>

namespace gvp::rtl {

class Agent {
 public:
  static constexpr uint64_t kForever = ~uint64_t{0};

  Agent() = default;
  virtual ~Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  virtual void sample() {}
  virtual void drive() {}
  virtual void settled() {}
  // For how many edges from now on the calls above would do nothing as long as no watched pin
  // changes (Block::watch()).  They are then left out.
  virtual uint64_t idle_edges() const { return kForever; }
  // Whether a block that stands still may do so until an input changes: for agents whose regular
  // work nobody can see meanwhile.  It is made up for then, from the edge on that overdue() tells,
  // not after `present`; kForever: there is none.
  virtual bool may_sleep() const { return idle_edges() == kForever; }
  virtual uint64_t overdue(uint64_t /*present*/) { return kForever; }
  // A watched pin has changed, at the edge that is being made.
  virtual void pin_changed() {}
  // Simulated time is that of the edge at which Block::tell() was called.
  virtual void publish() {}
  // The block is being reset: inputs as at power-on, what is in flight is over.  in_reset(): after
  // each of the cycles in which reset is active.
  virtual void reset() {}
  virtual void in_reset(unsigned /*cycle*/) {}
};

}  // namespace gvp::rtl
