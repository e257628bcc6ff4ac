// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor without time: the warps, registers, shared and local memory of
// the batch of blocks that it runs, their start state (docs/flexgrip.md), barriers and the end
// of warps.  Timing models decide which warp runs when.
//
// Warp slots count from 0; the warps of block slot b are b * warps_per_block onwards.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/warp_trace.h"
#include "models/gpgpu/g80/semantics.h"
#include "models/gpgpu/simt/barriers.h"
#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu::flexgrip {

enum class WarpState : uint8_t { kReady, kWaiting, kFinished };

// What the stop of a warp meant for the warps of its block.
struct StopOutcome {
  WarpState state = WarpState::kReady;  // of the warp that stopped
  simt::Barriers::Warps released = 0;   // warps of its block that may go on again, bit 0 = first
};

class Sm {
 public:
  Sm(const Configuration& configuration, unsigned number);

  // Before the first batch of a kernel.
  void prepare(const Kernel& kernel, const g80::Program& program, unsigned blocks_at_a_time);
  // Starts a batch of at most so many blocks.
  void load(const std::vector<simt::BlockIndex>& blocks);

  unsigned number() const { return number_; }
  unsigned blocks() const { return static_cast<unsigned>(blocks_.size()); }  // of the batch
  unsigned warps() const { return blocks() * warps_per_block_; }
  unsigned warps_per_block() const { return warps_per_block_; }
  g80::Warp& warp(unsigned slot) { return warps_[slot]; }
  WarpState state(unsigned slot) const { return states_[slot]; }
  simt::BlockIndex block_of(unsigned slot) const { return blocks_[slot / warps_per_block_]; }
  unsigned unfinished() const { return unfinished_; }  // warps of the batch
  unsigned ready() const { return ready_; }

  // Executes one instruction of a ready warp, then settles what it means for others.
  g80::Step step(g80::Machine& machine, unsigned slot, StopOutcome& outcome);
  // Executes a ready warp until it stops or so many instructions are done, without settling.
  g80::Stop run(g80::Machine& machine, unsigned slot, uint64_t max_instructions,
                g80::RunCounters& counters);
  // What the stop of a warp means for others, after run().
  StopOutcome settle(unsigned slot, g80::Stop stop);

 private:
  void release(unsigned block_slot, simt::Barriers::Warps warps);
  // Somebody watches: execute instruction by instruction.
  bool observed() const { return !observers_.empty(); }
  g80::Step observed_step(g80::Machine& machine, unsigned slot);

  const Configuration& configuration_;
  unsigned number_;
  const Kernel* kernel_ = nullptr;
  const g80::Program* program_ = nullptr;
  unsigned warps_per_block_ = 1;
  unsigned unfinished_ = 0;
  unsigned ready_ = 0;
  std::vector<simt::BlockIndex> blocks_;
  std::vector<simt::Barriers> barriers_;  // by block slot
  std::vector<g80::Warp> warps_;
  std::vector<WarpState> states_;
  std::vector<simt::Lanes> rows_;
  std::vector<uint8_t> shared_;
  std::vector<uint8_t> local_;
  WarpTrace trace_;
  std::vector<ExecutionObserver*> observers_;
};

}  // namespace gvp::gpgpu::flexgrip
