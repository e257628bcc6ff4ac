// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/written_test.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/cubin.h"
#include "tools/console.h"
#include "tools/gvp-cosim/scenario_file.h"

namespace gvp::cosim {
namespace {

// gpgpu-run loads from here on: zeros before it need no file.
size_t first_word(const std::vector<uint32_t>& data) {
  return static_cast<size_t>(
      std::find_if(data.begin(), data.end(), [](uint32_t word) { return word != 0; }) -
      data.begin());
}

}  // namespace

std::vector<std::string> write_test(const Scenario& scenario, const std::string& path,
                                    const std::string& comparison,
                                    const std::vector<std::string>& options,
                                    const std::string& remark) {
  std::vector<std::string> words = {"gpgpu-run", "--compare", comparison};
  words.insert(words.end(), options.begin(), options.end());
  const auto option = [&](const std::string& option_name, const std::string& value) {
    words.push_back("--" + option_name);
    words.push_back(value);
  };
  option("cubin", path + ".asm");
  option("grid", fmt::format("{}", fmt::join(scenario.grid, ",")));
  option("block", fmt::format("{}", fmt::join(scenario.block, ",")));
  if (scenario.blocks_per_sm != 0)
    option("blocks-per-sm", fmt::format("{}", scenario.blocks_per_sm));
  for (const uint32_t word : scenario.parameters) option("param", fmt::format("{:#x}", word));
  if (!scenario.constants.empty())
    option("const", fmt::format("1:0={:#x}", fmt::join(scenario.constants, ",")));
  words.emplace_back("--any-register");
  const size_t first = first_word(scenario.data);
  if (first != scenario.data.size()) {
    const std::vector<uint32_t> data(scenario.data.begin() + static_cast<std::ptrdiff_t>(first),
                                     scenario.data.end());
    tools::write_output(path + ".hex", gpgpu::g80::to_hex(data));
    option("load", fmt::format("{:#x}={}.hex", first * sizeof(uint32_t), path));
  }
  std::string source = fmt::format("// {}\n// {}\n", remark, command_line(words));
  if (!scenario.accesses.empty() || scenario.launches != 1) {
    tools::write_output(path + ".txt", "# " + remark + '\n' + text_of(scenario));
    source += fmt::format("// It takes the accesses and launches of {}.txt, too.\n", path);
  }
  tools::write_output(path + ".asm", source + source_of(scenario));
  return words;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("-_=,.:/+@%").find(c) != std::string_view::npos;
    });
    std::string quoted;
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += (text.empty() ? "" : " ") + (plain ? word : '\'' + quoted + '\'');
  }
  return text;
}

}  // namespace gvp::cosim
