// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/shifted_comparisons.h"

#include <optional>
#include <utility>
#include <vector>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

constexpr uint32_t kWidest = 31;  // of a shift

const Instruction* at(const Kernel& kernel, const Place& place) {
  const auto& code = kernel.blocks[place.block].code;
  return place.index < code.size() ? &code[place.index] : nullptr;
}

bool is_shift(const Instruction& instruction, uint32_t v) {
  const Operand& count = instruction.sources[1];
  return instruction.operation == Operation::kShiftRight && instruction.defines() &&
         instruction.destination.reg != v && !instruction.guard.exists() &&
         instruction.flags == kNoRegister && instruction.sources[0].is_register() &&
         instruction.sources[0].plain() && instruction.sources[0].reg == v &&
         count.is_immediate() && count.value > 0 && static_cast<uint32_t>(count.value) <= kWidest;
}

// The comparison of v >> k that says what one of v says, whose limit is a multiple of 2^k (or one
// less, where it counts as below): v < n 2^k is v >> k < n, with a sign and without.
struct Comparison {
  Condition condition;
  uint32_t limit;
};
std::optional<Comparison> of_shifted(const Instruction& set, uint32_t v, const Instruction& shift) {
  const Operand& limit = set.sources[1];
  const bool fits = set.operation == Operation::kSet && set.type == shift.type &&
                    set.sources[0].is_register() && set.sources[0].plain() &&
                    set.sources[0].reg == v && limit.is_immediate();
  if (!fits) return std::nullopt;
  const bool is_signed = set.type == isa::Type::kS32;
  int64_t end = is_signed ? int64_t{limit.value} : int64_t{static_cast<uint32_t>(limit.value)};
  Condition condition = set.compare;
  if (condition == Condition::kLessEqual || condition == Condition::kGreater) {
    ++end;
    condition = condition == Condition::kLessEqual ? Condition::kLess : Condition::kGreaterEqual;
  }
  if (condition != Condition::kLess && condition != Condition::kGreaterEqual) return std::nullopt;
  const int64_t power = int64_t{1} << shift.sources[1].value;
  if (end % power != 0) return std::nullopt;
  return Comparison{condition, static_cast<uint32_t>(end / power)};
}

bool defines(const Instruction& instruction, uint32_t v) {
  bool found = false;
  for_each_definition(instruction, [&](uint32_t each) { found |= each == v; });
  return found;
}

using Pair = std::pair<uint32_t, uint32_t>;
enum class Found : uint8_t { kNothing, kPlace, kDefinition };

// What stands last before an instruction of a block: this place, or a definition of either
// register.
Found last_before(const Kernel& kernel, uint32_t block, size_t end, const Place& place,
                  const Pair& registers) {
  const auto& code = kernel.blocks[block].code;
  for (size_t i = end; i-- > 0;) {
    if (block == place.block && i == place.index) return Found::kPlace;
    if (defines(code[i], registers.first) || defines(code[i], registers.second))
      return Found::kDefinition;
  }
  return Found::kNothing;
}

// Whether both keep their values on every way from one place to another, which the first dominates.
bool are_unchanged(const Kernel& kernel, const Pair& registers, const Place& from,
                   const Place& to) {
  const Found here = last_before(kernel, to.block, to.index, from, registers);
  if (here != Found::kNothing) return here == Found::kPlace;
  const compiler::Graph graph = graph_of(kernel);
  std::vector<bool> seen(kernel.blocks.size(), false);
  std::vector<uint32_t> open{to.block};
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    for (const uint32_t before : graph.predecessors[block]) {
      if (seen[before]) continue;
      seen[before] = true;
      const Found found =
          last_before(kernel, before, kernel.blocks[before].code.size(), from, registers);
      if (found == Found::kDefinition) return false;
      if (found == Found::kNothing) open.push_back(before);
    }
  }
  return true;
}

// The shift and the comparison of v, if these are all that reads it and the comparison comes
// behind.
void compare_shifted(Kernel& kernel, const Definitions& definitions, uint32_t v) {
  const auto& uses = definitions.uses(v);
  if (uses.size() != 2) return;
  for (const unsigned first : {0U, 1U}) {
    const Place& place = uses[first];
    const Place& later = uses[1 - first];
    const Instruction* shift = at(kernel, place);
    const Instruction* set = at(kernel, later);
    if (shift == nullptr || set == nullptr || !is_shift(*shift, v)) continue;
    const auto comparison = of_shifted(*set, v, *shift);
    const uint32_t shifted = shift->destination.reg;
    if (!comparison || !definitions.dominates(place, later)) continue;
    if (!are_unchanged(kernel, {v, shifted}, place, later)) continue;
    Instruction& changed = kernel.blocks[later.block].code[later.index];
    changed.compare = comparison->condition;
    changed.sources[0] = reg(shifted);
    changed.sources[1] = immediate(comparison->limit);
    return;
  }
}

}  // namespace

void compare_shifted(Kernel& kernel) {
  const Definitions definitions(kernel);
  for (uint32_t v = 1; v < kernel.registers.size(); ++v) compare_shifted(kernel, definitions, v);
}

}  // namespace gvp::kcc::g80
