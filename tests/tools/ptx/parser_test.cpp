// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::ptx {
namespace {

using ::testing::HasSubstr;

std::string kernel(const std::string& body) {
  return ".version 3.2\n.target sm_20\n.address_size 32\n"
         ".visible .entry k(.param .u32 k_param_0)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n" +
         body + "\nret;\n}\n";
}

Module parse_body(const std::string& body) { return parse("k.ptx", kernel(body)); }

std::string error_of(const std::string& text) {
  try {
    parse("k.ptx", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PtxParser, ReadsModifiersIntoFields) {
  const Module module = parse_body("@!%p1 setp.lt.and.u32 %p2|%p3, %r1, -5, !%p0;");
  const Instruction& setp = module.functions[0].body[0];
  EXPECT_EQ(setp.opcode, Opcode::kSetp);
  EXPECT_EQ(setp.compare, Compare::kLt);
  EXPECT_EQ(setp.combine, Combine::kAnd);
  EXPECT_EQ(setp.type, Type::kU32);
  EXPECT_TRUE(setp.guard_negated);
  EXPECT_TRUE(setp.second_destination.is_register());
  EXPECT_EQ(static_cast<int64_t>(setp.operands[2].value), -5);
  EXPECT_TRUE(setp.operands[3].negated);
}

TEST(PtxParser, ReadsMemoryOperandsWithOffsets) {
  const Module module =
      parse_body("ld.global.v2.f32 {%f1, %f2}, [%r1+-8]; ld.param.u32 %r2, [k_param_0];");
  const Instruction& load = module.functions[0].body[0];
  EXPECT_EQ(load.vector, 2);
  EXPECT_EQ(load.operands[0].elements.size(), 2u);
  EXPECT_EQ(static_cast<int64_t>(load.operands[1].value), -8);
  const Instruction& parameter = module.functions[0].body[1];
  EXPECT_EQ(parameter.space, Space::kParameter);
  EXPECT_EQ(module.symbols[parameter.operands[1].symbol].name, "k_param_0");
}

TEST(PtxParser, FloatLiteralsKeepTheirBits) {
  const Module module = parse_body("add.f32 %f1, %f2, 0f3FC00000; add.f32 %f1, %f2, 1.5;");
  EXPECT_EQ(module.functions[0].body[0].operands[2].value, 0x3fc00000u);
  EXPECT_EQ(module.functions[0].body[1].operands[2].value, 0x3fc00000u);
}

TEST(PtxParser, LineTablesAreAttachedToInstructions) {
  const Module module = parse_body(".loc 1 12 7\nadd.u32 %r1, %r2, %r3;");
  EXPECT_EQ(module.functions[0].body[0].source.line, 12u);
  EXPECT_EQ(module.functions[0].body[0].source.column, 7u);
}

TEST(PtxParser, VariablesHaveInitialValues) {
  const Module module = parse(
      "k.ptx",
      ".const .align 4 .b8 t[8] = {1, 2, 0, 0, 255};\n.const .f32 h = 0f3F000000;\n" + kernel(""));
  EXPECT_EQ(module.symbols[0].size, 8u);
  EXPECT_EQ(module.symbols[0].initial[4], 255);
  EXPECT_EQ(module.symbols[1].initial[3], 0x3f);
}

TEST(PtxParser, CallsNameResultsAndArguments) {
  const Module module = parse("k.ptx", R"(
.func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a];
 st.param.b32 [r+0], %r1; ret; }
.entry k() { .reg .b32 %r<3>; { .param .b32 p0; .param .b32 q0; st.param.b32 [p0+0], %r1;
 call.uni (q0), f, (p0); ld.param.b32 %r2, [q0+0]; } ret; })");
  const Instruction& call = module.functions[1].body[1];
  EXPECT_EQ(call.callee, "f");
  EXPECT_EQ(call.call_results.size(), 1u);
  EXPECT_EQ(call.call_arguments.size(), 1u);
}

TEST(PtxParser, ErrorsShowLineColumnAndCaret) {
  const std::string text = error_of(kernel("  frobnicate.u32 %r1;"));
  EXPECT_THAT(text, HasSubstr("k.ptx:9:3: unknown instruction \"frobnicate\""));
  EXPECT_THAT(text, HasSubstr("\n      frobnicate.u32 %r1;\n      ^"));
}

struct BadText {
  const char* body;
  const char* message;
};
class PtxParserRefuses : public ::testing::TestWithParam<BadText> {};

TEST_P(PtxParserRefuses, WithAMessage) {
  EXPECT_THAT(error_of(kernel(GetParam().body)), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, PtxParserRefuses,
    ::testing::Values(BadText{"add.u32 %r1, %r2;", "expected ','"},
                      BadText{"add.u32 %r1, %r2, %r3", "expected ';'"},
                      BadText{"add %r1, %r2, %r3;", "needs a type"},
                      BadText{"add.u32 %p1, %r2, %r3;", "predicate register cannot"},
                      BadText{"@%r1 bra L;", "a guard is"}, BadText{"bra L;", "label \"L\" is not"},
                      BadText{"L: L: ret;", "twice"},
                      BadText{"mov.u32 %r1, %r99;", "declared nowhere"},
                      BadText{"mov.u32 %r1, %smid;", "register \"%smid\" is not supported"},
                      BadText{"mov.u32 %r1, %tid.w;", "parts .x, .y and .z"},
                      BadText{"setp.s32 %p1, %r1, %r2;", "names no operator"},
                      BadText{"setp.leu.s32 %p1, %r1, %r2;", "this operator compares floats"},
                      BadText{"setp.leu %p1, %r1, %r2;", "setp needs a type"},
                      BadText{"setp.nan.b32 %p1, %r1, %r2;", "this operator compares floats"},
                      BadText{"set.equ.u32.s32 %r1, %r1, %r2;", "this operator compares floats"},
                      BadText{"setp.lo.f32 %p1, %f1, %f2;", "compares unsigned numbers"},
                      BadText{"set.hs.u32.f32 %r1, %f1, %f2;", "compares unsigned numbers"},
                      BadText{"ld.global.u32 %r1, %r2;", "expected a memory operand"},
                      BadText{"mov.f32 %f1, 0f3F8;", "exactly 8 hexadecimal digits"},
                      BadText{"mov.u32 %r1, 99999999999999999999;", "does not fit 64 bits"},
                      BadText{"/* open", "comment without end"},
                      BadText{"{ add.u32 %r1, %r1, 1;", "block without end"},
                      BadText{"st.shared.u32 [5 %r1], 3;", "expected ']'"}));

// As in PTX 1.x.
TEST(PtxParser, RegistersOfTheModuleBelongToEachKernelThatUsesThem) {
  const Module module = parse("k.ptx",
                              ".version 1.4\n.target sm_10\n.reg .u32 %ra<5>;\n.reg .f32 one;\n"
                              ".entry a() { .reg .u32 %r<2>; mov.u32 %ra3, %r1; }\n"
                              ".entry b() { mov.f32 one, 0f3F800000; mov.u32 %ra3, 1; }\n");
  ASSERT_EQ(module.functions.size(), 2u);
  ASSERT_EQ(module.functions[0].registers.size(), 2u);
  ASSERT_EQ(module.functions[1].registers.size(), 2u);
  EXPECT_EQ(module.functions[1].registers[0].type, Type::kF32);
  EXPECT_EQ(module.functions[1].registers[1].name, "%ra3");
}

TEST(PtxParser, FunctionsCannotUseRegistersOfTheModule) {
  EXPECT_THAT(error_of(".version 1.4\n.target sm_10\n.reg .u32 %ra<5>;\n"
                       ".func f() { mov.u32 %ra3, 1; ret; }\n"),
              HasSubstr("k.ptx:4:21: a function uses a register"));
}

TEST(PtxParser, RegistersAreNoInitialValues) {
  EXPECT_NE(error_of(".version 1.4\n.target sm_10\n.reg .u32 r;\n.global .u32 x = r;\n"), "");
}

TEST(PtxParser, TruncatedTextNeverCrashes) {
  const std::string text = kernel("@%p1 bra L; L: ld.global.v2.f32 {%f1, %f2}, [%r1+4];");
  for (size_t length = 0; length < text.size() - 2; ++length) {
    EXPECT_NE(error_of(text.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace gvp::ptx
