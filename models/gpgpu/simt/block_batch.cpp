// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/block_batch.h"

#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::simt {

void BlockBatch::prepare(unsigned blocks_at_a_time, unsigned warps_per_block) {
  warps_per_block_ = warps_per_block;
  unfinished_ = 0;
  ready_ = 0;
  blocks_.clear();
  barriers_.assign(blocks_at_a_time, {});
  warps_left_.assign(blocks_at_a_time, 0);
  states_.assign(size_t{blocks_at_a_time} * warps_per_block, WarpState::kFinished);
}

void BlockBatch::start(const std::vector<BlockIndex>& blocks) {
  blocks_ = blocks;
  for (unsigned slot = 0; slot < blocks.size(); ++slot) {
    barriers_[slot].start(warps_per_block_);
    warps_left_[slot] = warps_per_block_;
  }
  for (unsigned warp = 0; warp < warps(); ++warp) states_[warp] = WarpState::kReady;
  unfinished_ = warps();
  ready_ = unfinished_;
}

StopOutcome BlockBatch::exit(unsigned warp) {
  const unsigned slot = block_slot(warp);
  StopOutcome outcome;
  outcome.state = WarpState::kFinished;
  outcome.released = barriers_[slot].exit(warp_of_block(warp));
  outcome.block_ended = --warps_left_[slot] == 0;
  --unfinished_;
  --ready_;
  states_[warp] = outcome.state;
  release(slot, outcome.released);
  return outcome;
}

StopOutcome BlockBatch::reach(unsigned warp, unsigned barrier, bool arrive, bool wait,
                              unsigned expected) {
  const unsigned slot = block_slot(warp);
  const Barriers::Outcome reached =
      barriers_[slot].reach(barrier, warp_of_block(warp), arrive, wait, expected);
  StopOutcome outcome;
  outcome.released = reached.released;
  if (reached.wait) {
    outcome.state = WarpState::kWaiting;
    --ready_;
  }
  states_[warp] = outcome.state;
  release(slot, outcome.released);
  return outcome;
}

void BlockBatch::release(unsigned block_slot, Barriers::Warps warps) {
  for (; warps != 0; warps &= warps - 1) {
    states_[block_slot * warps_per_block_ + first_lane(warps)] = WarpState::kReady;
    ++ready_;
  }
}

}  // namespace gvp::gpgpu::simt
