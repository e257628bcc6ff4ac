// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/definitions.h"

#include <algorithm>

namespace gvp::kcc::g80 {

Definitions::Definitions(const Kernel& kernel)
    : tree_(graph_of(kernel), 0),
      first_(kernel.registers.size(), Place{0, 0}),
      guarded_(kernel.registers.size(), false),
      counts_(kernel.registers.size(), 0),
      uses_(kernel.registers.size()),
      single_(kernel.registers.size(), false) {
  counts_[kThreadIndex] = 1;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    const Block& block = kernel.blocks[b];
    for (uint32_t i = 0; i < block.code.size(); ++i) {
      const Instruction& instruction = block.code[i];
      for_each_use(instruction, [&](uint32_t v) { uses_[v].push_back({b, i}); });
      for_each_definition(instruction, [&](uint32_t v) {
        if (counts_[v]++ == 0) first_[v] = {b, i};
        if (instruction.guard.exists()) guarded_[v] = true;
      });
    }
    if (block.guard.exists()) {
      uses_[block.guard.condition].push_back({b, static_cast<uint32_t>(block.code.size())});
    }
  }
  for (uint32_t v = 0; v < counts_.size(); ++v) {
    if (counts_[v] != 1 || guarded_[v]) continue;
    single_[v] = v == kThreadIndex ||
                 std::all_of(uses_[v].begin(), uses_[v].end(),
                             [&](const Place& use) { return dominates(first_[v], use); });
  }
}

std::optional<Place> Definitions::only(uint32_t v) const {
  if (counts_[v] != 1 || guarded_[v] || v == kThreadIndex) return std::nullopt;
  return first_[v];
}

bool Definitions::dominates(const Place& earlier, const Place& later) const {
  if (earlier.block == later.block) return earlier.index < later.index;
  return tree_.dominates(earlier.block, later.block);
}

compiler::Liveness live_registers(const Kernel& kernel, const compiler::Graph& graph) {
  const auto size = static_cast<uint32_t>(kernel.registers.size());
  std::vector<compiler::BlockVariables> blocks(kernel.blocks.size(),
                                               {compiler::BitSet(size), compiler::BitSet(size)});
  for (size_t b = 0; b < kernel.blocks.size(); ++b) {
    auto& [used, defined] = blocks[b];
    const auto use = [&used = used, &defined = defined](uint32_t v) {
      if (!defined.contains(v)) used.insert(v);
    };
    for (const Instruction& instruction : kernel.blocks[b].code) {
      for_each_use(instruction, use);
      for_each_definition(instruction, [&defined = defined](uint32_t v) { defined.insert(v); });
    }
    if (kernel.blocks[b].guard.exists()) use(kernel.blocks[b].guard.condition);
  }
  return compiler::liveness(graph, blocks, size);
}

void step_back(const Instruction& instruction, compiler::BitSet& live) {
  for_each_definition(instruction, [&](uint32_t v) { live.erase(v); });
  for_each_use(instruction, [&](uint32_t v) { live.insert(v); });
}

}  // namespace gvp::kcc::g80
