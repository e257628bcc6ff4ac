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
  void wait(const Pipeline& pipeline, const WarpScheduler& scheduler, uint32_t op);
  // The rows of the instruction that this warp has issued, up to the issue of the last one.
  void issue(const Pipeline& pipeline, unsigned warp, uint32_t op, const InstructionCosts& costs);
  // The last row goes through the stages; then, until this cycle, there is nothing to issue.
  void end_batch(const Pipeline& pipeline, uint64_t until);

  // To whom the cycles of a row go: an op of the program, and two of its classes.
  struct Owner {
    uint32_t op = 0;
    CycleClass read = CycleClass::kRead;
    CycleClass write = CycleClass::kWrite;
    CycleClasses* cycles = nullptr;  // of the op
  };
  // The last instruction of a warp.
  struct Issued {
    uint64_t row = 0;
    uint32_t op = 0;
  };
  struct Increment {
    uint64_t* counter;
    uint64_t cycles;
  };

  // From now on what is added is noted here, too, each counter once; null: no more.
  void record(std::vector<Increment>* increments) { increments_ = increments; }
  // As if the instruction that ends with this row had been issued, with nothing to add.
  void skip(const RowTimes& last, unsigned warp, uint32_t op) {
    warps_[warp] = {last.number, op};
    reached_ = last.issue;
  }
  void restore(uint64_t row, uint32_t op, CycleClass read, CycleClass write) {
    owner(row) = {op, read, write, &profile_.ops[op].cycles};
  }
  const Owner& owner_of(uint64_t row) const { return owners_[row % owners_.size()]; }
  const Issued& issued(unsigned warp) const { return warps_[warp]; }
  uint64_t reached() const { return reached_; }  // the last cycle that is accounted for

  ProgramProfile& profile() { return profile_; }
  const ProgramProfile& profile() const { return profile_; }

 private:
  enum class Stage : uint8_t { kFetch, kDecode, kRead, kExecute, kWrite };
  void add(CycleClasses& classes, CycleClass which, uint64_t cycles) {
    classes[which] += cycles;
    if (increments_ != nullptr) note(classes[which], cycles);
  }
  void note(uint64_t& counter, uint64_t cycles);
  Owner& owner(uint64_t row) { return owners_[row % owners_.size()]; }
  void spend(uint64_t until, CycleClass which, uint32_t op) {
    if (until <= reached_) return;
    add(profile_.ops[op].cycles, which, until - reached_);
    reached_ = until;
  }
  // Until the row leaves this stage.
  void stay(const Pipeline& pipeline, uint64_t row, Stage stage, uint64_t until) {
    if (until <= reached_) return;
    share(pipeline, row, stage, until - reached_);
    reached_ = until;
  }
  // The last cycles of a row in a stage, among all rows in the queue ahead of it.
  void share(const Pipeline& pipeline, uint64_t row, Stage stage, uint64_t cycles);
  void share_read(const RowWork& work, const Owner& owner, uint64_t cycles, uint64_t passed);
  void share_execute(const RowWork& work, const Owner& owner, uint64_t cycles, uint64_t passed);
  void share_write(const RowWork& work, uint64_t row, uint64_t cycles);
  // Cycles in which the row is in the pipeline, from whichever stage it has come to.
  void follow(const Pipeline& pipeline, uint64_t row);

  std::array<Owner, Pipeline::kRows> owners_{};
  std::vector<Issued> warps_;
  ProgramProfile profile_;
  uint64_t reached_ = 0;
  std::vector<Increment>* increments_ = nullptr;
};

}  // namespace gvp::gpgpu::flexgrip::timing
