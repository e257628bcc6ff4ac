// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"

namespace gvp::platform {

std::string write_toml(const Configuration& configuration) {
  std::string text = "# A gpgpu-vp platform, complete: every key with its value.\n";
  std::string section;
  for (const Key& key : keys()) {
    if (key.section() != section) {
      section = key.section();
      text += fmt::format("\n[{}]\n", section);
    }
    text += fmt::format("# {}{} ({})\n{} = {}\n", key.meaning,
                        key.unit.empty() ? "" : ", in " + key.unit, allowed_text(key), key.leaf(),
                        value_text(configuration, key));
  }
  return text;
}

}  // namespace gvp::platform
