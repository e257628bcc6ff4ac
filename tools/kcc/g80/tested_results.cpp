// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/tested_results.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "models/gpgpu/g80/operations.h"
#include "tools/kcc/g80/definitions.h"
#include "tools/kcc/g80/flags_pressure.h"
#include "tools/kcc/g80/optimise.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using isa::Operation;

// Nothing but a flag that says whether a register is zero.
struct Test {
  uint32_t value;
  bool zero;  // "not equal" of the flag is "the register is zero"
};
std::optional<Test> test_of(const Instruction& instruction) {
  if (instruction.flags == kNoRegister || instruction.defines() || instruction.guard.exists() ||
      isa::type_bytes(instruction.type) != 4) {
    return std::nullopt;
  }
  const Operand& a = instruction.sources[0];
  const Operand& b = instruction.sources[1];
  if (!is_plain_register(a)) return std::nullopt;
  if (instruction.operation == Operation::kAnd && is_plain_register(b) && a.reg == b.reg)
    return Test{a.reg, false};
  const bool is_zero = (b.is_immediate() && b.value == 0) || b.kind == Operand::Kind::kZero;
  const bool compares = instruction.operation == Operation::kSet && is_zero;
  if (compares && instruction.compare == Condition::kEqual) return Test{a.reg, true};
  if (compares && instruction.compare == Condition::kNotEqual) return Test{a.reg, false};
  return std::nullopt;
}

class ResultTests {
 public:
  explicit ResultTests(Kernel& kernel)
      : kernel_(kernel), definitions_(kernel), live_(live_registers(kernel, graph_of(kernel))) {}

  void test_negated() {
    for_each_test([&](const Place& place, const Test& test) { test_negated(place, test); });
  }
  void test_where_computed() {
    for_each_test([&](const Place& place, const Test& test) { test_where_computed(place, test); });
  }

