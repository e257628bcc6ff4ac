// SPDX-License-Identifier: Apache-2.0
// Deals the blocks of a grid to streaming multiprocessors, round robin (FlexGrip thesis 4.1.2):
// block i belongs to SM i mod n.  An SM takes its blocks in batches and asks for the next batch
// when all blocks of the last one are done, as the published RTL does.  Which block runs where
// does not depend on time, so every timing model sees the same schedule.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gvp::gpgpu::simt {

struct BlockIndex {
  uint32_t x = 0, y = 0, z = 0;
};

class BlockScheduler {
 public:
  // A grid of so many blocks in x, y and z, whose number must fit 64 bits.
  BlockScheduler(const std::array<uint32_t, 3>& grid, unsigned sms)
      : grid_(grid), total_(uint64_t{grid[0]} * grid[1] * grid[2]), next_(sms) {
    for (unsigned sm = 0; sm < sms; ++sm) next_[sm] = sm;
  }

  uint64_t total() const { return total_; }

  // The next blocks of an SM, at most so many; empty: none are left for it.
  std::vector<BlockIndex> next_batch(unsigned sm, unsigned most) {
    std::vector<BlockIndex> batch;
    for (; batch.size() < most && next_[sm] < total_; next_[sm] += next_.size())
      batch.push_back(at(next_[sm]));
    return batch;
  }

 private:
  BlockIndex at(uint64_t block) const {
    const uint64_t row = block / grid_[0];
    return {static_cast<uint32_t>(block % grid_[0]), static_cast<uint32_t>(row % grid_[1]),
            static_cast<uint32_t>(row / grid_[1])};
  }

  std::array<uint32_t, 3> grid_;
  uint64_t total_;
  std::vector<uint64_t> next_;  // per SM
};

}  // namespace gvp::gpgpu::simt
