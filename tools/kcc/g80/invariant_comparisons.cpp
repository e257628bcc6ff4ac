// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/invariant_comparisons.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "tools/kcc/g80/definitions.h"
#include "tools/kcc/g80/flags_pressure.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

// Beyond it takes too long to look at each loop.
constexpr size_t kMostRegisters = 20000;

bool is_comparison(Operation operation) {
  return operation == Operation::kSet || operation == Operation::kFloatSet;
}

// What holds where the comparison does not.
Condition opposite(const Instruction& set) {
  const unsigned mask = set.operation == Operation::kFloatSet ? 15 : 7;
  return static_cast<Condition>(static_cast<unsigned>(set.compare) ^ mask);
}

bool is_fixed(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kNone:
    case Operand::Kind::kRegister:
    case Operand::Kind::kImmediate:
    case Operand::Kind::kZero:
      return true;
    case Operand::Kind::kShared:
      return operand.invariant && operand.reg == kNoRegister;
    case Operand::Kind::kConstant:
      return operand.reg == kNoRegister;
    default:
      return false;
  }
}

bool sets_flag_alone(const Instruction& instruction) {
  return instruction.flags != kNoRegister && !instruction.defines() && !instruction.guard.exists();
}

// By register: whether a loop writes it.
std::vector<bool> written_in(const Kernel& kernel, const compiler::Loop& loop) {
  std::vector<bool> written(kernel.registers.size(), false);
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    if (!loop.members[b]) continue;
    for (const Instruction& instruction : kernel.blocks[b].code)
      for_each_definition(instruction, [&](uint32_t v) { written[v] = true; });
  }
  return written;
}

// The same in each round.
bool is_invariant(const Instruction& set, const std::vector<bool>& written) {
  return std::all_of(std::begin(set.sources), std::end(set.sources), [&](const Operand& source) {
    return is_fixed(source) && (source.reg == kNoRegister || !written[source.reg]);
  });
}

// It takes time to look closer.
bool is_worth_a_look(const Kernel& kernel, const compiler::Loop& loop) {
  const std::vector<bool> written = written_in(kernel, loop);
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    if (!loop.members[b]) continue;
    for (const Instruction& instruction : kernel.blocks[b].code) {
      if (is_comparison(instruction.operation) && is_invariant(instruction, written)) return true;
    }
  }
  return false;
}

class LoopComparisons {
 public:
  LoopComparisons(Kernel& kernel, const compiler::Loop& loop)
      : kernel_(kernel),
        loop_(loop),
        definitions_(kernel),
        live_(live_registers(kernel, graph_of(kernel))),
        written_(written_in(kernel, loop)) {
    for_each_block([&](uint32_t b) {
      const std::vector<uint32_t> counts = live_flags(kernel_, live_, b);
      most_flags_ = std::max(most_flags_, *std::max_element(counts.begin(), counts.end()));
    });
  }

  // Whether something was changed, which makes the rest stale.
  bool run() {
    bool changed = false;
    for_each_block([&](uint32_t b) {
      for (uint32_t i = 0; !changed && i < kernel_.blocks[b].code.size(); ++i)
        changed = hoist({b, i}) || split({b, i});
    });
    return changed;
  }

