// SPDX-License-Identifier: Apache-2.0
// What the assembler says of each mistake, where, and with which remedy; and what lies just within
// the limits that these mistakes exceed.
#include <gtest/gtest.h>

#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"

namespace gvp::gpgpu::g80 {
namespace {

struct Mistake {
  const char* source;
  const char* text;  // with line and column
  const char* remedy;
};

// clang-format off
constexpr Mistake kMistakes[] = {
    {".regs", "1:6: number of registers expected: a number", ""},
    {".regs 129", "1:7: number of registers is too large", "at most 128"},
    {".regs x", "1:7: number of registers expected: a number", ""},
    {".regs -1", "1:7: number of registers is too large", "at most 128"},
    {".local 65537", "1:8: local memory is too large", "at most 65536"},
    {".bar 17", "1:6: number of barriers is too large", "at most 16"},
    {".kernel", "1:8: the name of the kernel is missing", ""},
    {".kernel k\n.end\n.kernel k", " kernel \"k\" has no instruction", ""},
    {".end", "1:1: .end without .kernel", ""},
    {".kernel k\n.end\n.end", " kernel \"k\" has no instruction", ""},
    {".align 4 4", "1:10: unexpected \"4\"", ""},
    {".align 2", "1:1: code aligns to 4 or 8", ""},
    {".align 9", "1:8: alignment is too large", "at most 8"},
    {".word", "1:6: word expected: a number", ""},
    {".word 1,", "1:9: word expected: a number", ""},
    {".word 1 2", "1:9: unexpected \"2\"", ""},
    {".noalign 1", "1:10: unexpected \"1\"", ""},
    {".frob", "1:1: unknown directive .frob", ""},
    {".shard 4", "1:1: unknown directive .shard", "did you mean .shared?"},
    {".kernel k\n.param a 257", "2:10: parameter is too large", "at most 256"},
    {".kernel k\n.param 1", " kernel \"k\" has no instruction", ""},
    {".kernel k\n.param a 128, b 128, c", "2:22: more than 256 bytes of parameters", ""},
    {".kernel k\n.param a, a", "2:11: \"a\" is defined already", ""},
    {".kernel k\n.shared 4\n.param a", "3:8: parameters come before .shared", ""},
    {".kernel k\n.shared", "2:8: bytes, or a name and bytes, are expected", ""},
    {".kernel k\n.shared ,4", "2:9: bytes, or a name and bytes, are expected", ""},
    {".kernel k\n.shared t 4", "2:11: ',' expected after the name, not \"4\"", ""},
    {".kernel k\n.shared t, 16385", "2:12: shared memory is too large", "at most 16384"},
    {".kernel k\n.shared 16384", "2:9: shared memory exceeds 16384 bytes", "this kernel has 16400, header and parameters included"},
    {".kernel k\n.shared t, 4\n.shared t, 4", "3:9: \"t\" is defined already", ""},
    {".const 1, 2", "1:11: a constant bank is expected", "as in .const c1[0x0], 0x3ff"},
    {".const c16[0], 1", "1:8: a constant bank is expected", "as in .const c1[0x0], 0x3ff"},
    {".const c1[2], 1", "1:8: the offset is not a multiple of 4", ""},
    {".const c1[65536], 1", "1:11: offset is too large", "at most 65535"},
    {".const c1[0] 1", "1:14: ',' expected after the address, not \"1\"", ""},
    {".const c1 0], 1", "1:11: '[' expected after the bank, not \"0]\"", ""},
    {".const c1[0, 1", "1:12: ']' expected after the offset, not \",\"", ""},
    {".const c1[0], [65537]", "1:16: size is too large", "at most 65536"},
    {".const c1[0], [4", "1:17: ']' is missing after the size", ""},
    {".const c1[4], [65533]", "1:8: a constant bank has 65536 bytes", ""},
    {".const c1[0],", "1:14: word expected: a number", ""},
    {".const a, c1[0], 1\n.const a, c1[4], 1", "2:8: \"a\" is defined already", ""},
    {".kernel k\n.const a, c1[0], 1\n.const a, c1[4], 1", "3:8: \"a\" is defined already", ""},
    {".kernel k\n.global v, 4", "2:9: .global comes before .kernel", ""},
    {".global", "1:8: the name of the variable is expected", ""},
    {".global v", "1:10: ',' is missing after the name", ""},
    {".global v, 4\n.global v, 4", "2:9: \"v\" is defined already", ""},
    {".global v,", "1:11: a constant bank is expected", "as in .global counter, c14[0x0], [4]"},
    {"a:", " kernel \"kernel\" has no instruction", ""},
    {"a: a: RET", "1:4: label \"a\" is defined already", "in line 1"},
    {"NOSUCH", "1:1: unknown instruction NOSUCH", ""},
    {"MOVV R1, R2", "1:1: unknown instruction MOVV", "did you mean MOV?"},
    {"@ MOV R1, R2", "1:3: a condition is expected here", "such as C0.NE"},
    {"@R1 MOV R1, R2", "1:2: a condition is expected here", "such as C0.NE"},
    {"@C4.NE MOV R1, R2", "1:2: a condition is expected here", "such as C0.NE"},
    {"@C0 MOV R1, R2", "1:2: a condition is expected here", "such as C0.NE"},
    {"@C0.EQQ MOV R1, R2", "1:5: unknown condition \"EQQ\"", "did you mean EQ?"},
    {"@C0.NE MOV R1, R2 (C0.NE)", "1:20: the instruction has a condition already", ""},
    {"MOV R1, R2 (C0.NE", "1:18: ')' is missing after the condition", ""},
    {"MOV R1, R2 C0.NE", "1:12: ',' expected after the operand, not \"C0.NE\"", ""},
    {"MOV R1,", "1:8: an operand is missing after ','", ""},
    {"MOV R1, R2,", "1:12: an operand is missing after ','", ""},
    {"MOV , R2", "1:5: not an operand: \",\"", ""},
    {"MOV R1, !", "1:9: not an operand: \"!\"", ""},
    {"MOV R1, -x", "1:9: \"x\" is no operand", "the form is: MOV R1, R2"},
    {"MOV R1, -", "1:10: an operand is missing", ""},
    {"MOV. R1, R2", "1:5: a modifier is missing after '.'", ""},
    {"MOV.Q R1, R2", "1:5: unknown modifier .Q", "did you mean .S?"},
    {"MOV.S2 R1, R2", "1:5: unknown modifier .S2", "did you mean .S?"},
    {"LOP R1, R2, R3", "1:1: LOP needs an operation", "LOP.AND, LOP.OR, LOP.XOR or LOP.PASS_B"},
    {"LOP.ANDD R1, R2, R3", "1:1: LOP needs an operation", "LOP.AND, LOP.OR, LOP.XOR or LOP.PASS_B"},
    {"MOV R128, R2", "1:5: no register R128", "registers are R0 to 127"},
    {"MOV R64L, R2L", "1:5: no register R64L", "halves are R0L, R0H to 63"},
    {"R2A A8, R1, 2", "1:5: no register A8", "address registers are A0 to 7"},
    {"R2C C4, R1", "1:5: no register C4", "condition registers are C0 to 3"},
    {"MOV R1, SR_NOPE", "1:9: unknown special register SR_NOPE", "there are SR_PHYSID, SR_CLOCK, SR_PM0 to SR_PM3, and SR_0 to SR_15"},
    {"MOV R1, SR_16", "1:9: unknown special register SR_16", "there are SR_PHYSID, SR_CLOCK, SR_PM0 to SR_PM3, and SR_0 to SR_15"},
    {"MOV R1, g[", "1:11: offset expected: a number", ""},
    {"MOV R1, g[]", "1:11: offset expected: a number", ""},
    {"MOV R1, g[0x4", "1:14: ']' is missing after the address", ""},
    {"MOV R1, g[nope]", "1:11: unknown name \"nope\" in an address", "names come from .param, .shared, .const and .global"},
    {".kernel k\n.param size\nMOV R1, g[sise]", "3:11: unknown name \"sise\" in an address", "did you mean size?"},
    {"MOV R1, g[0x1000000]", "1:11: the offset does not fit in any address", ""},
    {"MOV R1, g[0x4].X8", "1:16: unknown size of access", ".U8, .U16, .S16 or .U32"},
    {"MOV R1, g[0x4].S8", "1:16: unknown size of access", ".U8, .U16, .S16 or .U32"},
    {"MOV R1, c[16][0]", "1:9: constant banks are 0 to 15", ""},
    {"MOV R1, c16[0]", "1:9: no memory space C16", "0 to 15"},
    {"MOV R1, cc[0]", "1:9: unknown memory space \"CC\"", "did you mean C[]?"},
    {"MOV R1, loc[0]", "1:9: unknown memory space \"LOC\"", "did you mean C[]?"},
    {"MOV R1, q[0]", "1:9: unknown memory space \"Q\"", "did you mean G[]?"},
    {"MOV R1, g16[R2]", "1:9: no memory space G16", "0 to 15"},
    {"GLD.U32 R1, g14[A1]", "1:17: the address in global memory is a register", "add offsets with IADD32I first: global14[R2]"},
    {"GLD.U32 R1, g14[]", "1:17: the address in global memory is a register", "add offsets with IADD32I first: global14[R2]"},
    {"GLD.U32 R1, g14[R2+4]", "1:19: ']' expected after the address, not \"+4]\"", ""},
    {"MOV R1, o[0x80]", "1:9: outputs are o[0x0] to o[0x7f]", ""},
    {"MOV R1, |R2", "1:12: '|' is missing after the operand", ""},
    {"MOV R1, -(R2", "1:13: ')' is missing after the negated immediate", ""},
    {"IADD R1, R2, R3 {RAW=1", "1:23: '}' is missing after the raw bits", ""},
    {"IADD R1, R2, R3 {RAV=1}", "1:18: only {raw=...} may stand in braces", ""},
    {"IADD R1, R2, R3 {RAW 1}", "1:22: '=' expected after raw, not \"1}\"", ""},
    {"IADD R1, R2, R3 {RAW=}", "1:22: raw bits of the first word expected: a number", ""},
    {"IADD R1, R2, R3 {RAW=1,}", "1:24: raw bits of the second word expected: a number", ""},
    {"IADD R1, R2, R3 x", "1:17: ',' expected after the operand, not \"x\"", ""},
    {"MVI R1, 0x", "1:9: hexadecimal digits are missing after 0x", ""},
    {"MVI R1, 4294967296", "1:9: number does not fit in 32 bits", ""},
    {"MVI R1, 0x100000000", "1:9: number does not fit in 32 bits", ""},
    {"MVI R1, R2", "1:1: MVI: an immediate is needed here", "the form is: MOV R1, R2"},
    {"IADD R1L, R2, R3", "1:1: IADD: a register half (R0L, R0H) is needed here", "the form is: IADD R1, R2, R3"},
    {"IADD R1, R2L, R3", "1:1: IADD: a register half (R0L, R0H) is needed here", "the form is: IADD R1, R2, R3"},
    {"IADD R1, -R2, -R3", "1:15: only one of the operands can be negative", ""},
    {"IADD.CARRY R1, -R2, R3", "1:1: an addition with carry has no negative operand", ""},
    {"IADD.U32.U16 R1, R2, R3", "1:1: IADD.U32.U16 has more types than there can be", "the form is: IADD R1, R2, R3"},
    {"IADD.F32 R1, R2, R3", "1:1: IADD.F32 has no type F32", "the form is: IADD R1, R2, R3"},
    {"FADD.S32 R1, R2, R3", "1:1: FADD.S32 has no type S32", "the form is: FADD R1, R2, -R3"},
    {"MOV.BEXT R1, R2", "1:1: .BEXT belongs to conversions from integers", ""},
    {"FMUL.CARRY R1, R2, R3", "1:1: .CARRY belongs to IADD and IMAD", ""},
    {"R2G.U16.U32 g[0x4], R1", "1:1: the first type of R2G is that of the register", "U32 for a register"},
    {"R2G.U32.U16 g[0x4], R1L", "1:1: the first type of R2G is that of the register", "U16 for a half"},
    {"I2F.F32 R1, R2", "1:1: I2F needs two types", "of the result and of the source: I2F.F32.S32"},
    {"F2I.F32.S32 R1, R2", "1:1: the types do not fit F2I", "did you mean I2F?"},
    {"I2I.S32.F32 R1, R2", "1:1: the types do not fit I2I", "did you mean F2I?"},
    {"IADD R1, c1[0], g[0x4]", "1:1: IADD: c[] cannot stand here: the second source can, or the third", "the form is: IADD R1, R2, R3"},
    {"IADD32 R1, g[0x4], c1[0]", "1:1: IADD32: a short instruction reads s[] or c[], not both", "the form is: IADD R1, R2, R3"},
    {"IMAD.U16 R1, R2L, c1[0], c1[0]", "1:1: IMAD.U16: one c[] operand at most", "the form is: IMAD.U16 R1, R2L, R3L, R4"},
    {"IADD R1, c1[0], c1[4]", "1:1: IADD: c[] cannot stand here: the second source can, or the third", "the form is: IADD R1, R2, R3"},
    {"C2R R1, R2", "1:1: C2R: C2R reads the same $c register as its predicate", "the form is: C2R R1, C2"},
    {"R2C R1, R2", "1:1: R2C: a $c register is needed here", "the form is: R2C C1, R2"},
    {"R2A R1, R2, 2", "1:1: R2A: an address register is needed here", "the form is: R2A A1, R2, 0x2"},
    {"R2A A1, R2, R3", "1:1: R2A: an immediate is needed here", "the form is: R2A A1, R2, 0x2"},
    {"A2R R1, R2", "1:1: A2R: an address register is needed here", "the form is: A2R R1, A2"},
    {"MOV R1, c1[A5+0x4]", "1:1: MOV: c[] cannot stand here: the second source can, or the third", "the form is: MOV R1, R2"},
    {"IADD R1, g[A1+0x4], c1[A2+0x4]", "1:1: IADD: an address register applies to s[] when an instruction reads s[] and c[]", "the form is: IADD R1, R2, R3"},
    {"MOV R1, g[0x21]", "1:1: MOV: offset 0x84 does not fit (0 to 124)", "the form is: MOV R1, R2"},
    {"MOV R1, s[0x2]", "1:1: MOV: offset 0x2 is not a multiple of the access size 4", "the form is: MOV R1, R2"},
    {"MOV R1, c1[0x10000]", "1:1: MOV: c[] cannot stand here: the second source can, or the third", "the form is: MOV R1, R2"},
    {"MOV R1, c1[0x3]", "1:1: MOV: c[] cannot stand here: the second source can, or the third", "the form is: MOV R1, R2"},
    {"MOV R1L, c1[0x4]", "1:1: MOV: c[] cannot stand here: the second source can, or the third", "the form is: MOV R1, R2"},
    {"MVC R1, c1[0x4].S8", "1:17: unknown size of access", ".U8, .U16, .S16 or .U32"},
    {"GLD.S8 R1, local[0x4]", "1:1: GLD.S8: another memory operand is needed here", "the form is: GLD.U32 R1, global14[R2]"},
    {"LLD.U32 R1, g14[R2]", "1:1: LLD.U32: another memory operand is needed here", "the form is: LLD.U32 R1, local[0x0]"},
    {"LLD.U32 R1, local[0x10000]", "1:1: LLD.U32: offset 0x10000 does not fit (0 to 0xffff)", "the form is: LLD.U32 R1, local[0x0]"},
    {"GLD.F32 R1, g14[R2]", "1:1: GLD.F32 has no type F32", "the form is: GLD.U32 R1, global14[R2]"},
    {"GST.U32 g14[R2], R1L", "1:1: GST.U32: 1 32-bit register(s) are needed here", "the form is: GST.U32 global14[R2], R1"},
    {"BRA 0x3", "1:1: BRA: branch target is not a multiple of 4", "the form is: BRA C0.NE, label"},
    {"BRA 0x4000000", "1:1: BRA: branch target 0x100 does not fit (at most 0x3f)", "the form is: BRA C0.NE, label"},
    {"BRA nowhere", "1:5: unknown label \"nowhere\"", ""},
    {"BRA", "1:4: BRA takes 1 operand, not 0", "the form is: BRA C0.NE, label"},
    {"BRA R1", "1:5: a label or an address is expected", "the form is: BRA C0.NE, label"},
    {"BAR.ARV 16", "1:9: barriers are b0 to b15", "the form is: BAR.ARV.WAIT b0, 0xfff"},
    {"BAR 16, 32", "1:5: barriers are b0 to b15", "the form is: BAR.ARV.WAIT b0, 0xfff"},
    {"SHL R1, R2", "1:11: SHL takes 3 operands, not 2", "the form is: SHL R1, R2, 0x2"},
    {"SHL R1, R2, 200", "1:1: SHL: shift count 0xc8 does not fit (at most 0x7f)", "the form is: SHL R1, R2, 0x2"},
    {"SHL R1, R2, -1", "1:1: SHL: shift count 0xffffffff does not fit (at most 0x7f)", "the form is: SHL R1, R2, 0x2"},
    {"SHL R1, R2L, 1", "1:1: SHL: a register half (R0L, R0H) is needed here", "the form is: SHL R1, R2, 0x2"},
    {"ISET.S32 R1, R2, R3", "1:20: ISET.S32 takes 4 operands, not 3", "the form is: ISET.S32.C0 o[0x7f], R1, R2, NE"},
    {"ISET.S32 R1, R2, R3, NEE", "1:22: unknown comparison \"NEE\"", "the form is: ISET.S32.C0 o[0x7f], R1, R2, NE"},
    {"FSET R1, R2, R3, R4", "1:18: a comparison is expected (EQ, LT ...)", "the form is: FSET.C0 o[0x7f], R1, R2, GT"},
    {"ISET.S32 R1, R2, R3, c1[0]", "1:22: a comparison is expected (EQ, LT ...)", "the form is: ISET.S32.C0 o[0x7f], R1, R2, NE"},
    {"MVI R1, 1e", "1:10: ',' expected after the operand, not \"e\"", ""},
    {"MVI R1, 1e+", "1:10: ',' expected after the operand, not \"e+\"", ""},
    {"MVI R1, 0x", "1:9: hexadecimal digits are missing after 0x", ""},
    {"MVI R1, 4294967296", "1:9: number does not fit in 32 bits", ""},
    {"MVI R1, 0x100000000", "1:9: number does not fit in 32 bits", ""},
    {"FSET R1, R2, R3, 1", "1:18: a comparison is expected (EQ, LT ...)", "the form is: FSET.C0 o[0x7f], R1, R2, GT"},
    {"RCP R1, R2, R3", "1:13: RCP takes 2 operands, not 3", "the form is: RCP R1, R2"},
    {"S2R R1, R2", "1:1: S2R: a special register is needed here", "the form is: S2R R1, SR_CLOCK"},
    {"RET R1", "1:5: RET takes 0 operands, not 1", "the form is: RET C0.NE"},
    {"RET C0.NE, C0.EQ", "1:12: the instruction has a condition already", ""},
    {"NOP R1", "1:5: NOP takes 0 operands, not 1", "the form is: NOP"},
    {"TEX R1, R2", "1:1: unknown instruction TEX", "did you mean EX2?"},
    {"Function :", "1:11: the name of the function is missing", ""},
    {"Function : k x", "1:14: unexpected \"x\"", ""},
    {"code for sm_20", "1:1: code for sm_20", "this assembler knows sm_10"},
};
// clang-format on

TEST(AssemblerErrors, SayWhereWhatAndWhatToDo) {
  for (const Mistake& mistake : kMistakes) {
    SCOPED_TRACE(mistake.source);
    try {
      assemble(mistake.source, "k.s");
      ADD_FAILURE() << "nothing is said";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      const std::string text = error.what();
      EXPECT_EQ(text.substr(0, text.find('\n')), std::string("k.s:") + mistake.text);
      const std::string remedy = mistake.remedy;
      if (remedy.empty())
        EXPECT_EQ(text.find("^ ("), std::string::npos) << text;
      else
        EXPECT_NE(text.find("^ (" + remedy + ")"), std::string::npos) << text;
    }
  }
}

constexpr const char* kLimits[] = {
    ".kernel k\n.regs 128\nRET",
    ".kernel k\n.local 65536\nRET",
    ".kernel k\n.bar 16\nRET",
    ".kernel k\n.param a 256\nRET",
    ".kernel k\n.param a 128, b 128\nRET",
    ".kernel k\n.shared 16368\nRET",
    ".kernel k\n.shared t, 16368\nRET",
    ".const c15[0], 1\nRET",
    ".const c1[65532], 1\nRET",
    ".const c1[0], [65536]\nRET",
    ".kernel k\n.align 8\nRET",
    ".kernel k\n.align 4\nRET",
    "@C3.NE MOV R1, R2",
    "MOV R127, R2",
    "MOV R63H, R2L",
    "R2A A7, R1, 2",
    "R2C C3, R1",
    "GLD.U32 R1, g15[R2]",
    "GLD.U32 R1, global0[R127]",
    "MOV o[0x7f], R2",
    "MVI R1, 4294967295",
    "MVI R1, 0xffffffff",
    "MVI R1, -2147483648",
    "BRA 0xfffffc",
    "MOV R1, g[0x1f]",
    "SHL R1, R2, 127",
    "BAR 15",
    "LLD.U32 R1, local[0xfffc]",
    "NOP",
    "EXIT",
    "MOV.L0 R1, R2",
    "MOV.LF R1, R2",
};

TEST(AssemblerErrors, LimitsAreAccepted) {
  for (const char* source : kLimits) {
    SCOPED_TRACE(source);
    EXPECT_NO_THROW(assemble(source, "k.s"));
  }
}

}  // namespace
}  // namespace gvp::gpgpu::g80
