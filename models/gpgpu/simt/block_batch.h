// SPDX-License-Identifier: Apache-2.0
// The batch of blocks that a streaming multiprocessor holds at a time, warp by warp: which of them
// can go on, which wait at a barrier of their block, which have finished, and when a block has.
// Knows neither registers nor time: timing models decide which warp runs when.
//
// Warp slots count from 0; the warps of block slot b are b * warps_per_block onwards.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/simt/barriers.h"
#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu::simt {

enum class WarpState : uint8_t { kReady, kWaiting, kFinished };

// What the stop of a warp meant for the warps of its block.
struct StopOutcome {
  WarpState state = WarpState::kReady;  // of the warp that stopped
  Barriers::Warps released = 0;         // warps of its block that may go on again, bit 0 = first
  bool block_ended = false;             // it was the block's last warp
};

class BlockBatch {
 public:
  // Before the first batch of a kernel, with room for so many blocks at a time.
  void prepare(unsigned blocks_at_a_time, unsigned warps_per_block);
  // Starts a batch of at most so many blocks: all warps are ready.
  void start(const std::vector<BlockIndex>& blocks);

  unsigned blocks() const { return static_cast<unsigned>(blocks_.size()); }  // of the batch
  unsigned warps() const { return blocks() * warps_per_block_; }
  unsigned warps_per_block() const { return warps_per_block_; }
  unsigned block_slot(unsigned warp) const { return warp / warps_per_block_; }
  unsigned warp_of_block(unsigned warp) const { return warp % warps_per_block_; }
  BlockIndex block_of(unsigned warp) const { return blocks_[block_slot(warp)]; }

  WarpState state(unsigned warp) const { return states_[warp]; }
  unsigned unfinished() const { return unfinished_; }  // warps of the batch
  unsigned ready() const { return ready_; }

  // A ready warp has no thread left.
  StopOutcome exit(unsigned warp);
  // A ready warp arrives at and/or waits for a barrier of its block; see Barriers::reach().
  StopOutcome reach(unsigned warp, unsigned barrier, bool arrive, bool wait, unsigned expected);

 private:
  void release(unsigned block_slot, Barriers::Warps warps);

  unsigned warps_per_block_ = 1;
  unsigned unfinished_ = 0;
  unsigned ready_ = 0;
  std::vector<BlockIndex> blocks_;
  std::vector<Barriers> barriers_;    // by block slot
  std::vector<uint32_t> warps_left_;  // by block slot
  std::vector<WarpState> states_;
};

}  // namespace gvp::gpgpu::simt
