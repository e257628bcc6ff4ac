// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/control_flow.h"

namespace gvp::gpgpu::simt {

template <unsigned kWidth>
void ControlFlowOf<kWidth>::configure(unsigned depth) {
  stack_.resize(depth);
}

template <unsigned kWidth>
void ControlFlowOf<kWidth>::start(Mask threads, uint32_t start_pc) {
  pc = start_pc;
  active = threads;
  live_ = threads;
  depth_ = 0;
  max_depth_ = 0;
  outermost_pc_ = kNowhere;
}

template <unsigned kWidth>
bool ControlFlowOf<kWidth>::push(const Entry& entry) {
  if (depth_ == stack_.size()) return false;
  stack_[depth_++] = entry;
  if (depth_ > max_depth_) max_depth_ = depth_;
  return true;
}

template <unsigned kWidth>
bool ControlFlowOf<kWidth>::call(uint32_t target, uint32_t next) {
  if (!push({next, active, Type::kCall})) return false;
  pc = target;
  return true;
}

template <unsigned kWidth>
typename ControlFlowOf<kWidth>::Branch ControlFlowOf<kWidth>::diverge(Mask taken, uint32_t target,
                                                                      uint32_t next,
                                                                      bool taken_first) {
  const Entry other = taken_first ? Entry{next, active & ~taken, Type::kDiverge}
                                  : Entry{target, taken, Type::kDiverge};
  if (!push(other)) return Branch::kOverflow;
  active &= ~other.mask;
  pc = taken_first ? target : next;
  return Branch::kDivergent;
}

template <unsigned kWidth>
void ControlFlowOf<kWidth>::join(uint32_t next) {
  // The threads that wait at this join go on after it, whichever way their turn comes.
  uint32_t* waiting_pc = &outermost_pc_;
  for (unsigned i = depth_; i-- > 0;) {
    if (stack_[i].type == Type::kSync) {
      waiting_pc = &stack_[i].pc;
      break;
    }
  }
  while (depth_ > 0) {
    const Entry& top = stack_[depth_ - 1];
    if (top.type == Type::kDiverge) {
      --depth_;
      if (top.mask == 0) continue;  // all of that side have left meanwhile
      *waiting_pc = next;
      active = top.mask;
      pc = top.pc;
      return;
    }
    pc = next;
    if (top.type == Type::kSync) {
      active = top.mask;
      --depth_;
    }
    return;  // a call or break entry is not this join's: nothing to wait for
  }
  active = live_;
  pc = next;
}

template <unsigned kWidth>
void ControlFlowOf<kWidth>::exit(Mask threads, uint32_t next) {
  live_ &= ~threads;
  leave(threads, -1, next);
}

template <unsigned kWidth>
void ControlFlowOf<kWidth>::return_from_call(Mask threads, uint32_t next) {
  const int call_entry = innermost(Type::kCall);
  if (call_entry < 0) live_ &= ~threads;
  leave(threads, call_entry, next);
}

template <unsigned kWidth>
bool ControlFlowOf<kWidth>::break_out(Mask threads, uint32_t next) {
  const int break_entry = innermost(Type::kBreak);
  if (break_entry < 0) return false;
  leave(threads, break_entry, next);
  return true;
}

template <unsigned kWidth>
int ControlFlowOf<kWidth>::innermost(Type type) const {
  int i = static_cast<int>(depth_) - 1;
  while (i >= 0 && stack_[static_cast<unsigned>(i)].type != type) --i;
  return i;
}

// Takes threads out of the active mask and out of every entry above the one they leave to.
template <unsigned kWidth>
void ControlFlowOf<kWidth>::leave(Mask threads, int above, uint32_t next) {
  for (unsigned i = static_cast<unsigned>(above + 1); i < depth_; ++i) stack_[i].mask &= ~threads;
  active &= ~threads;
  if (active != 0) {
    pc = next;
  } else {
    resume();
  }
}

// No active thread is left on this path: the next one that has threads.
template <unsigned kWidth>
void ControlFlowOf<kWidth>::resume() {
  while (active == 0 && depth_ > 0) {
    const Entry& top = stack_[--depth_];
    active = top.mask;
    pc = top.pc;
  }
  if (active == 0 && live_ != 0) {
    active = live_;
    pc = outermost_pc_;
  }
}

template class ControlFlowOf<32>;
template class ControlFlowOf<64>;

}  // namespace gvp::gpgpu::simt
