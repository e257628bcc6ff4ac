// SPDX-License-Identifier: Apache-2.0
// What stands between a GPGPU's SMs and its bus port.  Plain data: no SystemC.
#pragma once

#include <string>

#include "models/cache/settings.h"

namespace gvp::gpgpu::hierarchy {

// GPGPU-Sim's GTX 480, of one memory partition: -gpgpu_cache:dl2 64:128:8,L, A:32:4.  What a hit
// takes is assumed: a block RAM behind a queue.
inline cache::Settings default_l2() {
  cache::Settings l2;
  l2.sets = 64;
  l2.ways = 8;
  l2.hit_cycles = 2;
  l2.miss_requests = 4;
  return l2;
}

struct Settings {
  cache::Settings l1;  // of each SM
  cache::Settings l2 = default_l2();
  bool perfect_memory = false;  // the last level answers in the next cycle

  bool any() const { return l1.enabled || l2.enabled || perfect_memory; }
};

// Throws Error (bad input) naming the key; instance: "gpgpu".
void validate(const Settings& settings, const std::string& instance);

}  // namespace gvp::gpgpu::hierarchy
