// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/generic.h"

#include <memory>
#include <utility>
#include <vector>

#include "tools/ptx/rewriting.h"
#include "tools/ptx/values.h"

namespace gvp::ptx {
namespace {

unsigned bit(Space space) { return 1U << static_cast<unsigned>(space); }

uint32_t window_of(Space space) {
  switch (space) {
    case Space::kConstant:
      return kConstantWindow;
    case Space::kLocal:
      return kLocalWindow;
    case Space::kShared:
      return kSharedWindow;
    default:
      return 0;
  }
}

class Resolver : private Rewriting {
 public:
  Resolver(const Module& module, Function& function, unsigned converted)
      : Rewriting(function, "generic"),
        addresses_(module.symbols.size(), 0),
        values_(module, function, addresses_),
        converted_(converted) {}

  const Values& values() const { return values_; }

  // Whether windows are needed.
  bool resolve() {
    for (Instruction& instruction : function_.body) resolve(instruction);
    return windows_;
  }
  void use_windows() {
    rewrite_body([this](const Instruction& instruction) { rewrite(instruction); });
  }

 private:
  static bool is_atomic(const Instruction& instruction) {
    return instruction.opcode == Opcode::kAtom || instruction.opcode == Opcode::kRed;
  }
  static bool is_access(const Instruction& instruction) {
    return instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kLdu ||
           instruction.opcode == Opcode::kSt || is_atomic(instruction);
  }
  static bool is_generic(const Instruction& instruction) {
    return is_access(instruction) && instruction.space == Space::kGeneric;
  }
  static size_t memory_index(const Instruction& access) {
    return access.opcode == Opcode::kSt || access.opcode == Opcode::kRed ? 0 : 1;
  }
  static const Operand& memory_of(const Instruction& access) {
    return access.operands[memory_index(access)];
  }
  static Operand& memory_of(Instruction& access) { return access.operands[memory_index(access)]; }

  unsigned spaces_of(const Instruction& access) const {
    const Values::Target target = values_.target(memory_of(access));
    unsigned spaces = target.spaces;
    if (target.anything || spaces == 0) spaces |= bit(Space::kGlobal) | converted_;
    // Nothing can be stored there; what comes from elsewhere can.
    if (access.opcode == Opcode::kSt) spaces &= ~bit(Space::kConstant);
    // Atomic operations are for these two; one that can be for neither stays generic, which code
    // generators refuse.
    if (is_atomic(access)) spaces &= bit(Space::kGlobal) | bit(Space::kShared);
    return spaces;
  }

  // Where there is one space only; else windows are needed.
  void resolve(Instruction& instruction) {
    if (!is_generic(instruction)) return;
    const unsigned spaces = spaces_of(instruction);
    for (const Space space : {Space::kGlobal, Space::kShared, Space::kLocal, Space::kConstant}) {
      if (spaces == bit(space)) {
        instruction.space = space;
        resolved_.push_back(&instruction);
        return;
      }
    }
    windows_ |= spaces != 0;
  }

  bool was_generic(const Instruction& instruction) const {
    for (const Instruction* each : resolved_)
      if (each == &instruction) return true;
    return false;
  }

  // The address without its window.
  Instruction with_offset_only(const Instruction& access) {
    Instruction out = access;
    Operand& memory = memory_of(out);
    if (memory.index == kNoIndex) return out;
    const Operand offset = fresh(Type::kB32);
    Operand base = offset;
    base.index = memory.index;
    out_.push_back(plain(Opcode::kAnd, Type::kB32, {offset, base, word(0xffff)}));
    memory.index = offset.index;
    return out;
  }

