// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/optimise.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "tools/kcc/g80/common_sums.h"
#include "tools/kcc/g80/definitions.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr unsigned kMostRounds = 8;
constexpr size_t kMostFolded = 8;  // uses of a value from memory
constexpr uint32_t kSignBit = 0x80000000U;

bool is_copy(const Instruction& instruction) {
  return instruction.operation == Operation::kMove && instruction.defines() &&
         !instruction.guard.exists() && instruction.sources[0].is_register() &&
         instruction.sources[0].plain();
}

// Uses of a copy become uses of the original where neither changes in between.
bool propagate_copies(Kernel& kernel) {
  const Definitions definitions(kernel);
  std::map<uint32_t, uint32_t> original;
  for (const Block& block : kernel.blocks) {
    for (const Instruction& instruction : block.code) {
      if (!is_copy(instruction)) continue;
      const uint32_t to = instruction.destination.reg;
      const uint32_t from = instruction.sources[0].reg;
      if (definitions.is_static_single(to) && definitions.is_static_single(from)) {
        original[to] = from;
      }
    }
  }
  if (original.empty()) return false;
  bool changed = false;
  for (Block& block : kernel.blocks) {
    for (Instruction& instruction : block.code) {
      for_each_source(instruction, [&](Operand& operand) {
        for (auto it = original.find(operand.reg); it != original.end();
             it = original.find(operand.reg)) {
          operand.reg = it->second;
          changed = true;
        }
      });
    }
  }
  return changed;
}

// Instructions with the same operands in one block: the second becomes a copy of the first.
class ValueNumbering {
 public:
  explicit ValueNumbering(Kernel& kernel) : versions_(kernel.registers.size(), 0) {}

  bool run(Block& block) {
    bool changed = false;
    known_.clear();
    for (Instruction& instruction : block.code) {
      const bool candidate = is_pure(instruction) && instruction.defines() &&
                             !instruction.guard.exists() && instruction.flags == kNoRegister &&
                             !reads_variable_memory(instruction) && !is_copy(instruction);
      if (candidate) {
        if (const Known* found = find(instruction)) {
          Instruction copy;
          copy.operation = Operation::kMove;
          copy.type = isa::Type::kB32;
          copy.source = instruction.source;
          copy.destination = instruction.destination;
          copy.sources[0] = reg(found->instruction.destination.reg);
          instruction = copy;
          changed = true;
        }
      }
      const Key key = key_of(instruction);
      for_each_definition(instruction, [&](uint32_t v) { ++versions_[v]; });
      if (candidate && !is_copy(instruction)) {
        known_[instruction.operation].push_back(
            {instruction, key, versions_[instruction.destination.reg]});
      }
    }
    return changed;
  }

 private:
  using Key = std::vector<uint32_t>;  // versions of the source registers
  struct Known {
    Instruction instruction;
    Key key;
    uint32_t version;  // of the destination
  };

  Key key_of(const Instruction& instruction) const {
    Key key;
    for_each_source(instruction, [&](const Operand& operand) {
      key.push_back(operand.reg == kNoRegister ? 0 : versions_[operand.reg]);
    });
    return key;
  }

  const Known* find(const Instruction& instruction) {
    const Key key = key_of(instruction);
    for (const Known& known : known_[instruction.operation]) {
      const Instruction& other = known.instruction;
      const bool same =
          other.type == instruction.type && other.combine == instruction.combine &&
          other.compare == instruction.compare && other.rounding == instruction.rounding &&
          other.saturate == instruction.saturate && other.high == instruction.high &&
          other.round_to_integer == instruction.round_to_integer &&
          std::equal(std::begin(other.sources), std::end(other.sources), instruction.sources);
      if (same && known.key == key && versions_[other.destination.reg] == known.version) {
        return &known;
      }
    }
    return nullptr;
  }

  std::vector<uint32_t> versions_;
  std::map<Operation, std::vector<Known>> known_;
};

bool number_values(Kernel& kernel) {
  ValueNumbering numbering(kernel);
  bool changed = false;
  for (Block& block : kernel.blocks) changed |= numbering.run(block);
  return changed;
}

// Uses of `mov v, memory` that can take the memory operand themselves.
class OperandFolding {
 public:
  explicit OperandFolding(Kernel& kernel)
      : kernel_(kernel), definitions_(kernel), depths_(compiler::loop_depths(graph_of(kernel))) {}

