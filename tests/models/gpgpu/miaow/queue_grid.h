// SPDX-License-Identifier: Apache-2.0
// Compute units and their queue of grids, with code in assembly, for tests without a bus.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "models/gpgpu/miaow/grid_queue.h"
#include "tests/models/gpgpu/miaow/one_wavefront.h"

namespace gvp::gpgpu::miaow {

class Grid {
 public:
  Grid(Model model, uint32_t units, const Configuration& configuration = {})
      : memories_(std::make_shared<Memories>(configuration)),
        queue(units_, 8, configuration.wavefronts) {
    for (uint32_t i = 0; i < units; ++i)
      units_.push_back(std::make_unique<ComputeUnit>(configuration,
                                                     schedule_of(model, configuration), memories_));
    memories_->set_prefetch(0x100, 0x1000);  // an argument
  }
  void load(const std::string& source) {
    const auto words = southern_islands::assemble(source, "test").words;
    for (uint32_t i = 0; i < words.size(); ++i) memories_->set_instruction(i, words[i]);
  }
  uint64_t run(const GridLaunch& launch, uint64_t from = 0) {
    EXPECT_EQ(queue.start(launch, from), FaultCause::kNone);
    queue.run_until(from + 1'000'000);
    EXPECT_EQ(queue.state(), GridQueue::State::kDone);
    return queue.cycles(from + 1'000'000);
  }
  uint32_t word(uint32_t address) const { return memories_->prefetch(address); }
  void set_word(uint32_t address, uint32_t word) { memories_->set_prefetch(address, word); }
  ComputeUnit& unit(std::size_t i) { return *units_[i]; }

 private:
  std::shared_ptr<Memories> memories_;
  GridQueue::Units units_;

 public:
  GridQueue queue;
};

}  // namespace gvp::gpgpu::miaow
