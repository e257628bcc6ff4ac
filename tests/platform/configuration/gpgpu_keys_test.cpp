// SPDX-License-Identifier: Apache-2.0
// The key table and the FlexGrip model must allow the same.
#include <gtest/gtest.h>

#include "models/gpgpu/flexgrip/configuration.h"
#include "platform/configuration/keys.h"

namespace gvp::platform {
namespace {

bool model_accepts(const Configuration& configuration) {
  try {
    gpgpu::flexgrip::validate(configuration.gpgpu);
  } catch (const Error&) {
    return false;
  }
  return true;
}

TEST(GpgpuKeys, RangesAreThoseOfTheModel) {
  for (const Key& key : keys()) {
    Configuration configuration;
    const Field field = key.field(configuration);
    if (key.section() != "gpgpu" || !std::holds_alternative<uint32_t*>(field)) continue;
    if (!key.allowed.choices.empty()) continue;
    uint32_t& value = *std::get<uint32_t*>(field);
    const auto low = static_cast<uint32_t>(key.allowed.minimum);
    const auto high = static_cast<uint32_t>(key.allowed.maximum);
    const uint32_t step = key.allowed.multiple_of;
    for (const uint32_t good : {low, high}) {
      value = good;
      EXPECT_TRUE(model_accepts(configuration)) << key.name << " = " << good;
    }
    for (const uint32_t bad : {low - step, high + step}) {
      value = bad;
      EXPECT_FALSE(model_accepts(configuration)) << key.name << " = " << bad;
    }
  }
}

TEST(GpgpuKeys, ChoicesAreThoseOfTheModel) {
  for (const Key& key : keys()) {
    if (key.section() != "gpgpu" || key.name == "gpgpu.model") continue;
    for (const std::string& choice : key.allowed.choices) {
      Configuration configuration;
      assign(configuration, key.name + "=" + choice);
      EXPECT_TRUE(model_accepts(configuration)) << key.name << " = " << choice;
    }
  }
}

}  // namespace
}  // namespace gvp::platform
