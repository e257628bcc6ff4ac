// SPDX-License-Identifier: Apache-2.0
// Executing G80 instructions: one instruction of one warp with everything that a timing model
// wants to know about it (step), or a warp as far as it goes (run).  Both call the same
// functions, one per operation, so timing can never change a result.
#pragma once

#include <cstdint>

#include "models/gpgpu/g80/machine.h"
#include "models/gpgpu/g80/program.h"

namespace gvp::gpgpu::g80 {

// What one instruction of one warp did.
struct Step {
  const Op* op = nullptr;  // op->instruction, op->pc
  simt::Mask active_before = 0;
  simt::Mask executed = 0;  // of those, where the predicate held
  simt::Mask active_after = 0;
  unsigned depth_before = 0;  // entries on the reconvergence stack
  unsigned depth_after = 0;
  simt::ControlFlow::Branch branch = simt::ControlFlow::Branch::kNotTaken;  // kBranch only
  Stop stop = Stop::kNone;
  // Loads and stores of g[], l[], s[], c[]: addresses by lane (valid where executed), else null.
  const simt::Lanes* addresses = nullptr;
};

// Executes the instruction at warp.flow.pc; afterwards flow.pc is where the warp goes on.
Step step(Machine& machine, const Program& program, Warp& warp);

// Of one instruction of a program, in all its executions.
struct OpCounts {
  uint64_t issued = 0;
  uint64_t active = 0;    // lanes
  uint64_t executed = 0;  // of these, where the predicate held; run() leaves it out of plain ops
  uint64_t steps = 0;     // Op::steps, added up; run() alone

  void add(const Step& step);
};

struct RunCounters {
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;  // active threads, summed over warp instructions
  uint64_t divergent_branches = 0;
  uint64_t global_lanes = 0;  // lanes that loaded or stored g[]
  uint64_t cost = 0;          // sums of the ops' annotations
  uint64_t latency = 0;

  void add(const Step& step);
};

// Executes until the warp stops or so many instructions are done.  by_op: by Op::number.
Stop run(Machine& machine, const Program& program, Warp& warp, uint64_t max_instructions,
         RunCounters& counters, OpCounts* by_op);

// The threads for which a condition code holds (32x16 table of docs/g80.md).
uint16_t truth_table(Condition condition);
simt::Mask evaluate(const ConditionRegister& flags, uint16_t truth_table);

}  // namespace gvp::gpgpu::g80
