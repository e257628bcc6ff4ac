// SPDX-License-Identifier: Apache-2.0
// Call-frame information of the prebuilt firmware, read by us and by GNU binutils' readelf.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <sstream>

#include "models/host/call_frames.h"
#include "platform/elf/elf_file.h"

namespace gvp::host::test {
namespace {

// readelf's rows: "LOC CFA ra r19 ..." with "u" for what is where it was, "c-8" for what is in the
// frame.
struct Row {
  uint32_t first = 0;
  uint32_t last = 0;                         // behind it
  std::map<std::string, std::string> rules;  // by column
};

std::vector<Row> rows_of_readelf(const std::string& elf) {
  std::FILE* const pipe = popen(("readelf --debug-dump=frames-interp " + elf).c_str(), "r");
  std::string text;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) != 0;) text.append(part, n);
  EXPECT_EQ(pclose(pipe), 0) << "readelf belongs to the compiler's package binutils";
  std::vector<Row> rows;
  std::vector<std::string> columns;
  uint32_t end = 0;
  bool in_function = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    const size_t range = line.find(" pc=");
    if (words.empty()) {
      in_function = false;
    } else if (range != std::string::npos) {
      end = static_cast<uint32_t>(std::stoul(line.substr(range + 14), nullptr, 16));
      // What the linker has left out keeps its entry, at address 0.
      in_function = line.compare(range + 4, 8, "00000000") != 0;
    } else if (words[0] == "LOC") {
      columns = words;
    } else if (in_function && words.size() == columns.size()) {
      Row row;
      row.first = static_cast<uint32_t>(std::stoul(words[0], nullptr, 16));
      row.last = end;
      if (!rows.empty() && rows.back().last == end) rows.back().last = row.first;
      for (size_t i = 1; i < words.size(); ++i) row.rules[columns[i]] = words[i];
      rows.push_back(row);
    }
  }
  return rows;
}

std::map<std::string, std::string> in_readelfs_words(const FrameRule& rule, const Row& like) {
  std::map<std::string, std::string> result;
  for (const auto& [column, value] : like.rules) result[column] = "u";
  result["CFA"] = fmt::format("r{}{:+}", rule.base, rule.offset);
  for (const Recovery& recovery : rule.registers)
    result[recovery.number == kLink ? "ra" : fmt::format("r{}", recovery.number)] =
        recovery.kind == Recovery::Kind::kInFrame ? fmt::format("c{:+}", recovery.offset) : "?";
  return result;
}

TEST(CallFramesTest, OfTheFirmwareAreWhatReadelfSays) {
  for (const char* name : {"hello", "bench", "selftest", "thesis"}) {
    const std::string path = std::string(GVP_SOURCE_DIR) + "/firmware/prebuilt/" + name + ".elf";
    std::vector<CallFrameSection> sections;
    for (const platform::CallFrameSection& section : platform::read_elf(path).call_frames)
      sections.push_back({section.bytes, section.address, section.is_exception});
    const CallFrames frames(sections, false);
    const std::vector<Row> rows = rows_of_readelf(path);
    EXPECT_GT(rows.size(), 100u) << name;
    for (const Row& row : rows) {
      for (const uint32_t pc : {row.first, row.last - 4}) {
        const FrameRule rule = frames.find(pc);
        ASSERT_TRUE(rule.known) << name << fmt::format(" {:#x}", pc);
        ASSERT_EQ(in_readelfs_words(rule, row), row.rules) << name << fmt::format(" {:#x}", pc);
      }
    }
  }
}

}  // namespace
}  // namespace gvp::host::test
