// SPDX-License-Identifier: Apache-2.0
// Control instructions: branches, the reconvergence stack, barriers, trap (docs/g80.md,
// "Control flow").  Each leaves warp.flow.pc where the warp goes on.
#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Mask;
using Flow = simt::ControlFlow;

const Op* stopped(Warp& warp, Stop stop) {
  warp.stop = stop;
  return nullptr;
}

const Op* faulted(Warp& warp, const Op& op, FaultCause cause) {
  const unsigned lane = warp.flow.active != 0 ? simt::first_lane(warp.flow.active) : 0;
  fault(warp, op, cause, lane, 0);
  return stopped(warp, Stop::kFault);
}

// After threads have left: somewhere else, or nowhere.
const Op* resumed(Warp& warp, const Op& op) {
  if (warp.flow.finished()) return stopped(warp, Stop::kFinished);
  return op.program->at(warp.flow.pc);
}

const Op* branch(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  warp.branch = warp.flow.branch(lanes, op.target_pc, op.next_pc, machine.taken_first);
  switch (warp.branch) {
    case Flow::Branch::kNotTaken:
      return op.next;
    case Flow::Branch::kTaken:
      return op.target;
    case Flow::Branch::kDivergent:
      return machine.taken_first ? op.target : op.next;
    case Flow::Branch::kOverflow:
      break;
  }
  return faulted(warp, op, FaultCause::kStackOverflow);
}

const Op* call(Machine&, Warp& warp, const Op& op, Mask) {
  if (!warp.flow.call(op.target_pc, op.next_pc))
    return faulted(warp, op, FaultCause::kStackOverflow);
  return op.target;
}

const Op* set_sync(Machine&, Warp& warp, const Op& op, Mask) {
  if (!warp.flow.push_sync(op.target_pc)) return faulted(warp, op, FaultCause::kStackOverflow);
  warp.flow.pc = op.next_pc;
  return op.next;
}

const Op* pre_break(Machine&, Warp& warp, const Op& op, Mask) {
  if (!warp.flow.push_break(op.target_pc)) return faulted(warp, op, FaultCause::kStackOverflow);
  warp.flow.pc = op.next_pc;
  return op.next;
}

const Op* return_(Machine&, Warp& warp, const Op& op, Mask lanes) {
  warp.flow.return_from_call(lanes, op.next_pc);
  return resumed(warp, op);
}

const Op* break_(Machine&, Warp& warp, const Op& op, Mask lanes) {
  if (!warp.flow.break_out(lanes, op.next_pc))
    return faulted(warp, op, FaultCause::kStackUnderflow);
  return resumed(warp, op);
}

const Op* barrier(Machine&, Warp& warp, const Op& op, Mask) {
  const Instruction& instruction = *op.instruction;
  const bool all = instruction.barrier_all || instruction.barrier_threads == kAllThreads;
  warp.barrier = {instruction.barrier, all ? kAllThreads : instruction.barrier_threads,
                  instruction.barrier_arrive, instruction.barrier_wait, op.pc};
  warp.flow.pc = op.next_pc;
  return stopped(warp, Stop::kBarrier);
}

const Op* trap(Machine&, Warp& warp, const Op& op, Mask) {
  return faulted(warp, op, FaultCause::kTrap);
}

}  // namespace

Execution select_branch(const Selection&) { return branch; }
Execution select_call(const Selection&) { return call; }
Execution select_return(const Selection&) { return return_; }
Execution select_pre_break(const Selection&) { return pre_break; }
Execution select_break(const Selection&) { return break_; }
Execution select_set_sync(const Selection&) { return set_sync; }
Execution select_barrier(const Selection&) { return barrier; }
Execution select_trap(const Selection&) { return trap; }
Execution select_graphics(const Selection&) { return {}; }

}  // namespace gvp::gpgpu::g80
