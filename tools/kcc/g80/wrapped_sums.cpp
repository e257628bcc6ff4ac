// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/wrapped_sums.h"

#include <optional>

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

// What is added to `term` for `sum`, both as they are in front of an instruction of the block.
std::optional<int32_t> added(const Block& block, size_t end, uint32_t sum, uint32_t term) {
  for (size_t i = end; i-- > 0;) {
    const Instruction& add = block.code[i];
    if (!writes(add, sum)) {
      if (writes(add, term)) return std::nullopt;
      continue;
    }
    const bool adds = add.operation == Operation::kAdd && add.combine == isa::Combine::kAdd &&
                      !add.guard.exists() && !add.saturate && add.defines() &&
                      add.destination.plain() && isa::type_bytes(add.type) == 4 &&
                      is_plain_register(add.sources[0]) && add.sources[0].reg == term &&
                      add.sources[1].is_immediate() && add.sources[1].value != 0;
    return adds ? std::optional(add.sources[1].value) : std::nullopt;
  }
  return std::nullopt;
}

void compare_wrapped(Block& block, size_t place) {
  Instruction& set = block.code[place];
  const bool compares = set.operation == Operation::kSet && set.type == isa::Type::kU32 &&
                        is_plain_register(set.sources[0]) && is_plain_register(set.sources[1]) &&
                        set.sources[0].reg != set.sources[1].reg;
  if (!compares) return;
  for (const unsigned first : {0U, 1U}) {
    const uint32_t sum = set.sources[first].reg;
    const auto number = added(block, place, sum, set.sources[1 - first].reg);
    if (!number) continue;
    // The two are never equal.
    const Condition compare = first == 0 ? set.compare : swapped(set.compare);
    const bool below = compare == Condition::kLess || compare == Condition::kLessEqual;
    if (!below && compare != Condition::kGreater && compare != Condition::kGreaterEqual) return;
    const bool one = *number == 1;
    set.compare = below ? (one ? Condition::kEqual : Condition::kLess)
                        : (one ? Condition::kNotEqual : Condition::kGreaterEqual);
    set.sources[0] = reg(sum);
    set.sources[1] = immediate(one ? 0 : static_cast<uint32_t>(*number));
    return;
  }
}

}  // namespace

void compare_wrapped(Kernel& kernel) {
  for (Block& block : kernel.blocks)
    for (size_t i = 0; i < block.code.size(); ++i) compare_wrapped(block, i);
}

}  // namespace gvp::kcc::g80
