// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/shared_atomics.h"

#include <utility>

#include "tools/ptx/rewriting.h"

namespace gvp::ptx {
namespace {

bool is_word(Type type) { return type == Type::kB32 || type == Type::kU32 || type == Type::kS32; }

class Expansion : private Rewriting {
 public:
  explicit Expansion(Function& function) : Rewriting(function, "locked") {}

  void run() {
    rewrite_body([this](const Instruction& instruction) {
      if (is_expanded(instruction)) {
        expand();
      } else {
        out_.push_back(instruction);
      }
    });
  }

 private:
  static bool is_expanded(const Instruction& in) {
    if ((in.opcode != Opcode::kAtom && in.opcode != Opcode::kRed) || in.space != Space::kShared)
      return false;
    const bool exchange = in.modifier == "exch";
    const bool known = in.modifier == "add" || in.modifier == "inc" || in.modifier == "dec" ||
                       in.modifier == "min" || in.modifier == "max" || in.modifier == "and" ||
                       in.modifier == "or" || in.modifier == "xor" || in.modifier == "cas" ||
                       exchange;
    const size_t operands =
        (in.opcode == Opcode::kAtom ? 2U : 1U) + (in.modifier == "cas" ? 2U : 1U);
    return known && in.operands.size() == operands &&
           (is_word(in.type) || (exchange && in.type == Type::kF32));
  }

  // The thread goes round until it has found the word free.
  void expand() {
    const Instruction& in = *current_;
    const bool returns = in.opcode == Opcode::kAtom;
    const Operand& memory = in.operands[returns ? 1 : 0];
    const Operand end = label("locked_end");
    if (in.guard != kNoIndex) {
      Operand guard = end;
      guard.index = in.guard;
      branch(end, guard, !in.guard_negated);
    }
    const Operand again = label("locked");
    place(again);
    const Operand old = fresh(Type::kB32);
    const Operand free = fresh(Type::kPredicate);
    Instruction load = plain(Opcode::kAtom, Type::kB32, {old, memory});
    load.space = Space::kShared;
    load.locked = true;
    load.second_destination = free;
    out_.push_back(std::move(load));
    Instruction store = plain(Opcode::kRed, Type::kB32, {memory, result(old, returns ? 2 : 1)});
    store.space = Space::kShared;
    store.locked = true;
    store.guard = free.index;
    out_.push_back(std::move(store));
    branch(again, free, true);
    if (returns && in.operands[0].is_register())
      add(Opcode::kMov, Type::kB32, in.operands[0], {old});
    if (in.guard != kNoIndex) place(end);
  }

  // What the operation leaves in memory; its operands begin at `first`.
  Operand result(const Operand& old, size_t first) {
    const Instruction& in = *current_;
    const Operand& value = in.operands[first];
    const std::string& name = in.modifier;
    if (name == "exch") return value;
    if (name == "cas")
      return chosen(compared(Compare::kEq, old, value), in.operands[first + 1], old);
    if (name == "inc") {
      const Operand next = computed(Opcode::kAdd, Type::kU32, old, word(1));
      return chosen(compared(Compare::kGe, old, value), word(0), next);
    }
    if (name == "dec") {  // 0 - 1 is above all
      const Operand next = computed(Opcode::kSub, Type::kU32, old, word(1));
      return chosen(compared(Compare::kGe, next, value), value, next);
    }
    const Type ordered = in.type == Type::kS32 ? Type::kS32 : Type::kU32;
    if (name == "add") return computed(Opcode::kAdd, Type::kU32, old, value);
    if (name == "min") return computed(Opcode::kMin, ordered, old, value);
    if (name == "max") return computed(Opcode::kMax, ordered, old, value);
    if (name == "and") return computed(Opcode::kAnd, Type::kB32, old, value);
    if (name == "or") return computed(Opcode::kOr, Type::kB32, old, value);
    return computed(Opcode::kXor, Type::kB32, old, value);
  }

  Operand computed(Opcode opcode, Type type, const Operand& a, const Operand& b) {
    Operand destination = fresh(type);
    add(opcode, type, destination, {a, b});
    return destination;
  }
  Operand compared(Compare compare, const Operand& a, const Operand& b) {
    Operand destination = fresh(Type::kPredicate);
    add(Opcode::kSetp, Type::kU32, destination, {a, b});
    out_.back().compare = compare;
    return destination;
  }
  Operand chosen(const Operand& condition, const Operand& if_true, const Operand& if_false) {
    Operand destination = fresh(Type::kB32);
    add(Opcode::kSelp, Type::kB32, destination, {if_true, if_false, condition});
    return destination;
  }

  void add(Opcode opcode, Type type, const Operand& destination,
           const std::vector<Operand>& sources) {
    Instruction out = plain(opcode, type, {destination});
    out.operands.insert(out.operands.end(), sources.begin(), sources.end());
    out_.push_back(std::move(out));
  }
  void branch(const Operand& target, const Operand& guard, bool negated) {
    Instruction out = plain(Opcode::kBra, Type::kNone, {target});
    out.guard = guard.index;
    out.guard_negated = negated;
    out_.push_back(std::move(out));
  }
  void place(const Operand& target) {
    out_.push_back(plain(Opcode::kLabel, Type::kNone, {target}));
  }

  Operand label(const char* name) {
    Operand operand;
    operand.kind = Operand::Kind::kLabel;
    operand.index = static_cast<uint32_t>(function_.labels.size());
    operand.position = current_->position;
    function_.labels.push_back({name, true, current_->position});
    return operand;
  }
};

}  // namespace

void expand_shared_atomics(Function& function) { Expansion(function).run(); }

}  // namespace gvp::ptx