  bool run() {
    bool changed = false;
    for (uint32_t v = 1; v < kernel_.registers.size(); ++v) {
      const auto place = definitions_.only(v);
      if (!place || !definitions_.is_static_single(v) || definitions_.uses(v).empty()) continue;
      const Instruction definition = at(*place);
      if (is_load(definition)) changed |= fold_load(v, definition, *place);
      if (is_negation(definition)) changed |= fold_negation(v, definition);
    }
    return changed;
  }

 private:
  const Instruction& at(const Place& place) const {
    return kernel_.blocks[place.block].code[place.index];
  }

  static bool is_load(const Instruction& instruction) {
    const bool load = instruction.operation == Operation::kMove ||
                      instruction.operation == Operation::kLoadConstant;
    return load && (instruction.sources[0].kind == Operand::Kind::kShared ||
                    instruction.sources[0].kind == Operand::Kind::kConstant);
  }

  bool is_negation(const Instruction& instruction) const {
    return instruction.operation == Operation::kXor && instruction.sources[0].is_register() &&
           instruction.sources[0].plain() && instruction.sources[1].is_immediate() &&
           static_cast<uint32_t>(instruction.sources[1].value) == kSignBit &&
           definitions_.is_static_single(instruction.sources[0].reg);
  }

  // All uses or none: a value that stays in a register costs nothing to use again.  Beside another
  // register, memory that no register addresses is read in the same time.
  bool fold_load(uint32_t v, const Instruction& load, const Place& place) {
    const auto& uses = definitions_.uses(v);
    const Operand& memory = load.sources[0];
    const bool fixed =
        memory.reg == kNoRegister && (memory.invariant || memory.kind == Operand::Kind::kConstant);
    if (!fixed && (uses.size() > 1 || !undisturbed(place, uses.front()))) return false;
    if (uses.size() > kMostFolded) return false;
    for (const Place& use : uses) {
      if (depths_[use.block] > depths_[place.block]) return false;
      if (use.index >= kernel_.blocks[use.block].code.size()) return false;
      if (!with_memory_operand(kernel_, at(use), v, memory)) return false;
    }
    for (const Place& use : uses) {
      Instruction& user = kernel_.blocks[use.block].code[use.index];
      user = *with_memory_operand(kernel_, user, v, memory);
    }
    return true;
  }

  // Nothing between the two places writes the memory or the address.
  bool undisturbed(const Place& from, const Place& to) const {
    if (from.block != to.block) return false;
    const auto& code = kernel_.blocks[from.block].code;
    if (to.index >= code.size()) return false;
    const uint32_t base = code[from.index].sources[0].reg;
    for (uint32_t i = from.index + 1; i < to.index; ++i) {
      if (is_store(code[i]) || code[i].operation == Operation::kBarrier || is_call(code[i]))
        return false;
      if (kernel_.ordered_loads && reads_variable_memory(code[i])) return false;
      bool rewritten = false;
      for_each_definition(code[i], [&](uint32_t v) { rewritten |= v == base; });
      if (rewritten) return false;
    }
    return true;
  }

  // x ^ sign bit as an operand of float operations.
  bool fold_negation(uint32_t v, const Instruction& negation) {
    bool changed = false;
    for (const Place& use : definitions_.uses(v)) {
      auto& code = kernel_.blocks[use.block].code;
      if (use.index >= code.size()) continue;
      Instruction user = code[use.index];
      if (!can_negate(user.operation)) continue;
      for (unsigned i = 0; i < 3; ++i) {
        Operand& source = user.sources[i];
        if (!source.is_register() || source.reg != v) continue;
        source.reg = negation.sources[0].reg;
        // The sign of a product belongs to its first factor.
        const bool product = user.operation != Operation::kFloatAdd && i == 1;
        Operand& sign = product ? user.sources[0] : source;
        sign.negate = !sign.negate;
      }
      if (!encodable(kernel_, user)) continue;
      code[use.index] = user;
      changed = true;
    }
    return changed;
  }

  static bool can_negate(Operation operation) {
    return operation == Operation::kFloatAdd || operation == Operation::kFloatMultiply ||
           operation == Operation::kFloatMultiplyAdd;
  }

  Kernel& kernel_;
  Definitions definitions_;
  std::vector<uint32_t> depths_;
};

// Shifts and constant sums that lead to an address in s[], c[] or l[]: R2A shifts by itself, and
// the operand has an offset.
class AddressFolding {
 public:
  explicit AddressFolding(Kernel& kernel) : kernel_(kernel), definitions_(kernel) {}

