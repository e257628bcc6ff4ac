// SPDX-License-Identifier: Apache-2.0
// For whoever watches a host processor's program: where it goes, and what it does in the local
// memory, which is on no bus.  A processor that is observed executes unit by unit (an instruction
// with its imm prefix, a branch with its delay slot), which takes much longer; one that is not pays
// nothing.  Addresses are bytes, as the program has them (program counters) or physical (memory);
// times picoseconds, of the processor's own time, which may be ahead of simulated time.
//
// Not here: accesses over the bus, which its sockets show, and what caches answer.
#pragma once

#include <cstdint>

namespace gvp::host {

// The program goes on elsewhere than at the next instruction.
struct ControlEvent {
  enum class Kind : uint8_t {
    kStart,      // of the program
    kCall,       // a branch that keeps where it was
    kReturn,     // rtsd, rtid, rtbd, rted
    kJump,       // any other branch
    kException,  // an exception or interrupt
  };
  Kind kind = Kind::kJump;
  uint32_t pc = 0;  // where it goes on
  uint64_t time_ps = 0;
};

struct LocalAccess {
  uint32_t pc = 0;  // of the instruction
  uint32_t address = 0;
  uint32_t bytes = 0;
  bool write = false;
  bool fetch = false;                 // of the instruction itself
  uint64_t begin_ps = 0, end_ps = 0;  // of the unit that it belongs to
};

class Observer {
 public:
  // What there is to see; wants() is a sum of these.
  enum Subject : unsigned { kControl = 1, kLocalMemory = 2 };

  virtual ~Observer() = default;
  // Asked once, when the observer is attached.
  virtual unsigned wants() const = 0;

  virtual void control(const ControlEvent&) {}
  virtual void local_access(const LocalAccess&) {}
};

}  // namespace gvp::host
