// SPDX-License-Identifier: Apache-2.0
// Which warp of an SM is issued when.  FlexGrip looks at the warps strictly in turn, one every
// other cycle: a warp whose instruction is still in the pipeline is waited for, one that has
// finished or waits at a barrier is passed over (docs/flexgrip-timing.md).  No SystemC.  Units:
// clock cycles since the start of the kernel.
//
// Not here: what barriers and ends of warps mean for the block (Sm); the scheduler is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/timing/pipeline.h"

namespace gvp::gpgpu::flexgrip::timing {

class WarpScheduler {
 public:
  // What it did between two issues, and until when.
  enum class Reason : uint8_t {
    kPipeline,  // waited for this warp's instruction
    kStep,      // looks at a warp every `poll` cycles only
    kBarrier,   // passed this warp, which waits at a barrier
    kMemory,    // waited for this warp's data: all that go on wait for theirs
    kFinished   // passed this warp, which has ended
  };
  struct Wait {
    uint64_t until;
    Reason reason;
    unsigned warp;
  };

  explicit WarpScheduler(const PipelineTiming& timing) : timing_(timing) {}

  // A batch of so many warps, configured in the given cycle.
  void start(unsigned warps, uint64_t configured);

  // The next warp to issue; issue_cycle() is when.  At least one warp must be able to go on, or
  // this never returns.  last_fetch: when the fetch stage was last left.
  unsigned next(uint64_t last_fetch);
  uint64_t issue_cycle() const { return issue_; }

  // What the instruction of the warp just issued came to; `last` is its last row.
  // data: when it has those that it waits for; it is passed over until then, without taking time.
  void goes_on(const RowTimes& last, uint64_t data = 0);
  void waits(const RowTimes& last) { issued(last, kNever, false); }  // at a barrier
  void finishes(const RowTimes& last) { issued(last, kNever, true); }
  // A waiting warp may go on: what released it was written in this cycle.
  void release(unsigned warp, uint64_t written);

  // All warps have finished: the cycle in which the batch has ended.
  uint64_t end(uint64_t last_fetch);

  // Before the last next(), one after the other.
  const std::vector<Wait>& waits() const { return waits_; }
  // Cycles without an issue in which the fetch stage could have taken one.
  uint64_t stalls() const { return stalls_; }

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};
  struct Warp {
    uint64_t visible = 0;  // until then its last instruction is seen in the pipeline
    uint64_t ready = 0;    // from then on it can be issued
    bool finished = false;
    bool loads = false;  // ready when its data have come
  };

  void pass_loading();
  void issued(const RowTimes& last, uint64_t ready, bool finished);
  void look_at_next();
  void wait_until_visible(const Warp& warp);

  const PipelineTiming timing_;
  std::vector<Warp> warps_;
  std::vector<Wait> waits_;
  unsigned current_ = 0;  // the warp looked at...
  uint64_t poll_ = 0;     // ...in this cycle
  uint64_t issue_ = 0;
  uint64_t last_written_ = 0;
  uint64_t stalls_ = 0;
};

inline void WarpScheduler::issued(const RowTimes& last, uint64_t ready, bool finished) {
  warps_[current_] = {last.write + 1, ready, finished, false};
  last_written_ = std::max(last_written_, last.write);
  poll_ = last.issue + 1;
  current_ = current_ + 1 == warps_.size() ? 0 : current_ + 1;
}

inline void WarpScheduler::goes_on(const RowTimes& last, uint64_t data) {
  Warp& warp = warps_[current_];
  issued(last, std::max(last.write + 1, data), false);
  warp.loads = data > last.write + 1;
}

}  // namespace gvp::gpgpu::flexgrip::timing