  bool run() {
    bool changed = false;
    for (uint32_t v = 1; v < kernel_.registers.size(); ++v) {
      const auto place = definitions_.only(v);
      if (!place || !definitions_.is_static_single(v) || definitions_.uses(v).empty()) continue;
      const Instruction definition = kernel_.blocks[place->block].code[place->index];
      const Operand& from = definition.sources[0];
      if (!from.is_register() || !from.plain() || !definition.sources[1].is_immediate()) continue;
      if (!definitions_.is_static_single(from.reg) || !foldable(definition)) continue;
      const auto& uses = definitions_.uses(v);
      std::vector<Place> addresses;
      std::copy_if(uses.begin(), uses.end(), std::back_inserter(addresses),
                   [&](const Place& use) { return is_address(use, v, definition); });
      if (addresses.size() < uses.size() && !only_addresses_later(v, *place, definition)) continue;
      for (const Place& use : addresses) {
        for_each_source(kernel_.blocks[use.block].code[use.index],
                        [&](Operand& operand) { fold(operand, v, definition); });
      }
      changed = true;
    }
    return changed;
  }

 private:
  static bool foldable(const Instruction& definition) {
    if (definition.flags != kNoRegister || definition.saturate) return false;
    if (definition.operation == Operation::kShiftLeft) return true;
    return definition.operation == Operation::kAdd && definition.combine == isa::Combine::kAdd;
  }

  // What else uses v does so in its own block: behind that, v need not be kept for its addresses.
  bool only_addresses_later(uint32_t v, const Place& place, const Instruction& definition) const {
    bool later = false;
    for (const Place& use : definitions_.uses(v)) {
      if (use.block == place.block) continue;
      if (!is_address(use, v, definition)) return false;
      later = true;
    }
    return later;
  }

  bool is_address(const Place& use, uint32_t v, const Instruction& definition) const {
    const auto& code = kernel_.blocks[use.block].code;
    if (use.index >= code.size() || !code[use.index].arguments.empty()) return false;
    bool all = true;
    for_each_source(code[use.index], [&](const Operand& operand) {
      if (operand.reg != v) return;
      const bool fits = definition.operation == Operation::kAdd ||
                        definition.sources[1].value + operand.shift <= kLargestShift;
      all &= operand.is_memory() && operand.kind != Operand::Kind::kGlobal && fits;
    });
    return all;
  }

  static void fold(Operand& operand, uint32_t v, const Instruction& definition) {
    if (operand.reg != v) return;
    operand.reg = definition.sources[0].reg;
    const auto number = static_cast<uint32_t>(definition.sources[1].value);
    if (definition.operation == Operation::kShiftLeft) {
      operand.shift = static_cast<uint8_t>(operand.shift + number);
    } else {
      // Addresses have 16 bits.
      const uint32_t sum = static_cast<uint32_t>(operand.value) + (number << operand.shift);
      operand.value = static_cast<int16_t>(sum);
    }
  }

  static constexpr int32_t kLargestShift = 15;
  Kernel& kernel_;
  Definitions definitions_;
};

}  // namespace

// Where nobody wants what was in memory, an atomic operation need not return it.
void drop_result(Instruction& instruction) {
  const Operation reduction = reduction_of(instruction.operation);
  if (reduction == Operation::kNone) return;
  instruction.operation = reduction;
  instruction.destination = instruction.sources[0];
  instruction.sources[0] = instruction.sources[1];
  instruction.sources[1] = {};
}

void remove_dead_code(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  const compiler::Liveness live = live_registers(kernel, graph);
  for (size_t b = 0; b < kernel.blocks.size(); ++b) {
    Block& block = kernel.blocks[b];
    compiler::BitSet after = live.out[b];
    if (block.guard.exists()) after.insert(block.guard.condition);
    std::vector<Instruction> kept;
    for (size_t i = block.code.size(); i-- > 0;) {
      Instruction instruction = block.code[i];
      const bool wanted =
          !is_pure(instruction) && instruction.operation != Operation::kMoveFromSpecial;
      bool read = false;
      for_each_definition(instruction, [&](uint32_t v) { read |= after.contains(v); });
      if (!wanted && !read) continue;
      if (!read) drop_result(instruction);
      step_back(instruction, after);
      kept.push_back(instruction);
    }
    std::reverse(kept.begin(), kept.end());
    block.code = std::move(kept);
  }
}

void optimise(Kernel& kernel) {
  remove_dead_code(kernel);
  for (unsigned round = 0; round < kMostRounds; ++round) {
    bool changed = propagate_copies(kernel);
    changed |= number_values(kernel);
    if (!changed) changed = share_sums(kernel);
    if (!changed) changed = AddressFolding(kernel).run();
    if (!changed) changed = OperandFolding(kernel).run();
    remove_dead_code(kernel);
    if (!changed) return;
  }
}

}  // namespace gvp::kcc::g80
