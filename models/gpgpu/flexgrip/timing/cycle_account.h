// SPDX-License-Identifier: Apache-2.0
// Puts each clock cycle of one SM into exactly one class (models/gpgpu/kernel_profile.h), and where
// it is an instruction's, adds it there.  Between two issues the fetch stage is taken by a row that
// waits for the row in the stage ahead, which may wait in turn: the cycle is that of the row at the
// head of this queue, the one that works.  Where the warp scheduler waits for a warp's instruction
// to leave the pipeline, the queue begins there.  No SystemC.  Units: clock cycles since the start
// of the kernel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/program_profile.h"
#include "models/gpgpu/flexgrip/timing/instruction_costs.h"
#include "models/gpgpu/flexgrip/timing/pipeline.h"
#include "models/gpgpu/flexgrip/timing/warp_scheduler.h"

namespace gvp::gpgpu::flexgrip::timing {

class CycleAccount {
 public:
  // Before the first cycle of a kernel whose program has so many ops, on so many warps at most.
  void prepare(size_t ops, size_t warps);

  // The cycles from the last one accounted for to this one are of this class.
  void pass(uint64_t until, CycleClass which);
  // What the scheduler did before it issues this op.
  void wait(const WarpScheduler& scheduler, uint32_t op);
  // The rows of the instruction that this warp has issued, up to the issue of the last one.
  void issue(const Pipeline& pipeline, unsigned warp, uint32_t op, const InstructionCosts& costs);
  // The last row goes through the stages; then, until this cycle, there is nothing to issue.
  void end_batch(uint64_t until);

  ProgramProfile& profile() { return profile_; }
  const ProgramProfile& profile() const { return profile_; }

 private:
  enum Stage : unsigned { kFetch, kDecode, kRead, kExecute, kWrite, kStages };
  struct Row {
    RowWork work;
    std::array<uint64_t, kStages> left{};
    uint32_t op = 0;
    CycleClass read = CycleClass::kRead;
    CycleClass write = CycleClass::kWrite;
  };

  // The last instruction of a warp.
  struct Issued {
    uint64_t row = 0;
    uint32_t op = 0;
  };

  Row& row(uint64_t number) { return rows_[number % kRows]; }
  void spend(uint64_t until, CycleClass which, uint32_t op) {
    if (until <= reached_) return;
    profile_.ops[op].cycles[which] += until - reached_;
    reached_ = until;
  }
  // Cycles in which the row is in this stage.
  void stay(uint64_t number, unsigned stage, uint64_t until);
  // Cycles in which the row is in the pipeline, from whichever stage it has come to.
  void follow(uint64_t number);

  // A row waits for the one before it at most; six are in flight, and the row that is waited for
  // has four more ahead of it.
  static constexpr uint64_t kRows = 16;
  std::array<Row, kRows> rows_{};
  std::vector<Issued> warps_;
  ProgramProfile profile_;
  uint64_t reached_ = 0;
  uint64_t last_ = 0;  // number of the last row
};

}  // namespace gvp::gpgpu::flexgrip::timing
