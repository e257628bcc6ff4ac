// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>

#include "models/base/error.h"

namespace gvp::cosim {
namespace {

constexpr uint64_t kMostDataBytes = 1 << 24;
constexpr uint32_t kMostLaunches = 1000, kMostAccessBytes = 4096;
constexpr size_t kWordsInALine = 8;
constexpr const char* kTimes[] = {"before", "during", "after"};
constexpr const char* kCommands[] = {"read", "write"};
constexpr const char* kBytes[] = {"bytes"};
constexpr const char* kWindows[] = {"control", "code", "global"};

std::string text_of_access(const Access& access) {
  std::string text =
      fmt::format("access {} {} {} {} {:#x}", kTimes[static_cast<size_t>(access.when)],
                  access.cycles, access.write ? "write" : "read", access.window, access.offset);
  if (access.write)
    text += fmt::format(" {:02x}", fmt::join(access.data, " "));
  else
    text += fmt::format(" bytes {}", access.data.size());
  if (access.strobes.empty()) return text;
  text += " strobes ";
  for (const uint8_t strobe : access.strobes) text += strobe != 0 ? '1' : '0';
  return text;
}

// Lines whose words are all zero are left out: memory is.
std::string text_of_data(const std::vector<uint32_t>& data) {
  std::string text;
  for (size_t first = 0; first < data.size(); first += kWordsInALine) {
    const auto begin = data.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        data.begin() + static_cast<std::ptrdiff_t>(std::min(first + kWordsInALine, data.size()));
    if (std::all_of(begin, end, [](uint32_t word) { return word == 0; })) continue;
    text += fmt::format("data {:#x} {:#x}\n", first * sizeof(uint32_t), fmt::join(begin, end, " "));
  }
  return text;
}

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : stream_(text), where_{file} {}

  Scenario run() {
    bool in_kernel = false;
    for (std::string line; std::getline(stream_, line);) {
      ++where_.line;
      if (in_kernel)
        take_kernel(line);
      else if (!line.empty() && line[0] != '#')
        in_kernel = take(line);
    }
    where_.line = 0;
    if (!in_kernel)
      throw bad_input("there is no kernel", where_, "a line \"kernel\", then assembly");
    return scenario_;
  }

 private:
  // Returns whether a kernel begins.
  bool take(const std::string& line) {
    std::istringstream stream(line);
    words_ = {std::istream_iterator<std::string>(stream), {}};
    next_ = 0;
    const std::string key = word("a key");
    if (key == "launches")
      scenario_.launches = number(word("a number"), 1, kMostLaunches);
    else if (key == "grid")
      take_sizes(scenario_.grid);
    else if (key == "block")
      take_sizes(scenario_.block);
    else if (key == "blocks-per-sm")
      scenario_.blocks_per_sm = number(word("a number"));
    else if (key == "parameters")
      take_words(scenario_.parameters);
    else if (key == "constants")
      take_words(scenario_.constants);
    else if (key == "data")
      take_data();
    else if (key == "access")
      take_access();
    else if (key != "kernel")
      throw bad_input(fmt::format("\"{}\" is no key", key), where_,
                      "launches, grid, block, blocks-per-sm, parameters, constants, data, access, "
                      "kernel");
    if (next_ != words_.size())
      throw bad_input(fmt::format("\"{}\" is too much", words_[next_]), where_);
    return key == "kernel";
  }

  void take_kernel(const std::string& line) {
    if (line.empty()) return;
    // Words that are no instruction are lines, too.
    const bool directive = line[0] == '.' && line.rfind(".word", 0) != 0;
    (directive && scenario_.lines.empty() ? scenario_.directives : scenario_.lines).push_back(line);
  }

  std::string word(std::string_view what) {
    if (next_ == words_.size()) throw bad_input(fmt::format("{} is missing", what), where_);
    return words_[next_++];
  }
  bool more() const { return next_ != words_.size(); }

  uint32_t number(const std::string& text, uint32_t least = 0,
                  uint32_t most = std::numeric_limits<uint32_t>::max(), int base = 10) const {
    const bool hexadecimal = text.rfind("0x", 0) == 0;
    const char* const begin = text.data() + (hexadecimal ? 2 : 0);
    const char* const end = text.data() + text.size();
    uint32_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : base);
    if (error != std::errc() || stop != end || value < least || value > most)
      throw bad_input(fmt::format("\"{}\" is no number from {} to {}", text, least, most), where_);
    return value;
  }

