// SPDX-License-Identifier: Apache-2.0
#include "platform/instruction_profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "models/base/error.h"

namespace gvp::platform {
namespace {

using gpgpu::CycleClass;
using gpgpu::CycleClasses;
using gpgpu::kCycleClassNames;

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// The classes that most cycles are in, at most two: "read 60%, global 40%".
std::string main_classes(const CycleClasses& cycles) {
  std::vector<std::pair<uint64_t, std::string_view>> parts;
  for (size_t i = 0; i < kCycleClassNames.size(); ++i)
    if (const uint64_t n = cycles[static_cast<CycleClass>(i)]; n != 0)
      parts.emplace_back(n, kCycleClassNames[i]);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(parts.size(), 2); ++i)
    text += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", parts[i].second,
                        percent(parts[i].first, cycles.sum()));
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

}  // namespace

std::string instruction_listing(const gpgpu::InstructionProfile& profile) {
  std::string text =
      fmt::format("{}: {} launch{}, {} cycles of its SMs\n", profile.kernel, profile.launches,
                  profile.launches == 1 ? "" : "es", profile.cycles);
  text += fmt::format("{:>6} {:>10} {:>6} {:>12} {:>6}  {:<32} {}\n", "pc", "issued", "lanes",
                      "cycles", "%", "in", "instruction");
  for (const gpgpu::InstructionRow& row : profile.rows) {
    if (row.issued == 0 && row.cycles.sum() == 0 && row.text.front() == '(') continue;
    const double lanes =
        row.issued == 0 ? 0 : static_cast<double>(row.executed) / static_cast<double>(row.issued);
    text += fmt::format("{:#06x} {:>10} {:>6.1f} {:>12} {:>6.2f}  {:<32} {}\n", row.pc, row.issued,
                        lanes, row.cycles.sum(), percent(row.cycles.sum(), profile.cycles),
                        main_classes(row.cycles), row.text);
  }
  text += fmt::format("{:>6} {:>10} {:>6} {:>12} {:>6.2f}  {:<32} {}\n", "", "", "",
                      profile.elsewhere.sum(), percent(profile.elsewhere.sum(), profile.cycles),
                      main_classes(profile.elsewhere), "(no instruction's)");
  return text;
}

std::string instruction_csv(const std::string& device, const gpgpu::InstructionProfile& profile) {
  const auto line = [&](const std::string& pc, uint64_t issued, uint64_t active, uint64_t executed,
                        const CycleClasses& cycles, const std::string& text) {
    std::string row = fmt::format("{},{},{},{},{},{},{}", device, quoted(profile.kernel),
                                  profile.launches, pc, issued, active, executed);
    for (size_t i = 0; i < kCycleClassNames.size(); ++i)
      row += fmt::format(",{}", cycles[static_cast<CycleClass>(i)]);
    return row + ',' + quoted(text) + '\n';
  };
  std::string text;
  for (const gpgpu::InstructionRow& row : profile.rows)
    if (row.issued != 0 || row.cycles.sum() != 0 || row.text.front() != '(')
      text += line(fmt::format("{:#06x}", row.pc), row.issued, row.active, row.executed, row.cycles,
                   row.text);
  return text + line("", 0, 0, 0, profile.elsewhere, "");
}

void start_instruction_profiles(const std::vector<gpgpu::Device*>& gpgpus) {
  bool any = false;
  for (gpgpu::Device* gpgpu : gpgpus) any = gpgpu->profile_instructions() || any;
  if (!any)
    throw bad_input("no device of this board can profile instructions", {"--kernel-profile"},
                    "a FlexGrip can; see --list-devices");
}

void write_instruction_profiles(const std::vector<gpgpu::Device*>& gpgpus,
                                const std::string& path) {
  constexpr std::string_view kCsv = ".csv";
  const bool csv =
      path.size() > kCsv.size() && path.compare(path.size() - kCsv.size(), kCsv.size(), kCsv) == 0;
  std::string text;
  if (csv) {
    text = "device,kernel,launches,pc,issued,active_lanes,executed_lanes";
    for (const std::string_view name : kCycleClassNames) text += fmt::format(",{}", name);
    text += ",instruction\n";
  }
  for (const gpgpu::Device* gpgpu : gpgpus)
    for (const gpgpu::InstructionProfile& profile : gpgpu->instruction_profiles())
      text += csv ? instruction_csv(gpgpu->basename(), profile)
                  : (text.empty() ? "" : "\n") + instruction_listing(profile);
  if (path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream)
    throw bad_input("cannot write the kernels' profile", {path},
                    "check the path and the free space");
}

}  // namespace gvp::platform
