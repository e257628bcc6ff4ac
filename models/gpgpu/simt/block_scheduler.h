// SPDX-License-Identifier: Apache-2.0
// Deals the blocks of a grid to streaming multiprocessors, round robin (FlexGrip thesis 4.1.2):
// block i belongs to SM i mod n.  An SM takes its blocks in batches and asks for the next batch
// when all blocks of the last one are done, as the published RTL does.  Which block runs where
// does not depend on time, so every timing model sees the same schedule.
#pragma once

#include <cstdint>
#include <vector>

namespace gvp::gpgpu::simt {

struct BlockIndex {
  uint32_t x;
  uint32_t y;
};

class BlockScheduler {
 public:
  BlockScheduler(uint32_t grid_x, uint32_t grid_y, unsigned sms)
      : grid_x_(grid_x), total_(uint64_t{grid_x} * grid_y), next_(sms) {
    for (unsigned sm = 0; sm < sms; ++sm) next_[sm] = sm;
  }

  uint64_t total() const { return total_; }

  // The next blocks of an SM, at most so many; empty: none are left for it.
  std::vector<BlockIndex> next_batch(unsigned sm, unsigned most) {
    std::vector<BlockIndex> batch;
    for (; batch.size() < most && next_[sm] < total_; next_[sm] += next_.size())
      batch.push_back(
          {static_cast<uint32_t>(next_[sm] % grid_x_), static_cast<uint32_t>(next_[sm] / grid_x_)});
    return batch;
  }

 private:
  uint64_t grid_x_;
  uint64_t total_;
  std::vector<uint64_t> next_;  // per SM
};

}  // namespace gvp::gpgpu::simt