  template <size_t kCount>
  void take_sizes(std::array<uint32_t, kCount>& sizes) {
    std::string text = word("sizes, such as 1,1");
    const auto commas = static_cast<size_t>(std::count(text.begin(), text.end(), ','));
    if (commas + 1 != kCount)
      throw bad_input(fmt::format("\"{}\" has not {} numbers", text, kCount), where_);
    std::istringstream stream(text);
    for (uint32_t& size : sizes) {
      std::getline(stream, text, ',');
      size = number(text);
    }
  }

  void take_words(std::vector<uint32_t>& all) {
    while (more()) all.push_back(number(word("a word")));
  }

  void take_data() {
    const uint32_t offset = number(word("an offset"));
    std::vector<uint32_t> all;
    take_words(all);
    if (offset % sizeof(uint32_t) != 0 || offset + all.size() * sizeof(uint32_t) > kMostDataBytes)
      throw bad_input(fmt::format("no words are at {:#x}", offset), where_,
                      fmt::format("a multiple of 4 below {:#x}", kMostDataBytes));
    const size_t first = offset / sizeof(uint32_t);
    if (scenario_.data.size() < first + all.size()) scenario_.data.resize(first + all.size());
    std::copy(all.begin(), all.end(), scenario_.data.begin() + static_cast<std::ptrdiff_t>(first));
  }

  template <size_t kCount>
  size_t one_of(const char* const (&names)[kCount]) {
    const std::string text = word("one of " + fmt::format("{}", fmt::join(names, ", ")));
    const auto* const found = std::find(std::begin(names), std::end(names), text);
    if (found == std::end(names))
      throw bad_input(fmt::format("\"{}\" is none of {}", text, fmt::join(names, ", ")), where_);
    return static_cast<size_t>(found - std::begin(names));
  }

  void take_access() {
    Access access;
    access.when = static_cast<Access::When>(one_of(kTimes));
    access.cycles = number(word("a number of cycles"));
    access.write = one_of(kCommands) == 1;
    access.window = kWindows[one_of(kWindows)];
    access.offset = number(word("an offset"));
    constexpr const char* kStrobes = "strobes";
    if (access.write) {
      while (more() && words_[next_] != kStrobes)
        access.data.push_back(static_cast<uint8_t>(number(word("a byte"), 0, 0xff, 16)));
    } else {
      one_of(kBytes);
      access.data.resize(number(word("a number of bytes"), 1, kMostAccessBytes));
    }
    if (access.data.empty() || access.data.size() > kMostAccessBytes)
      throw bad_input(fmt::format("an access has 1 to {} bytes", kMostAccessBytes), where_);
    if (more()) {
      const std::string key = word(kStrobes);
      take_strobes(access, key, word("a strobe for each byte"));
    }
    scenario_.accesses.push_back(access);
  }

  void take_strobes(Access& access, const std::string& key, const std::string& strobes) const {
    if (key != "strobes" || strobes.size() != access.data.size() ||
        strobes.find_first_not_of("01") != std::string::npos)
      throw bad_input(fmt::format("\"{} {}\" is no strobe for each of {} bytes", key, strobes,
                                  access.data.size()),
                      where_, "strobes, then 0 or 1 for each");
    for (const char strobe : strobes) access.strobes.push_back(strobe == '1' ? 0xff : 0);
  }

  std::istringstream stream_;
  SourceLocation where_;
  Scenario scenario_;
  std::vector<std::string> words_;  // of the line
  size_t next_ = 0;
};

}  // namespace

std::string text_of(const Scenario& scenario) {
  std::string text = fmt::format("launches {}\ngrid {}\nblock {}\nblocks-per-sm {}\n",
                                 scenario.launches, fmt::join(scenario.grid, ","),
                                 fmt::join(scenario.block, ","), scenario.blocks_per_sm);
  if (!scenario.parameters.empty())
    text += fmt::format("parameters {:#x}\n", fmt::join(scenario.parameters, " "));
  if (!scenario.constants.empty())
    text += fmt::format("constants {:#x}\n", fmt::join(scenario.constants, " "));
  text += text_of_data(scenario.data);
  for (const Access& access : scenario.accesses) text += text_of_access(access) + '\n';
  text += "kernel\n";
  for (const std::string& line : scenario.directives) text += line + '\n';
  for (const std::string& line : scenario.lines) text += line + '\n';
  return text;
}

Scenario parse_scenario(const std::string& text, const std::string& file) {
  return Parser(text, file).run();
}

}  // namespace gvp::cosim
