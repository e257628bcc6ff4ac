// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/device/value_text.h"
#include "platform/board/plugins.h"
#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"

namespace gvp::platform {

std::string write_toml(const Configuration& configuration) {
  std::string text = "# A gpgpu-vp platform, complete: every key with its value.\n";
  if (!loaded_plugins().empty()) {
    std::string files;
    for (const std::string& file : loaded_plugins())
      files += (files.empty() ? "" : ", ") + device::toml_text(file);
    text += fmt::format("plugins = [{}]\n", files);
  }
  text += fmt::format("board = {}\n", device::toml_text(configuration.board().source));
  if (!configuration.traces.empty()) {
    std::string traces;
    for (const TraceText& each : configuration.traces)
      traces += (traces.empty() ? "" : ", ") + device::toml_text(each.text);
    text += fmt::format("trace = [{}]\n", traces);
  }
  std::string section;
  for (const Key& key : configuration.keys()) {
    if (key.section() != section) {
      section = key.section();
      text += fmt::format("\n[{}]\n", section);
    }
    text += fmt::format(
        "# {}{} ({})\n{} = {}\n", key.meaning, key.unit.empty() ? "" : ", in " + key.unit,
        allowed_text(configuration, key), key.leaf(), value_text(configuration, key));
  }
  return text;
}

}  // namespace gvp::platform
