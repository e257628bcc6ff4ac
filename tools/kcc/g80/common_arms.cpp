// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/common_arms.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace gvp::kcc::g80 {
namespace {

// Of an arm's instructions; what both have stands near their beginnings.
constexpr size_t kFarthest = 24;

bool is_movable(const Instruction& instruction) {
  return is_pure(instruction) && instruction.defines() && !instruction.guard.exists() &&
         instruction.flags == kNoRegister && !reads_variable_memory(instruction);
}

bool is_same(const Instruction& a, const Instruction& b) {
  return a.operation == b.operation && a.type == b.type && a.combine == b.combine &&
         a.compare == b.compare && a.rounding == b.rounding && a.saturate == b.saturate &&
         a.high == b.high && a.round_to_integer == b.round_to_integer &&
         a.destination == b.destination &&
         std::equal(std::begin(a.sources), std::end(a.sources), b.sources);
}

// Nothing in front of it in its block reads or writes its result, or writes what it reads.
bool may_come_first(const std::vector<Instruction>& code, size_t index) {
  const Instruction& moved = code[index];
  const uint32_t result = moved.destination.reg;
  return std::none_of(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(index),
                      [&](const Instruction& earlier) {
                        bool disturbs = false;
                        for_each_use(earlier, [&](uint32_t v) { disturbs |= v == result; });
                        for_each_definition(earlier, [&](uint32_t v) {
                          disturbs |= v == result;
                          for_each_use(moved, [&](uint32_t source) { disturbs |= v == source; });
                        });
                        return disturbs;
                      });
}

// One instruction that both arms begin with, taken out of them.
std::optional<Instruction> take_common(Block& first, Block& second) {
  const auto end = [](const Block& block) { return std::min(block.code.size(), kFarthest); };
  for (size_t i = 0; i < end(first); ++i) {
    if (!is_movable(first.code[i]) || !may_come_first(first.code, i)) continue;
    for (size_t j = 0; j < end(second); ++j) {
      if (!is_same(first.code[i], second.code[j]) || !is_movable(second.code[j])) continue;
      if (!may_come_first(second.code, j)) continue;
      const Instruction common = first.code[i];
      first.code.erase(first.code.begin() + static_cast<std::ptrdiff_t>(i));
      second.code.erase(second.code.begin() + static_cast<std::ptrdiff_t>(j));
      return common;
    }
  }
  return std::nullopt;
}

}  // namespace

void compute_before_branches(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    Block& block = kernel.blocks[b];
    const uint32_t target = block.target;
    const uint32_t next = block.next;
    if (!block.branches || target == kNoRegister || next == kNoRegister || target == next) continue;
    const auto is_arm = [&](uint32_t arm) {
      return arm != b && graph.predecessors[arm].size() == 1;
    };
    if (!is_arm(target) || !is_arm(next)) continue;
    while (const auto common = take_common(kernel.blocks[target], kernel.blocks[next]))
      block.code.push_back(*common);
  }
}

}  // namespace gvp::kcc::g80
