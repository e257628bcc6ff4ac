// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/library.h"

#include <vector>

#include "tools/ptx/parser.h"

namespace gvp::kcc {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

// Unsigned division as NVIDIA's compiler does it on sm_10 (g80.md, "Integer division"): two
// estimates from a reciprocal that is rounded down, then one correction.  Exact for every pair as
// long as the reciprocal is off by at most one unit.  Division by zero gives ~0.
const char kText[] = R"(
.func (.reg .u32 %q) __kcc_div_u32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .f32 %f<6>;
  .reg .u32 %r<8>;
  .reg .pred %p<3>;
  cvt.rn.f32.u32 %f1, %b;
  rcp.approx.f32 %f2, %f1;
  mov.b32 %r1, %f2;
  add.u32 %r1, %r1, -2;
  mov.b32 %f3, %r1;
  cvt.rz.f32.u32 %f4, %a;
  mul.rz.f32 %f4, %f4, %f3;
  cvt.rzi.u32.f32 %r2, %f4;
  mul.lo.u32 %r3, %r2, %b;
  sub.u32 %r3, %a, %r3;
  cvt.rz.f32.u32 %f5, %r3;
  mul.rz.f32 %f5, %f5, %f3;
  cvt.rzi.u32.f32 %r4, %f5;
  add.u32 %r5, %r2, %r4;
  mul.lo.u32 %r6, %r5, %b;
  sub.u32 %r6, %a, %r6;
  setp.ge.u32 %p1, %r6, %b;
  selp.b32 %r7, 1, 0, %p1;
  add.u32 %q, %r5, %r7;
  setp.eq.u32 %p2, %b, 0;
  @%p2 mov.u32 %q, 4294967295;
  ret;
}
.func (.reg .u32 %m) __kcc_rem_u32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<3>;
  call.uni (%r1), __kcc_div_u32, (%a, %b);
  mul.lo.u32 %r2, %r1, %b;
  sub.u32 %m, %a, %r2;
  ret;
}
.func (.reg .u32 %q) __kcc_div_s32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<7>;
  abs.s32 %r1, %a;
  abs.s32 %r2, %b;
  call.uni (%r3), __kcc_div_u32, (%r1, %r2);
  xor.b32 %r4, %a, %b;
  shr.s32 %r4, %r4, 31;
  add.u32 %r5, %r3, %r4;
  xor.b32 %q, %r5, %r4;
  ret;
}
.func (.reg .u32 %m) __kcc_rem_s32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<7>;
  abs.s32 %r1, %a;
  abs.s32 %r2, %b;
  call.uni (%r3), __kcc_rem_u32, (%r1, %r2);
  shr.s32 %r4, %a, 31;
  add.u32 %r5, %r3, %r4;
  xor.b32 %m, %r5, %r4;
  ret;
}
.func (.reg .f32 %q) __kcc_div_f32(.reg .f32 %a, .reg .f32 %b)
{
  .reg .f32 %f<6>;
  .reg .pred %p<2>;
  abs.f32 %f1, %b;
  setp.gt.f32 %p1, %f1, 0f7E800000;
  mov.f32 %f2, %a;
  mov.f32 %f3, %b;
  @%p1 mul.f32 %f2, %f2, 0f3E800000;
  @%p1 mul.f32 %f3, %f3, 0f3E800000;
  rcp.approx.f32 %f4, %f3;
  mul.f32 %q, %f2, %f4;
  ret;
}
)";

const char* routine_for(const ptx::Instruction& instruction) {
  const bool division = instruction.opcode == Opcode::kDiv;
  if (!division && instruction.opcode != Opcode::kRem) return nullptr;
  switch (instruction.type) {
    case Type::kU16:
    case Type::kU32:
      return division ? "__kcc_div_u32" : "__kcc_rem_u32";
    case Type::kS16:
    case Type::kS32:
      return division ? "__kcc_div_s32" : "__kcc_rem_s32";
    case Type::kF32:
      return division && !instruction.approximate ? "__kcc_div_f32" : nullptr;
    default:
      return nullptr;
  }
}

class Replacement {
 public:
  Replacement(ptx::Function& function, const ptx::Instruction& original)
      : function_(function), original_(original) {}

  std::vector<ptx::Instruction> run(const char* routine) {
    ptx::Instruction call = plain(Opcode::kCall);
    call.callee = routine;
    call.call_arguments = {argument(1), argument(2)};
    const bool guarded = original_.guard != ptx::kNoIndex;
    const Operand result = guarded ? fresh() : original_.operands[0];
    call.call_results = {result};
    code_.push_back(std::move(call));
    if (guarded) {
      ptx::Instruction move = plain(Opcode::kMov);
      move.type = Type::kB32;
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

  Operand fresh() {
    Operand operand;
    operand.kind = Operand::Kind::kRegister;
    operand.index = static_cast<uint32_t>(function_.registers.size());
    operand.position = original_.position;
    function_.registers.push_back({"routine", Type::kB32});
    return operand;
  }

  // The routines take 32 bits.
  Operand argument(size_t index) {
    if (ptx::bytes(original_.type) == 4) return original_.operands[index];
    ptx::Instruction convert = plain(Opcode::kCvt);
    convert.type = original_.type == Type::kS16 ? Type::kS32 : Type::kU32;
    convert.source_type = original_.type;
    convert.operands = {fresh(), original_.operands[index]};
    code_.push_back(convert);
    return convert.operands[0];
  }

  ptx::Function& function_;
  const ptx::Instruction& original_;
  std::vector<ptx::Instruction> code_;
};

}  // namespace

void add_library(ptx::Module& module) {
  // The routines use no variables, so that they fit every module.
  ptx::Module library = ptx::parse("library", kText);
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

}  // namespace gvp::kcc
