// SPDX-License-Identifier: Apache-2.0
#include "platform/instruction_profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

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

double lanes_of(uint64_t executed, uint64_t issued) {
  return issued == 0 ? 0 : static_cast<double>(executed) / static_cast<double>(issued);
}

// The instructions of each source line together, by file and line; nothing where no line is known.
std::string lines_listing(const gpgpu::InstructionProfile& profile) {
  std::map<std::pair<std::string, unsigned long>, gpgpu::InstructionRow> lines;
  for (const gpgpu::InstructionRow& row : profile.rows) {
    const size_t colon = row.source.rfind(':');
    if (colon == std::string::npos) continue;
    gpgpu::InstructionRow& line =
        lines[{row.source.substr(0, colon), std::stoul(row.source.substr(colon + 1))}];
    line.source = row.source;
    line.issued += row.issued;
    line.executed += row.executed;
    line.cycles.add(row.cycles);
  }
  if (lines.empty()) return "";
  std::string text = fmt::format("{:>17} {:>6} {:>12} {:>6}  {:<32} {}\n", "issued", "lanes",
                                 "cycles", "%", "in", "source line");
  for (const auto& [place, line] : lines)
    text += fmt::format("{:>17} {:>6.1f} {:>12} {:>6.2f}  {:<32} {}\n", line.issued,
                        lanes_of(line.executed, line.issued), line.cycles.sum(),
                        percent(line.cycles.sum(), profile.cycles), main_classes(line.cycles),
                        line.source);
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
  text += lines_listing(profile);
  text += fmt::format("{:>6} {:>10} {:>6} {:>12} {:>6}  {:<32} {}\n", "pc", "issued", "lanes",
                      "cycles", "%", "in", "instruction");
  std::string source;
  for (const gpgpu::InstructionRow& row : profile.rows) {
    if (row.issued == 0 && row.cycles.sum() == 0 && row.text.front() == '(') continue;
    if (row.source != source) text += fmt::format("{:>6} {}\n", "", row.source);
    source = row.source;
    text +=
        fmt::format("{:#06x} {:>10} {:>6.1f} {:>12} {:>6.2f}  {:<32} {}\n", row.pc, row.issued,
                    lanes_of(row.executed, row.issued), row.cycles.sum(),
                    percent(row.cycles.sum(), profile.cycles), main_classes(row.cycles), row.text);
  }
  text += fmt::format("{:>6} {:>10} {:>6} {:>12} {:>6.2f}  {:<32} {}\n", "", "", "",
                      profile.elsewhere.sum(), percent(profile.elsewhere.sum(), profile.cycles),
                      main_classes(profile.elsewhere), "(no instruction's)");
  return text;
}

std::string instruction_csv(const std::string& device, const gpgpu::InstructionProfile& profile) {
  const auto line = [&](const std::string& pc, const gpgpu::InstructionRow& row) {
    std::string cells = fmt::format("{},{},{},{},{},{},{}", device, quoted(profile.kernel),
                                    profile.launches, pc, row.issued, row.active, row.executed);
    for (size_t i = 0; i < kCycleClassNames.size(); ++i)
      cells += fmt::format(",{}", row.cycles[static_cast<CycleClass>(i)]);
    return cells + ',' + quoted(row.source) + ',' + quoted(row.text) + '\n';
  };
  std::string text;
  for (const gpgpu::InstructionRow& row : profile.rows)
    if (row.issued != 0 || row.cycles.sum() != 0 || row.text.front() != '(')
      text += line(fmt::format("{:#06x}", row.pc), row);
  gpgpu::InstructionRow elsewhere;
  elsewhere.cycles = profile.elsewhere;
  return text + line("", elsewhere);
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
    text += ",source,instruction\n";
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
