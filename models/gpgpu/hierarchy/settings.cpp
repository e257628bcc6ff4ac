// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/settings.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::gpgpu::hierarchy {
namespace {

constexpr double kLowestHz = 1e6;

void require_clock(double hz, const std::string& key) {
  if (hz == 0 || hz >= kLowestHz) return;
  throw bad_input(
      fmt::format("{} = {} is not possible", key, hz), {},
      fmt::format("{} takes {:.0f} or more, or 0 for the GPGPU's clock", key, kLowestHz));
}

}  // namespace

void validate(const Settings& settings, const std::string& instance) {
  cache::validate(settings.l1, instance + ".l1");
  cache::validate(settings.l2, instance + ".l2");
  cache::validate(settings.instruction_cache, instance + ".instruction_cache");
  cache::validate(settings.constant_cache, instance + ".constant_cache");
  cache::validate(settings.texture_cache, instance + ".texture_cache");
  require_clock(settings.l2_clock_hz, instance + ".l2.clock_hz");
  require_clock(settings.network.clock_hz, instance + ".network.clock_hz");
}

}  // namespace gvp::gpgpu::hierarchy
