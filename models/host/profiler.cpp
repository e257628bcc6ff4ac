// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/host/decoder.h"

namespace gvp::host {
namespace {

constexpr size_t kMaxDepth = 64;
constexpr uint32_t kPrologueWords = 32;
constexpr uint8_t kStackPointer = 1;
constexpr uint8_t kLink = 15;

int16_t offset_of(const Instruction& instruction) { return static_cast<int16_t>(instruction.imm); }

}  // namespace

std::string Profiler::name(uint32_t pc, uint32_t& start) const {
  std::string text;
  if (symbols_.function && symbols_.function(pc, text, start)) return text;
  start = pc;
  return fmt::format("{:#010x}", pc);
}

// What the function's first instructions, those before pc, have done.
Profiler::Prologue Profiler::read_prologue(uint32_t start, uint32_t pc) const {
  Prologue prologue;
  for (uint32_t at = start; at < pc && at < start + 4 * kPrologueWords; at += 4) {
    uint32_t word = 0;
    if (!read_(at, word)) break;
    const Instruction instruction = decode(word);
    if (instruction.has(kBranch)) break;
    if (instruction.is(Operation::kAddik) && instruction.rd == kStackPointer &&
        instruction.ra == kStackPointer && offset_of(instruction) < 0)
      prologue.frame = static_cast<uint32_t>(-offset_of(instruction));
    if (instruction.is(Operation::kSwi) && instruction.rd == kLink &&
        instruction.ra == kStackPointer) {
      prologue.saves_link = true;
      prologue.link_offset = instruction.imm;
    }
  }
  return prologue;
}

std::vector<std::string> Profiler::stack(const State& state) const {
  std::vector<std::string> result;
  uint32_t pc = state.pc;
  uint32_t stack_pointer = state.r[kStackPointer];
  uint32_t link = state.r[kLink];
  for (size_t depth = 0; depth < kMaxDepth; ++depth) {
    uint32_t start = 0;
    result.push_back(name(pc, start));
    const Prologue prologue = read_prologue(start, pc);
    // Only the innermost function may live without a saved return address.
    if (prologue.saves_link) {
      if (!read_(stack_pointer + prologue.link_offset, link)) break;
    } else if (depth > 0) {
      break;
    }
    stack_pointer += prologue.frame;
    uint32_t word = 0;
    if (link == 0 || (link & 3) != 0 || !read_(link, word) || !decode(word).has(kBranch)) break;
    pc = link;
  }
  return result;
}

void Profiler::sample(const State& state, uint64_t cycles) {
  cycles_[stack(state)] += cycles;
  ++samples_;
}

void Profiler::write_folded(std::ostream& stream) const {
  for (const auto& [frames, cycles] : cycles_) {
    std::string line;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      line += (line.empty() ? "" : ";") + *frame;
    stream << line << ' ' << cycles << '\n';
  }
}

void Profiler::write_table(std::ostream& stream) const {
  std::map<std::string, std::pair<uint64_t, uint64_t>> functions;  // itself, with callees
  uint64_t total = 0;
  for (const auto& [frames, cycles] : cycles_) {
    total += cycles;
    functions[frames.front()].first += cycles;
    for (const std::string& function : std::set<std::string>(frames.begin(), frames.end()))
      functions[function].second += cycles;
  }
  std::vector<std::pair<std::string, std::pair<uint64_t, uint64_t>>> rows(functions.begin(),
                                                                          functions.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  stream << fmt::format("{:>14} {:>6} {:>14} {:>6}  function\n", "cycles", "%", "with callees",
                        "%");
  const double percent = total == 0 ? 0 : 100.0 / static_cast<double>(total);
  for (const auto& [function, counts] : rows)
    stream << fmt::format("{:>14} {:>6.2f} {:>14} {:>6.2f}  {}\n", counts.first,
                          static_cast<double>(counts.first) * percent, counts.second,
                          static_cast<double>(counts.second) * percent, function);
}

}  // namespace gvp::host