  void rewrite(const Instruction& in) {
    if (in.opcode == Opcode::kCvta && window_of(in.space) != 0) {
      Instruction out = in;
      out.opcode = in.to_space ? Opcode::kAnd : Opcode::kAdd;
      out.type = Type::kU32;
      out.space = Space::kGeneric;
      out.to_space = false;
      out.operands.push_back(word(in.to_space ? 0xffff : window_of(in.space) << 16));
      out_.push_back(std::move(out));
      return;
    }
    if (is_generic(in)) return choose(in);
    if (is_access(in) && window_of(in.space) != 0 && was_generic(in)) {
      out_.push_back(with_offset_only(in));
      return;
    }
    out_.push_back(in);
  }

  void choose(const Instruction& access) {
    const unsigned spaces = spaces_of(access);
    const Operand& memory = memory_of(access);
    const Operand address = fresh(Type::kB32);
    Operand base = address;
    base.index = memory.index;
    out_.push_back(plain(Opcode::kAdd, Type::kU32,
                         {address, base, word(static_cast<uint32_t>(memory.value))}));
    const Operand window = fresh(Type::kB32);
    out_.push_back(plain(Opcode::kShr, Type::kU32, {window, address, word(16)}));
    for (const Space space : {Space::kGlobal, Space::kShared, Space::kLocal, Space::kConstant}) {
      if ((spaces & bit(space)) != 0) choose(access, space, address, window);
    }
  }

  void choose(const Instruction& access, Space space, const Operand& address,
              const Operand& window) {
    const Operand here = fresh(Type::kPredicate);
    const bool global = space == Space::kGlobal;
    Instruction test = plain(Opcode::kSetp, Type::kU32,
                             {here, window, word(global ? kConstantWindow : window_of(space))});
    test.compare = global ? Compare::kLo : Compare::kEq;
    if (access.guard != kNoIndex) {
      Operand guard = here;
      guard.index = access.guard;
      guard.negated = access.guard_negated;
      test.combine = Combine::kAnd;
      test.operands.push_back(guard);
    }
    out_.push_back(std::move(test));
    Instruction out = access;
    out.space = space;
    Operand& memory = memory_of(out);
    memory.index = address.index;
    memory.value = 0;
    if (!global) out = with_offset_only(out);
    out.guard = here.index;
    out.guard_negated = false;
    out_.push_back(std::move(out));
  }

  std::vector<uint32_t> addresses_;
  Values values_;
  unsigned converted_;  // spaces that generic addresses were made of
  bool windows_ = false;
  std::vector<const Instruction*> resolved_;
};

unsigned converted_spaces(const std::vector<Function>& functions) {
  unsigned spaces = 0;
  for (const Function& function : functions)
    for (const Instruction& instruction : function.body)
      if (instruction.opcode == Opcode::kCvta && !instruction.to_space)
        spaces |= bit(instruction.space);
  return spaces;
}

// The functions that this one calls are told what their parameters may point to.
void tell_called(const Function& caller, const Values& values, std::vector<Function>& functions) {
  for (const Instruction& call : caller.body) {
    if (call.opcode != Opcode::kCall) continue;
    for (Function& callee : functions) {
      if (callee.name != call.callee) continue;
      callee.parameter_spaces.resize(callee.parameters.size(), 0);
      for (size_t i = 0; i < call.call_arguments.size(); ++i)
        callee.parameter_spaces[i] |= values.pointers(call.call_arguments[i]);
    }
  }
}

}  // namespace

void resolve_generic(const Module& module, std::vector<Function>& functions) {
  const unsigned converted = converted_spaces(functions);
  std::vector<std::unique_ptr<Resolver>> resolvers;
  bool windows = false;
  for (size_t i = functions.size(); i-- > 0;) {
    resolvers.push_back(std::make_unique<Resolver>(module, functions[i], converted));
    tell_called(functions[i], resolvers.back()->values(), functions);
    windows |= resolvers.back()->resolve();
  }
  // Pointers pass from one function to another, so all have windows or none.
  if (!windows) return;
  for (const auto& resolver : resolvers) resolver->use_windows();
}

}  // namespace gvp::ptx
