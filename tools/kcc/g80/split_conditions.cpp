// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/split_conditions.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "tools/compiler/post_dominators.h"
#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

constexpr unsigned kDeepest = 8;  // of combinations

class SplitConditions {
 public:
  explicit SplitConditions(Kernel& kernel)
      : kernel_(kernel),
        graph_(graph_of(kernel)),
        after_(graph_),
        definitions_(kernel),
        loops_(compiler::natural_loops(graph_)) {}

  // Whether something was changed, which makes the rest stale.
  bool run() {
    const auto count = static_cast<uint32_t>(kernel_.blocks.size());
    bool changed = false;
    for (uint32_t b = 0; b < count; ++b) changed |= split(b);
    return changed;
  }

 private:
  bool split(uint32_t b) {
    const Block& block = kernel_.blocks[b];
    if (!block.branches || block.target == block.next) return false;
    const auto place = definitions_.only(block.guard.condition);
    if (!place || place->block != b) return false;
    const Instruction& combined = block.code[place->index];
    const bool both = combined.operation == Operation::kAnd;
    if (!combines(combined)) return false;
    if (combined.defines() || definitions_.uses(combined.flags).size() != 1) return false;
    const bool asks = block.guard.test == Condition::kNotEqual;
    if (!asks && block.guard.test != Condition::kEqual) return false;
    // Where the first of the two may lead by itself.
    const bool early_is_taken = asks != both;
    const uint32_t early = early_is_taken ? block.target : block.next;
    const uint32_t late = early_is_taken ? block.next : block.target;
    if (early == kNoRegister || late == kNoRegister || goes_back(b)) return false;
    if (!after_.post_dominates(early, late)) return false;
    auto first = comparison(b, combined.sources[0], both);
    auto second = comparison(b, combined.sources[1], both);
    if (!first || !second || *first == *second) return false;
    // What combines others is split again.
    const auto rank = [&](size_t i) { return std::pair{!combines(block.code[i]), i}; };
    if (rank(*first) > rank(*second)) std::swap(first, second);
    branch_twice(b, {*first, *second, place->index},
                 {both ? Condition::kEqual : Condition::kNotEqual, early, late});
    return true;
  }

  bool goes_back(uint32_t b) const {
    return std::any_of(loops_.begin(), loops_.end(), [&](const compiler::Loop& loop) {
      const Block& block = kernel_.blocks[b];
      return loop.members[b] && (loop.header == block.target || loop.header == block.next);
    });
  }

  // Where the block makes an operand that nobody else reads, and could make it at its end.  mask:
  // it has to be 0 or ~0.
  std::optional<size_t> comparison(uint32_t b, const Operand& operand, bool mask) const {
    if (!operand.is_register() || !operand.plain()) return std::nullopt;
    const auto place = definitions_.only(operand.reg);
    if (!place || place->block != b || definitions_.uses(operand.reg).size() != 1)
      return std::nullopt;
    const auto& code = kernel_.blocks[b].code;
    const Instruction& made = code[place->index];
    if (!tells_zero(made) || reads_variable_memory(made) || made.flags != kNoRegister)
      return std::nullopt;
    if (mask && !is_mask(operand.reg, kDeepest)) return std::nullopt;
    const auto later = code.begin() + place->index + 1;
    const bool rewritten = std::any_of(later, code.end(), [&](const Instruction& instruction) {
      bool found = false;
      for_each_definition(instruction, [&](uint32_t v) { found |= reads(made, v); });
      return found;
    });
    return rewritten ? std::nullopt : std::optional<size_t>(place->index);
  }

  static bool combines(const Instruction& instruction) {
    return instruction.operation == Operation::kAnd || instruction.operation == Operation::kOr;
  }

  static bool tells_zero(const Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::kSet:
      case Operation::kFloatSet:
      case Operation::kAnd:
      case Operation::kOr:
        return !instruction.guard.exists() && !instruction.destination.half &&
               isa::type_bytes(instruction.type) == 4;
      default:
        return false;
    }
  }

  bool is_mask(uint32_t v, unsigned depth) const {
    const auto place = definitions_.only(v);
    if (!place || depth == 0 || !definitions_.is_static_single(v)) return false;
    const Instruction& made = kernel_.blocks[place->block].code[place->index];
    if (made.operation == Operation::kSet || made.operation == Operation::kFloatSet) return true;
    if (!combines(made)) return false;
    return std::all_of(made.sources, made.sources + 2, [&](const Operand& source) {
      return source.is_register() && source.plain() && is_mask(source.reg, depth - 1);
    });
  }

  struct Ways {
    Condition test;  // of a flag that leads to `early`
    uint32_t early;
    uint32_t late;
  };

  struct Places {
    size_t first;
    size_t second;
    size_t combined;
  };

  void branch_twice(uint32_t b, const Places& places, const Ways& ways) {
    auto& code = kernel_.blocks[b].code;
    const auto taken = [&](size_t i) {
      Instruction comparison = code[i];
      comparison.destination = Operand();
      comparison.flags = kernel_.new_register(RegisterClass::kFlags);
      return comparison;
    };
    const Instruction one = taken(places.first);
    Block rest;
    rest.code.push_back(taken(places.second));
    rest.source = kernel_.blocks[b].source;
    rest.branches = true;
    rest.guard = {rest.code.back().flags, ways.test};
    rest.target = ways.early;
    rest.next = ways.late;
    for (const size_t i : {places.combined, std::max(places.first, places.second),
                           std::min(places.first, places.second)})
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(i));
    code.push_back(one);
    Block& block = kernel_.blocks[b];
    block.guard = {one.flags, ways.test};
    block.target = ways.early;
    block.next = static_cast<uint32_t>(kernel_.blocks.size());
    kernel_.blocks.push_back(std::move(rest));
  }

  Kernel& kernel_;
  compiler::Graph graph_;
  compiler::PostDominators after_;
  Definitions definitions_;
  std::vector<compiler::Loop> loops_;
};

}  // namespace

void split_conditions(Kernel& kernel) {
  while (SplitConditions(kernel).run()) {
  }
}

}  // namespace gvp::kcc::g80
