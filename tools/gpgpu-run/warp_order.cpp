// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/warp_order.h"

#include <algorithm>

#include "models/gpgpu/simt/lanes.h"

namespace gvp::tools {
namespace {

void take_later(WarpClocks& clocks, const WarpClocks& others) {
  std::transform(clocks.begin(), clocks.end(), others.begin(), clocks.begin(),
                 [](uint32_t one, uint32_t other) { return std::max(one, other); });
}

}  // namespace

void WarpOrder::reset() {
  known_.clear();
  told_.clear();
}

void WarpOrder::operate(unsigned warp, const std::vector<Word>& words, bool learns, bool tells) {
  known_.resize(std::tuple_size_v<WarpClocks>);
  WarpClocks& own = known_[warp];
  if (learns) {
    for (const Word& word : words) {
      const auto told = told_.find(word);
      if (told != told_.end()) take_later(own, told->second);
    }
  }
  if (!tells) return;
  ++own[warp];
  for (const Word& word : words) take_later(told_[word], own);
}

uint32_t WarpOrder::unordered(unsigned warp, uint32_t warps, const WarpClocks* times) const {
  if (known_.empty()) return warps;
  uint32_t result = 0;
  for (uint32_t rest = warps; rest != 0; rest &= rest - 1) {
    const unsigned other = gpgpu::simt::first_lane(rest);
    const uint32_t then = times != nullptr ? (*times)[other] : 0;
    if (known_[warp][other] <= then) result |= 1U << other;
  }
  return result;
}

}  // namespace gvp::tools
