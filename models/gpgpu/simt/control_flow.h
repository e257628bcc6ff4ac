// SPDX-License-Identifier: Apache-2.0
// Where a warp is and which of its threads are there: program counter, active mask, and the
// reconvergence stack (FlexGrip thesis 4.1.1) with its four kinds of entry.
//
//   sync     (push_sync)  threads to wait for at the next join
//   diverge  (branch)     the other side of a divergent branch: its threads and where they go on
//   call     (call)       threads to return, and where to
//   break    (push_break) threads to leave the loop, and where to
//
// Threads that leave a path early (return, break, exit) are taken out of the entries they are
// listed in, so that the path that is left behind never brings them back.  Addresses are bytes
// and opaque here; instruction sets decide what jumps where.
//
// Not modelled: the RTL's faults (RET pops whatever is on top; an empty stack at a join brings
// exited threads back).
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::simt {

template <unsigned kWidth>
class ControlFlowOf {
 public:
  using Mask = MaskOf<kWidth>;
  enum class Type : uint8_t { kSync, kDiverge, kCall, kBreak };
  struct Entry {
    uint32_t pc;
    Mask mask;
    Type type;
  };
  enum class Branch : uint8_t { kNotTaken, kTaken, kDivergent, kOverflow };

  uint32_t pc = 0;
  Mask active = 0;

  // Room for depth entries; the only call that allocates.
  void configure(unsigned depth);
  // A fresh warp: these threads, at this address, nothing on the stack.
  void start(Mask threads, uint32_t start_pc);

  Mask live() const { return live_; }  // threads that have not exited
  bool finished() const { return live_ == 0; }
  unsigned depth() const { return depth_; }
  unsigned max_depth() const { return max_depth_; }  // since start()
  const Entry& entry(unsigned from_bottom) const { return stack_[from_bottom]; }

  // These three return false when the stack is full; nothing has changed then.
  bool push_sync(uint32_t target) { return push({target, active, Type::kSync}); }
  bool push_break(uint32_t target) { return push({target, active, Type::kBreak}); }
  bool call(uint32_t target, uint32_t next);

  // The active threads in taken go to target, the others to next; when they differ, the side
  // that taken_first names runs on and the other goes on the stack.
  Branch branch(Mask taken, uint32_t target, uint32_t next, bool taken_first) {
    if (taken == 0) {
      pc = next;
      return Branch::kNotTaken;
    }
    if (taken == active) {
      pc = target;
      return Branch::kTaken;
    }
    return diverge(taken, target, next, taken_first);
  }

  // The active threads have reached a join; next is the address after it.
  void join(uint32_t next);
  // Threads leave for good; the others go on at next.
  void exit(Mask threads, uint32_t next);
  // Threads return from the innermost call, or exit where there is none.
  void return_from_call(Mask threads, uint32_t next);
  // Threads leave the innermost loop; false without one (nothing has changed then).
  bool break_out(Mask threads, uint32_t next);

 private:
  static constexpr uint32_t kNowhere = 1;  // no instruction starts at an odd address

  bool push(const Entry& entry);
  Branch diverge(Mask taken, uint32_t target, uint32_t next, bool taken_first);
  int innermost(Type type) const;
  void leave(Mask threads, int above, uint32_t next);
  void resume();

  std::vector<Entry> stack_;
  unsigned depth_ = 0;
  unsigned max_depth_ = 0;
  Mask live_ = 0;
  uint32_t outermost_pc_ = kNowhere;  // where threads wait that joined outside of any sync entry
};

extern template class ControlFlowOf<32>;
extern template class ControlFlowOf<64>;
using ControlFlow = ControlFlowOf<kWarpSize>;

}  // namespace gvp::gpgpu::simt
