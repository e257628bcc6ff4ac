// SPDX-License-Identifier: Apache-2.0
// The pipeline of an SM with the account of its cycles (Pipeline, CycleAccount), which remembers
// what both did: kernels are loops, and the pipeline comes to the same few states again and again,
// relative to the cycle that has been reached.  The first time a state is left by an instruction
// both work out what follows and it is noted in a table; from then on it is looked up
// (memoization; Schnarr and Larus, "Fast out-of-order processor simulation using memoization",
// ASPLOS 1998).  Results are the same to the cycle.  No SystemC.  Units: clock cycles since the
// start of the kernel.
//
// Memory is bounded: a full table is forgotten.  Where instructions hardly ever find what they look
// for (lanes that differ from warp to warp, a bus whose answers take different times), nothing is
// looked up or noted for a while.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/timing/cycle_account.h"
#include "models/gpgpu/flexgrip/timing/pipeline.h"
#include "models/gpgpu/flexgrip/timing/transition_table.h"
#include "models/gpgpu/flexgrip/timing/warp_scheduler.h"

namespace gvp::gpgpu::flexgrip::timing {

struct Memoization {
  bool enabled = true;
  uint32_t max_states = 1024;  // at least 2; each of about half a kilobyte: within a cache
  uint32_t warm_up = 1024;     // instructions of an SM before: kernels may be shorter
  bool pauses = true;          // where it does not pay
};

class MemoizedPipeline {
 public:
  MemoizedPipeline(const PipelineTiming& timing, unsigned sps) : pipeline_(timing, sps) {}

  // Before the first cycle of a kernel whose program has so many ops, on so many warps at most.
  void prepare(size_t ops, size_t warps, const Memoization& memoization);

  // The cycles from the last one accounted for to this one are of this class.
  void pass(uint64_t until, CycleClass which);
  // The scheduler has waited for a warp whose op then failed to execute.
  void fail(const WarpScheduler& scheduler, uint32_t op);
  // An instruction of this warp, issued when the scheduler says, after it has waited as it says.
  void issue(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
             const InstructionCosts& costs, const Execution& execution);
  // The last row goes through the stages; then, until this cycle, there is nothing to issue.
  void end_batch(uint64_t until);

  const RowTimes& last() const { return pipeline_.last(); }
  uint64_t read_start(uint64_t cycle, const InstructionCosts& costs) const {
    return pipeline_.read_start(cycle, costs);
  }
  void hold_write_for_release() { pipeline_.hold_write_for_release(); }
  const StageStalls& stalls() const { return pipeline_.stalls(); }
  // The rows of the last instruction, where nothing is memoized.
  const Pipeline& rows() const { return pipeline_; }

  // What is counted beside cycles may be added to at any time.
  OpProfile& op(uint32_t number) { return account_.profile().ops[number]; }
  // What has been counted until now.
  ProgramProfile& profile();

  uint64_t hits() const { return hits_; }  // instructions that were looked up

 private:
  static constexpr uint32_t kNone = TransitionTable::kNone;

  void work_out(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
                const InstructionCosts& costs, const Execution& execution);
  void issue_memoized(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
                      const InstructionCosts& costs, const Execution& execution);
  void learn(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
             const InstructionCosts& costs, const Execution& execution);
  // False where the instruction cannot be told by its signature.
  bool describe(const WarpScheduler& scheduler, uint32_t op, const InstructionCosts& costs,
                const Execution& execution);
  bool describe_waits(const WarpScheduler& scheduler);
  void end_window();
  // The state that the rows are in; kNone where there is none.
  uint32_t state_of_rows();
  // Puts the rows where state_ says that they are.
  void restore_rows();
  void forget_state() {
    restore_rows();
    state_ = kNone;
  }

  Pipeline pipeline_;
  CycleAccount account_;
  TransitionTable table_{0};
  uint32_t state_ = kNone;  // after the last instruction, where it is known
  bool rows_known_ = true;  // the pipeline and the account have all rows, not the last one alone
  bool pauses_ = true;
  uint64_t pause_ = 0;      // so many instructions are not memoized
  uint32_t looked_up_ = 0;  // in this window...
  uint32_t missed_ = 0;     // ... and how many of them in vain
  uint64_t hits_ = 0;
  IssueSignature signature_;
  std::vector<RowState> scratch_;
  std::vector<CycleAccount::Increment> increments_;
};

}  // namespace gvp::gpgpu::flexgrip::timing
