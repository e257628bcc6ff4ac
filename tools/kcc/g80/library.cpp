// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/library.h"

#include <vector>

#include "tools/kcc/g80/library_text.h"
#include "tools/ptx/parser.h"

namespace gvp::kcc::g80 {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

const char* division_routine(const ptx::Instruction& instruction) {
  const bool division = instruction.opcode == Opcode::kDiv;
  // No routine rounds in a given direction: refused later.
  if (instruction.rounding > ptx::Rounding::kNearest) return nullptr;
  switch (instruction.type) {
    case Type::kU16:
    case Type::kU32:
      return division ? "__kcc_div_u32" : "__kcc_rem_u32";
    case Type::kS16:
    case Type::kS32:
      return division ? "__kcc_div_s32" : "__kcc_rem_s32";
    case Type::kU64:
      return division ? "__kcc_div_u64" : "__kcc_rem_u64";
    case Type::kS64:
      return division ? "__kcc_div_s64" : "__kcc_rem_s64";
    case Type::kF32:
      return division && !instruction.approximate ? "__kcc_div_f32" : nullptr;
    default:
      return nullptr;
  }
}

bool is_wide(Type type) { return ptx::is_integer(type) && ptx::bytes(type) == 8; }

// Between floats and 64-bit integers; to other integers than towards zero in two steps (see
// rounded()).
const char* conversion_routine(const ptx::Instruction& instruction) {
  const Type type = instruction.type;
  const Type from = instruction.source_type;
  const auto rounding = instruction.rounding;
  if (instruction.saturate) return nullptr;
  if (type == Type::kF32 && is_wide(from)) {
    if (rounding > ptx::Rounding::kNearest) return nullptr;
    return ptx::is_signed(from) ? "__kcc_float_s64" : "__kcc_float_u64";
  }
  if (is_wide(type) && from == Type::kF32)
    return ptx::is_signed(type) ? "__kcc_s64_float" : "__kcc_u64_float";
  return nullptr;
}

const char* routine_for(const ptx::Instruction& instruction) {
  const Type type = instruction.type;
  const bool wide = is_wide(type);
  const bool word = type == Type::kB32 || type == Type::kU32 || type == Type::kS32;
  switch (instruction.opcode) {
    case Opcode::kDiv:
    case Opcode::kRem:
      return division_routine(instruction);
    case Opcode::kPopc:
      return word ? "__kcc_popc" : wide ? "__kcc_popc_64" : nullptr;
    case Opcode::kClz:
      return word ? "__kcc_clz" : wide ? "__kcc_clz_64" : nullptr;
    case Opcode::kBrev:
      return word ? "__kcc_brev" : wide ? "__kcc_brev_64" : nullptr;
    case Opcode::kMul:
      if (!wide || instruction.half != ptx::Half::kHigh) return nullptr;
      return ptx::is_signed(type) ? "__kcc_high_s64" : "__kcc_high_u64";
    case Opcode::kCvt:
      return conversion_routine(instruction);
    case Opcode::kBfi:
      return word ? "__kcc_bfi" : nullptr;
    case Opcode::kPrmt:
      return word && instruction.modifier.empty() ? "__kcc_prmt" : nullptr;
    case Opcode::kBfe:  // a field that is known is two shifts
      if (!word ||
          (instruction.operands[2].is_immediate() && instruction.operands[3].is_immediate()))
        return nullptr;
      return type == Type::kS32 ? "__kcc_bfe_s32" : "__kcc_bfe_u32";
    default:
      return nullptr;
  }
}

class Replacement {
 public:
  Replacement(ptx::Function& function, const ptx::Instruction& original)
      : function_(function), original_(original) {}

  std::vector<ptx::Instruction> run(const char* routine) {
    result_type_ = original_.opcode == Opcode::kPopc || original_.opcode == Opcode::kClz
                       ? Type::kB32
                       : original_.type;
    ptx::Instruction call = plain(Opcode::kCall);
    call.callee = routine;
    for (size_t i = 1; i < original_.operands.size(); ++i)
      call.call_arguments.push_back(argument(i));
    const bool guarded = original_.guard != ptx::kNoIndex;
    const Operand result = guarded ? fresh(result_type_) : original_.operands[0];
    call.call_results = {result};
    code_.push_back(std::move(call));
    if (guarded) {
      ptx::Instruction move = plain(Opcode::kMov);
      move.type = result_type_;
      move.guard = original_.guard;
      move.guard_negated = original_.guard_negated;
      move.operands = {original_.operands[0], result};
      code_.push_back(std::move(move));
    }
    return std::move(code_);
  }

 private:
  ptx::Instruction plain(Opcode opcode) const {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.position = original_.position;
    instruction.source = original_.source;
    return instruction;
  }

  Operand fresh(Type type) {
    Operand operand;
    operand.kind = Operand::Kind::kRegister;
    operand.index = static_cast<uint32_t>(function_.registers.size());
    operand.position = original_.position;
    function_.registers.push_back({"routine", type});
    return operand;
  }

  // The routines take 32 bits or 64.
  Operand argument(size_t index) {
    if (original_.opcode == Opcode::kCvt) return rounded(original_.operands[index]);
    if (ptx::bytes(original_.type) >= 4) return original_.operands[index];
    ptx::Instruction convert = plain(Opcode::kCvt);
    convert.type = original_.type == Type::kS16 ? Type::kS32 : Type::kU32;
    convert.source_type = original_.type;
    convert.operands = {fresh(convert.type), original_.operands[index]};
    code_.push_back(convert);
    return convert.operands[0];
  }

  // Where a float becomes another integer than the one towards zero.
  Operand rounded(const Operand& operand) {
    const bool towards_zero = original_.rounding == ptx::Rounding::kZero;
    if (!is_wide(original_.type) || towards_zero) return operand;
    ptx::Instruction round = plain(Opcode::kCvt);
    round.type = Type::kF32;
    round.source_type = Type::kF32;
    round.rounding = original_.rounding;
    round.to_integer = true;
    round.operands = {fresh(Type::kF32), operand};
    code_.push_back(round);
    return round.operands[0];
  }

  Type result_type_ = Type::kB32;
  ptx::Function& function_;
  const ptx::Instruction& original_;
  std::vector<ptx::Instruction> code_;
};

}  // namespace

void add_library(ptx::Module& module) {
  // The routines use no variables, so that they fit every module.
  ptx::Module library = ptx::parse("library", kLibraryText);
  for (ptx::Function& function : library.functions) {
    function.library = true;
    module.functions.push_back(std::move(function));
  }
}

void call_library(ptx::Function& function) {
  std::vector<ptx::Instruction> body;
  for (const ptx::Instruction& instruction : function.body) {
    const char* routine = routine_for(instruction);
    const bool usable = routine != nullptr && instruction.operands[0].is_register();
    if (!usable) {
      body.push_back(instruction);
      continue;
    }
    for (auto& replacement : Replacement(function, instruction).run(routine)) {
      body.push_back(std::move(replacement));
    }
  }
  function.body = std::move(body);
}

}  // namespace gvp::kcc::g80