 private:
  template <typename Visit>
  void for_each_block(Visit visit) {
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      if (loop_.members[b]) visit(b);
    }
  }

  // In front of the loop a comparison stands as early as what it compares is known, which need not
  // be kept then.
  size_t place_before(const Instruction& set) const {
    const auto& code = kernel_.blocks[loop_.entry].code;
    size_t i = code.size();
    const auto writes = [&](const Instruction& instruction) {
      bool found = false;
      for_each_definition(instruction, [&](uint32_t v) {
        for (const Operand& source : set.sources) found |= source.reg == v;
      });
      return found;
    };
    while (i > 0 && !writes(code[i - 1])) --i;
    return i;
  }
  bool fits_before(const Instruction& set) const {
    const std::vector<uint32_t> counts = live_flags(kernel_, live_, loop_.entry);
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(place_before(set));
    return *std::max_element(first, counts.end()) < kFlagsRegisters;
  }
  void put_before(const Instruction& set) {
    const auto place = static_cast<std::ptrdiff_t>(place_before(set));
    auto& code = kernel_.blocks[loop_.entry].code;
    code.insert(code.begin() + place, set);
  }

  bool hoist(const Place& place) {
    auto& code = kernel_.blocks[place.block].code;
    const Instruction set = code[place.index];
    if (!is_comparison(set.operation) || !sets_flag_alone(set)) return false;
    if (!definitions_.is_static_single(set.flags) || !is_invariant(set, written_)) return false;
    if (most_flags_ >= kFlagsRegisters || !fits_before(set)) return false;
    code.erase(code.begin() + place.index);
    put_before(set);
    return true;
  }

  // The flag of `a ^ b`, both comparisons, of which a is the same in each round: b, and where a
  // holds the opposite of b.
  bool split(const Place& place) {
    const Instruction exclusive = kernel_.blocks[place.block].code[place.index];
    if (exclusive.operation != Operation::kXor || !sets_flag_alone(exclusive) ||
        most_flags_ + 1 >= kFlagsRegisters)
      return false;
    for (const unsigned first : {0U, 1U}) {
      const auto fixed = comparison_of(exclusive.sources[first]);
      const auto other = comparison_of(exclusive.sources[1 - first]);
      if (!fixed || !other || !is_invariant(at(*fixed), written_) || !loop_.members[fixed->block])
        continue;
      if (other->block != place.block || !stays(*other, place)) continue;
      if (!fits_before(at(*fixed))) continue;
      replace(place, at(*fixed), at(*other), exclusive.flags);
      return true;
    }
    return false;
  }

  // A comparison whose mask nobody else reads.
  std::optional<Place> comparison_of(const Operand& operand) const {
    if (!operand.is_register() || !operand.plain()) return std::nullopt;
    const auto place = definitions_.only(operand.reg);
    if (!place || !definitions_.is_static_single(operand.reg)) return std::nullopt;
    if (definitions_.uses(operand.reg).size() != 1) return std::nullopt;
    const Instruction& set = at(*place);
    if (!is_comparison(set.operation) || set.flags != kNoRegister) return std::nullopt;
    return place;
  }

  // What it compares is the same where its mask is used, which is in the same block.
  bool stays(const Place& from, const Place& to) const {
    const auto& code = kernel_.blocks[from.block].code;
    const Instruction& set = code[from.index];
    if (!std::all_of(std::begin(set.sources), std::end(set.sources), is_fixed)) return false;
    for (uint32_t i = from.index + 1; i < to.index; ++i) {
      bool rewritten = false;
      for_each_definition(code[i], [&](uint32_t v) {
        for (const Operand& source : set.sources) rewritten |= source.reg == v;
      });
      if (rewritten) return false;
    }
    return true;
  }

  // Their masks are dead then.
  void replace(const Place& place, Instruction fixed, Instruction other, uint32_t flag) {
    fixed.destination = other.destination = Operand();
    fixed.flags = kernel_.new_register(RegisterClass::kFlags);
    other.flags = flag;
    Instruction otherwise = other;
    otherwise.compare = opposite(other);
    otherwise.guard = {fixed.flags, Condition::kNotEqual};
    auto& code = kernel_.blocks[place.block].code;
    code[place.index] = other;
    code.insert(code.begin() + place.index + 1, otherwise);
    put_before(fixed);
  }

  const Instruction& at(const Place& place) const {
    return kernel_.blocks[place.block].code[place.index];
  }

  Kernel& kernel_;
  const compiler::Loop& loop_;
  Definitions definitions_;
  compiler::Liveness live_;
  std::vector<bool> written_;  // by register: in the loop
  uint32_t most_flags_ = 0;    // live at a time in the loop
};

}  // namespace

void compare_before_loops(Kernel& kernel) {
  if (kernel.registers.size() > kMostRegisters) return;
  for (const compiler::Loop& loop : compiler::natural_loops(graph_of(kernel))) {
    if (loop.entry == compiler::kNoNode || kernel.blocks[loop.entry].branches) continue;
    while (is_worth_a_look(kernel, loop) && LoopComparisons(kernel, loop).run()) {
    }
  }
}

}  // namespace gvp::kcc::g80
