// SPDX-License-Identifier: Apache-2.0
// One kernel in time, from start to done: its blocks are dealt to SMs, configured and executed in
// batches.  SMs advance in the order of their time, unless their owner calls them itself, and share
// the block scheduler, which configures one SM at a time.  No SystemC.  Units: clock cycles since
// the start of the kernel.
//
// Each SM has a port of its own to global memory in block RAM (thesis table 8: two SMs are 1.98
// times as fast as one on a kernel that is bound by memory).
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/timing/sm_timeline.h"
#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu::flexgrip::timing {

// Sums over all SMs.
struct KernelCounters : SmCounters {
  uint64_t batches = 0;
  uint64_t blocks_done = 0;
  uint64_t configuration_cycles = 0;
  uint64_t executing_cycles = 0;
  uint64_t schedule_stalls = 0;
  StageStalls stage_stalls;
};

class KernelTimeline {
 public:
  // What is referred to must outlive this.  buses: of each SM; empty where global memory is block
  // RAM.
  KernelTimeline(const Configuration& configuration, const KernelRun& run,
                 const std::vector<SmBus>& buses = {});
  KernelTimeline(const KernelTimeline&) = delete;
  KernelTimeline& operator=(const KernelTimeline&) = delete;

  bool done() const { return running_.empty() || failure_ != SmTimeline::Result::kGoesOn; }
  // The cycle that has been reached; all that follows happens later.
  uint64_t cycle() const { return done() ? end_ : running_[next_]->cycle(); }
  // Executes one warp instruction, or ends one batch.
  void step();

  // Instead of step(), for SMs that wait for a bus they share, so that none knows beforehand when
  // it goes on: each of these is stepped by a process of its own,
  const std::vector<SmTimeline*>& running() const { return running_; }
  // which calls one of these when simulated time has come to the cycle in which a batch has ended
  // (false: there are no more blocks) or the SM has failed.  The first failure ends the kernel.
  bool end_batch(SmTimeline& sm);
  void fail(SmTimeline& sm, SmTimeline::Result how);

  // When done: how the kernel ended (kGoesOn: well), in which cycle, and where it failed.
  SmTimeline::Result failure() const { return failure_; }
  uint64_t end() const { return end_; }
  SmTimeline& failed_sm() { return *failed_; }

  KernelCounters counters() const;
  // When done: what each SM did.
  std::vector<ProgramProfile> take_profiles();

 private:
  bool configure(SmTimeline& sm, uint64_t earliest);
  void choose_next();
  void account_for_end();

  const Configuration& configuration_;
  const KernelRun run_;
  const ProgramCosts costs_;
  simt::BlockScheduler blocks_;
  std::vector<SmTimeline> sms_;
  std::vector<SmTimeline*> running_;
  size_t next_ = 0;              // which of running_ is the earliest
  uint64_t scheduler_free_ = 0;  // when the block scheduler can configure the next SM
  uint64_t end_ = 0;
  SmTimeline::Result failure_ = SmTimeline::Result::kGoesOn;
  SmTimeline* failed_ = nullptr;
  KernelCounters counters_;  // those that are not kept by the SMs
};

}  // namespace gvp::gpgpu::flexgrip::timing