 private:
  // The code keeps its places: a test that is done elsewhere stays without a flag, and is dead.
  template <typename Visit>
  void for_each_test(Visit visit) {
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      for (uint32_t i = 0; i < kernel_.blocks[b].code.size(); ++i) {
        const auto test = test_of(at({b, i}));
        if (test && only_guards(at({b, i}).flags)) visit({b, i}, *test);
      }
    }
  }

  // All that reads the flag asks whether it is zero, so that the question can be turned around.
  bool only_guards(uint32_t flag) const {
    if (!definitions_.is_static_single(flag)) return false;
    const auto& uses = definitions_.uses(flag);
    return std::all_of(uses.begin(), uses.end(), [&](const Place& use) {
      const Block& block = kernel_.blocks[use.block];
      if (use.index == block.code.size()) return is_question(block.guard);
      const Instruction& user = block.code[use.index];
      return is_question(user.guard) && user.combine != isa::Combine::kAddCarry &&
             !isa::info(user.operation).is(isa::Trait::kVotes);
    });
  }

  static bool is_question(const Guard& guard) {
    return guard.test == Condition::kEqual || guard.test == Condition::kNotEqual;
  }

  void turn_around(uint32_t flag) {
    for (const Place& use : definitions_.uses(flag)) {
      Block& block = kernel_.blocks[use.block];
      Guard& guard = use.index == block.code.size() ? block.guard : block.code[use.index].guard;
      guard = guard.negated();
    }
  }

  // The test of ~x, where x is 0 or ~0, is one of x.
  void test_negated(const Place& place, const Test& test) {
    const auto defined = definitions_.only(test.value);
    if (!defined || !definitions_.is_static_single(test.value)) return;
    const Instruction& negation = at(*defined);
    const Operand& from = negation.sources[0];
    const bool negates = negation.operation == Operation::kXor && is_plain_register(from) &&
                         negation.sources[1].is_immediate() && negation.sources[1].value == -1;
    if (!negates || !is_mask(from.reg, kDeepest)) return;
    Instruction& changed = kernel_.blocks[place.block].code[place.index];
    const uint32_t flag = changed.flags;
    if (!test.zero) turn_around(flag);
    changed.operation = Operation::kAnd;
    changed.type = isa::Type::kB32;
    changed.compare = Condition::kNever;
    changed.sources[0] = changed.sources[1] = reg(from.reg);
  }

  // 0 or ~0.
  bool is_mask(uint32_t v, unsigned depth) const {
    const auto defined = definitions_.only(v);
    if (!defined || !definitions_.is_static_single(v) || depth == 0) return false;
    const Instruction& definition = at(*defined);
    switch (definition.operation) {
      case Operation::kSet:
      case Operation::kFloatSet:
        return true;
      case Operation::kAnd:
      case Operation::kOr:
      case Operation::kXor:
        return std::all_of(definition.sources, definition.sources + 2, [&](const Operand& source) {
          if (source.is_immediate()) return source.value == 0 || source.value == -1;
          const bool whole = source.is_register() && !source.half && !source.negate;
          return whole && !source.absolute && is_mask(source.reg, depth - 1);
        });
      default:
        return false;
    }
  }

  // The last instruction of the block in front of the test that writes the number sets the flag.
  void test_where_computed(const Place& place, const Test& test) {
    auto& code = kernel_.blocks[place.block].code;
    size_t i = place.index;
    const auto writes = [&](const Instruction& instruction) {
      bool found = false;
      for_each_definition(instruction, [&](uint32_t v) { found |= v == test.value; });
      return found;
    };
    while (i > 0 && !writes(code[i - 1])) --i;
    if (i-- == 0) return;
    const uint32_t flag = code[place.index].flags;
    Instruction computes = code[i];
    if (!can_say(computes)) return;
    computes.flags = flag;
    const bool wanted = is_wanted(test.value, place);
    if (!wanted) computes.destination = Operand();
    if (!encodes(computes)) return;
    if (!has_room(place.block, i + 1, place.index)) return;
    if (test.zero) turn_around(flag);
    code[i] = computes;
    code[place.index].flags = kNoRegister;
  }

  // There is a flags register for one more from one place to another, which it takes then.
  bool has_room(uint32_t block, size_t from, size_t to) {
    if (counted_ != block) counts_ = live_flags(kernel_, live_, block);
    counted_ = block;
    const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = counts_.begin() + static_cast<std::ptrdiff_t>(to) + 1;
    if (*std::max_element(first, last) >= kFlagsRegisters) return false;
    std::for_each(first, last, [](uint32_t& count) { ++count; });
    return true;
  }

  // Its zero flag says whether what it writes is zero.
  static bool can_say(const Instruction& instruction) {
    const bool plain = !instruction.guard.exists() && instruction.flags == kNoRegister &&
                       !instruction.saturate && !instruction.destination.half &&
                       isa::type_bytes(instruction.type) == 4;
    if (!plain) return false;
    switch (instruction.operation) {
      case Operation::kAnd:
      case Operation::kOr:
      case Operation::kXor:
      case Operation::kSet:
        return true;
      case Operation::kAdd:
        return instruction.combine != isa::Combine::kAddCarry;
      default:
        return false;
    }
  }

  // Constants may go to constant memory later, where there is no other operand from memory.
  bool encodes(const Instruction& instruction) const {
    Instruction tried = instruction;
    const bool memory = std::any_of(std::begin(tried.sources), std::end(tried.sources),
                                    [](const Operand& source) { return source.is_memory(); });
    for (Operand& source : tried.sources) {
      if (!source.is_immediate()) continue;
      if (memory) return false;
      source = reg(kThreadIndex);
    }
    return encodable(kernel_, tried);
  }

  // Somebody but the test reads the number.
  bool is_wanted(uint32_t v, const Place& test) const {
    const auto& uses = definitions_.uses(v);
    return std::any_of(uses.begin(), uses.end(), [&](const Place& use) {
      return use.block != test.block || use.index != test.index;
    });
  }

  const Instruction& at(const Place& place) const {
    return kernel_.blocks[place.block].code[place.index];
  }

  static constexpr unsigned kDeepest = 8;
  Kernel& kernel_;
  Definitions definitions_;
  compiler::Liveness live_;
  uint32_t counted_ = kNoRegister;  // the block of counts_
  std::vector<uint32_t> counts_;    // live flags
};

}  // namespace

void test_results(Kernel& kernel) {
  ResultTests(kernel).test_negated();
  remove_dead_code(kernel);
  ResultTests(kernel).test_where_computed();
  remove_dead_code(kernel);
}

}  // namespace gvp::kcc::g80
