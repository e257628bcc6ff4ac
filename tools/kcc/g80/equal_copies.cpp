// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/equal_copies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

// On the way to `equal`, both have the same value; the second may be a constant.
struct End {
  uint32_t first;
  Operand second;
  uint32_t equal;   // block
  uint32_t differ;  // block
};

class EqualCopies {
 public:
  explicit EqualCopies(Kernel& kernel)
      : kernel_(kernel), graph_(graph_of(kernel)), live_(live_registers(kernel, graph_)) {
    for (const Block& block : kernel.blocks) {
      for (const Instruction& instruction : block.code) {
        if (is_copy(instruction) && is_plain_register(instruction.sources[0]))
          ++copies_[{instruction.destination.reg, instruction.sources[0].reg}];
      }
    }
  }

  void run() {
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      const auto end = end_of(b);
      if (!end) continue;
      copy_in_front(b, *end);
      if (graph_.predecessors[end->equal].size() == 1) copy_behind(*end);
    }
  }

 private:
  static bool is_copy(const Instruction& instruction) {
    const Operand& from = instruction.sources[0];
    return instruction.operation == Operation::kMove && instruction.defines() &&
           instruction.type == isa::Type::kB32 && !instruction.destination.half &&
           !instruction.guard.exists() && instruction.flags == kNoRegister &&
           (is_plain_register(from) || from.is_immediate());
  }

  // The comparison that the block's branch asks, if nothing of it is written behind it.
  std::optional<End> end_of(uint32_t b) const {
    const Block& block = kernel_.blocks[b];
    const bool branches = block.branches && block.target != kNoRegister &&
                          block.next != kNoRegister && block.target != block.next;
    if (!branches) return std::nullopt;
    size_t i = block.code.size();
    while (i > 0 && !writes(block.code[i - 1], block.guard.condition)) --i;
    if (i == 0) return std::nullopt;
    const Instruction& set = block.code[i - 1];
    const bool compares = set.operation == Operation::kSet && !set.guard.exists() &&
                          isa::type_bytes(set.type) == 4 && is_plain_register(set.sources[0]);
    if (!compares) return std::nullopt;
    if (set.compare != Condition::kEqual && set.compare != Condition::kNotEqual)
      return std::nullopt;
    const bool holds = block.guard.test == Condition::kNotEqual;
    if (!holds && block.guard.test != Condition::kEqual) return std::nullopt;
    const Operand& number = set.sources[1];
    if (!is_plain_register(number) && !number.is_immediate()) return std::nullopt;
    for (; i < block.code.size(); ++i) {
      if (writes(block.code[i], set.sources[0].reg)) return std::nullopt;
      if (number.is_register() && writes(block.code[i], number.reg)) return std::nullopt;
    }
    const bool equal_is_taken = holds == (set.compare == Condition::kEqual);
    return End{set.sources[0].reg, number, equal_is_taken ? block.target : block.next,
               equal_is_taken ? block.next : block.target};
  }

  // What else a copy of one of the two may copy: the other, which goes to the same register
  // elsewhere, at least as often.
  std::optional<uint32_t> other_source(const Instruction& copy, const End& end) const {
    if (!is_copy(copy)) return std::nullopt;
    const uint32_t to = copy.destination.reg;
    const Operand& from = copy.sources[0];
    if (from.is_immediate()) {
      const bool same = end.second.is_immediate() && from.value == end.second.value;
      return same && count(to, end.first) > 0 ? std::optional(end.first) : std::nullopt;
    }
    if (!end.second.is_register()) return std::nullopt;
    const bool is_first = from.reg == end.first;
    if (!is_first && from.reg != end.second.reg) return std::nullopt;
    const uint32_t other = is_first ? end.second.reg : end.first;
    const unsigned others = count(to, other);
    return others > 0 && others >= count(to, from.reg) ? std::optional(other) : std::nullopt;
  }

  unsigned count(uint32_t to, uint32_t from) const {
    const auto found = copies_.find({to, from});
    return found == copies_.end() ? 0 : found->second;
  }

  void change(Instruction& copy, uint32_t source) {
    const uint32_t to = copy.destination.reg;
    if (copy.sources[0].is_register()) --copies_[{to, copy.sources[0].reg}];
    copy.sources[0] = reg(source);
    ++copies_[{to, source}];
  }

  // In the block that compares, and only for the way on which both are equal: the copy is made at
  // its end.
  void copy_in_front(uint32_t b, const End& end) {
    auto& code = kernel_.blocks[b].code;
    for (size_t i = code.size(); i-- > 0;) {
      const auto source = other_source(code[i], end);
      if (!source) continue;
      const uint32_t to = code[i].destination.reg;
      const Operand from = code[i].sources[0];
      if (to == *source || live_.in[end.differ].contains(to)) continue;
      const bool disturbed = std::any_of(code.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                         code.end(), [&](const Instruction& later) {
                                           return reads(later, to) || writes(later, to) ||
                                                  (from.is_register() && writes(later, from.reg));
                                         });
      if (disturbed) continue;
      Instruction copy = code[i];
      change(copy, *source);
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(i));
      code.push_back(copy);
    }
  }

  // In a block that is reached on that way alone.
  void copy_behind(const End& end) {
    for (Instruction& instruction : kernel_.blocks[end.equal].code) {
      const auto source = other_source(instruction, end);
      if (source) change(instruction, *source);
      if (writes(instruction, end.first)) return;
      if (end.second.is_register() && writes(instruction, end.second.reg)) return;
    }
  }

  Kernel& kernel_;
  compiler::Graph graph_;
  compiler::Liveness live_;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> copies_;  // to and from
};

}  // namespace

void copy_what_is_equal(Kernel& kernel) { EqualCopies(kernel).run(); }

}  // namespace gvp::kcc::g80
