// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/warp_scheduler.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {

void WarpScheduler::start(unsigned warps, uint64_t configured) {
  warps_.assign(warps, {});
  current_ = 0;
  poll_ = configured + timing_.first_issue - 1;
  last_written_ = 0;
}

void WarpScheduler::look_at_next() {
  poll_ += timing_.poll;
  const bool finished = warps_[current_].finished;
  waits_.push_back({poll_, finished ? Reason::kFinished : Reason::kBarrier, current_});
  current_ = current_ + 1 == warps_.size() ? 0 : current_ + 1;
}

inline void WarpScheduler::wait_until_visible(const Warp& warp) {
  if (warp.visible <= poll_) return;
  poll_ += (warp.visible - poll_ + timing_.poll - 1) / timing_.poll * timing_.poll;
  waits_.push_back({warp.visible, Reason::kPipeline, current_});
  waits_.push_back({poll_, Reason::kStep, current_});
}

// From a warp whose data have not come to the next one that does not wait for data, or if there is
// none, to the one whose data come first.
void WarpScheduler::pass_loading() {
  const auto is_loading = [&](const Warp& warp) { return warp.loads && warp.ready > poll_; };
  if (!is_loading(warps_[current_])) return;
  unsigned first = current_;
  for (size_t n = 0; n < warps_.size(); ++n) {
    const unsigned at = static_cast<unsigned>((current_ + n) % warps_.size());
    const Warp& warp = warps_[at];
    if (warp.finished || warp.ready == kNever) continue;  // nothing to wait for
    if (!is_loading(warp)) {
      current_ = at;
      return;
    }
    if (warp.ready < warps_[first].ready) first = at;
  }
  current_ = first;
  poll_ = warps_[first].ready;
  waits_.push_back({poll_, Reason::kMemory, first});
}

unsigned WarpScheduler::next(uint64_t last_fetch) {
  const uint64_t earliest = std::max(poll_, last_fetch);
  waits_.clear();
  while (true) {
    pass_loading();
    const Warp& warp = warps_[current_];
    wait_until_visible(warp);
    // Only when the fetch stage is free does the scheduler issue the warp or pass it; a warp that
    // is released meanwhile is issued.
    poll_ = std::max(poll_, last_fetch);
    if (warp.ready <= poll_) break;
    look_at_next();
  }
  stalls_ += poll_ - earliest;
  issue_ = poll_ + 1;
  return current_;
}

void WarpScheduler::release(unsigned warp, uint64_t written) {
  warps_[warp].ready =
      written + timing_.barrier_release + uint64_t{warp} * timing_.barrier_release_warp;
}

uint64_t WarpScheduler::end(uint64_t last_fetch) {
  waits_.clear();
  while (poll_ < last_written_ + timing_.finish_visible) {
    const Warp& warp = warps_[current_];
    if (warp.visible > poll_) {
      poll_ += timing_.poll;
      continue;
    }
    poll_ = std::max(poll_, last_fetch);
    look_at_next();
  }
  return poll_ + timing_.batch_end;
}

}  // namespace gvp::gpgpu::flexgrip::timing
