// SPDX-License-Identifier: Apache-2.0
// One SM in time: which warp executes its next instruction when, and how long that takes.  Joins
// the SM's function (Sm) with its warp scheduler and pipeline.  No SystemC.  Units: clock cycles
// since the start of the kernel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/off_chip_reads.h"
#include "models/gpgpu/flexgrip/sm.h"
#include "models/gpgpu/flexgrip/timing/memoized_pipeline.h"
#include "models/gpgpu/flexgrip/timing/shared_banks.h"
#include "models/gpgpu/flexgrip/timing/warp_scheduler.h"
#include "models/gpgpu/global_memory.h"

namespace gvp::gpgpu::flexgrip::timing {

// One admitted kernel.
struct KernelRun {
  const Kernel& kernel;
  unsigned blocks_per_sm;  // at a time
  const g80::Program& program;
  g80::Machine& machine;
  const Observation* observation = nullptr;  // who watches; null: nobody
  Memoization memoization = {};
};

// How an SM reaches global memory that is not its own block RAM.  Both null: that it is.
struct SmBus {
  g80::Machine* machine =
      nullptr;  // of this SM, its port that which clock measures; instead of the run's
  AccessClock* clock = nullptr;
  // Of its code and constants, where those are not in the device; the machine's port is the second.
  InstructionFetch* instructions = nullptr;
  ConstantReads* constants = nullptr;
};

// Of one kernel, by op of its program.
using ProgramCosts = std::vector<InstructionCosts>;
ProgramCosts program_costs(const g80::Program& program, const Configuration& configuration);

struct SmCounters {
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
  uint64_t divergent_branches = 0;
  uint64_t max_stack_depth = 0;
};

class SmTimeline {
 public:
  enum class Result : uint8_t { kGoesOn, kBatchEnded, kFault, kDeadlock };

  SmTimeline(const Configuration& configuration, unsigned number);

  // Before the first batch of a kernel.  The costs must outlive it.
  void prepare(const KernelRun& run, const ProgramCosts& costs, const SmBus& bus);
  // A batch of blocks that has been configured in the given cycle.
  void load(const std::vector<simt::BlockIndex>& blocks, uint64_t configured);
  // Executes one warp instruction, or ends the batch.
  Result step();

  // The cycle that the SM has reached: what step() does happens there or later.
  uint64_t cycle() const { return cycle_; }
  // Cycles in which batches executed: from configuration to end.
  uint64_t executing() const { return executed_ + (cycle_ - configured_); }
  unsigned slot() const { return slot_; }  // of the last instruction
  Sm& function() { return sm_; }
  const SmCounters& counters() const { return counters_; }
  const StageStalls& stage_stalls() const { return pipeline_.stalls(); }
  // What it waited for until this cycle, between batches.
  void pass(uint64_t until, CycleClass which) { pipeline_.pass(until, which); }
  // Until now, by instruction; takes what has been counted along.
  ProgramProfile take_profile();
  uint64_t schedule_stalls() const { return scheduler_.stalls(); }

 private:
  bool fetch(const g80::Op& op, Execution& execution);
  void before(const g80::Op& op, const InstructionCosts& costs, Execution& execution);
  void after(const g80::Step& step, const InstructionCosts& costs, Execution& execution);
  void take_bus_time(Execution& execution);
  void count(const g80::Step& step);
  void observe(const g80::Step& step);
  void conclude(const g80::Step& step, const StopOutcome& outcome);

  const Configuration& configuration_;
  Sm sm_;
  MemoizedPipeline pipeline_;
  WarpScheduler scheduler_;
  const g80::Program* program_ = nullptr;
  g80::Machine* machine_ = nullptr;
  const ProgramCosts* costs_ = nullptr;
  AccessClock* bus_ = nullptr;
  InstructionFetch* instructions_ = nullptr;
  ConstantReads* constants_ = nullptr;
  std::array<uint32_t, simt::kWarpSize> lane_cycles_{};
  const SharedBanks banks_;
  SharedBanks::Rows row_steps_{};
  SmCounters counters_;
  uint64_t cycle_ = 0;
  uint64_t configured_ = 0;   // when this batch was
  uint64_t executed_ = 0;     // cycles of the batches before
  uint64_t warp_cycles_ = 0;  // summed over warps: from the batch's configuration to their end
  unsigned slot_ = 0;
  bool observed_ = false;  // somebody wants to see instructions, memory accesses or stages
};

}  // namespace gvp::gpgpu::flexgrip::timing
