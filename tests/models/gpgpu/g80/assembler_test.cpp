// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/assembler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/listing.h"

namespace gvp::gpgpu::g80 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<uint32_t> code(const std::string& source) {
  return assemble(source, "k.s").kernels.at(0).code;
}

std::string error(const std::string& source) {
  try {
    assemble(source, "k.s");
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::kBadInput);
    return e.what();
  }
  return "";
}

Words words(const std::string& text) { return encode(assemble_instruction(text)); }

TEST(Assembler, PredicatesAreReadBeforeAndAfter) {
  const Words expected = {0x20000801, 0x04004500};
  EXPECT_EQ(words("IADD R0 (C0.EQU), R4, R1;"), expected);
  EXPECT_EQ(words("@C0.EQU IADD R0, R4, R1"), expected);
  EXPECT_EQ(words("@C0.NE BRA 0x110"), words("BRA C0.NE, 0x110"));
  EXPECT_EQ(words("@C1.LT RET"), words("RET C1.LT"));
  EXPECT_EQ(words("@C1.LT RET"), words("RET (C1.LT)"));
  EXPECT_EQ(words("@C0.NE BRA 0x110"), words("BRA (C0.NE) 0x110"));
}

TEST(Assembler, SpacesAndCaseDoNotMatter) {
  EXPECT_EQ(words("iset.s32.c0   o [ 0x7F ],r1 ,R124,ne"),
            words("ISET.S32.C0 o[0x7f], R1, R124, NE;"));
  EXPECT_EQ(words("mov r1,G[a1+9]"), words("MOV R1, g [A1+0x9]"));
  EXPECT_EQ(words("LOP.AND R3, R1, c [0x1] [0x2]"), words("LOP.AND R3, R1, c[0x1][0x2]"));
}

TEST(Assembler, ByteAddressesReachTheSamePlaces) {
  EXPECT_EQ(words("MOV R1, s[0x10]"), words("MOV R1, g [0x4]"));
  EXPECT_EQ(words("IMAD.U16 R0, s[0xc], R0L, R1"), words("IMAD.U16 R0, g [0x6].U16, R0L, R1"));
  EXPECT_EQ(words("LOP.AND R1, R1, c1[0x8]"), words("LOP.AND R1, R1, c[0x1][0x2]"));
  EXPECT_EQ(words("GLD.U32 R1, g14[R2]"), words("GLD.U32 R1, global14[R2]"));
  EXPECT_EQ(words("LLD.U32 R1, l[0x10]"), words("LLD.U32 R1, local[0x10]"));
  EXPECT_EQ(words("R2G.U32.U32 s[A1+0x24], R1"), words("R2G.U32.U32 g[A1+0x9], R1"));
}

TEST(Assembler, ImmediatesChooseTheImmediateForm) {
  EXPECT_EQ(words("IADD R3, R6, -1"), words("IADD32I R3, R6, 0xffffffff"));
  EXPECT_EQ(words("MOV R1, 0x12345678"), words("MVI R1, 0x12345678"));
  EXPECT_EQ(words("FADD R5, -R5, 1.0"), words("FADD32I R5, -R5, 0x3f800000"));
  EXPECT_EQ(words("FMUL R5, R5, -1.5e1"), words("FMUL32I R5, R5, -0x3e900000"));
  EXPECT_EQ(words("FMUL R5, R5, 0f40000000"), words("FMUL32I R5, R5, 0x40000000"));
  EXPECT_EQ(words("LOP.AND R1, R2, 0xff"), words("LOP32I.AND R1, R2, 0xff"));
}

TEST(Assembler, ExitIsANopWithTheEndMarker) {
  EXPECT_EQ(words("EXIT"), (Words{0xf0000001, 0xe0000001}));
}

TEST(Assembler, LabelsResolveInBothDirections) {
  EXPECT_THAT(code("top: BRA end\n BRA top\nend: RET"),
              ElementsAre(0x10002003u, 0x780u, 0x10000003u, 0x780u, 0x30000003u, 0x780u));
}

TEST(Assembler, ShortPairsStayShort) {
  EXPECT_THAT(code("MOV32 R1, R2; MOV32 R2, R3; RET"),
              ElementsAre(0x10008404u, 0x10008608u, 0x30000003u, 0x780u));
}

TEST(Assembler, OddShortInstructionBecomesLongAndLabelsFollow) {
  const auto words = code("MOV32 R1, R2\nback: IADD R1, R1, R2\n BRA back");
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(words[0], 0x10000405u);
  EXPECT_EQ(words[1], 0x0403c780u);
  EXPECT_EQ(words[4], 0x10001003u);  // to 0x8
}

TEST(Assembler, ShortWithoutLongFormIsPadded) {
  EXPECT_THAT(code("FMUL32.SAT R1, R2, R3\nRET"),
              ElementsAre(0xc0030504u, 0x10008000u, 0x30000003u, 0x780u));
}

TEST(Assembler, NoalignLeavesEverythingWhereItIs) {
  EXPECT_THAT(code(".noalign\nMOV32 R1, R2\nRET"), ElementsAre(0x10008404u, 0x30000003u, 0x780u));
}

TEST(Assembler, NumericBranchAcrossMovedCodeIsAnError) {
  EXPECT_THAT(error("MOV32 R1, R2\nBRA 0x4"), HasSubstr("use a label, or .noalign"));
}

TEST(Assembler, ParametersAndSharedVariablesHaveNames) {
  const Module module = assemble(
      ".kernel k\n.param a, flag 2, b\n.shared tile, 64\nMOV R1, s[b]\nMOV.U16 R1L, s[flag]\n"
      "R2G.U32.U32 s[A1+tile+4], R1\nMOV R1, s[tile]\nEXIT",
      "k.s");
  const Words wanted[] = {words("MOV R1, s[0x18]"), words("MOV.U16 R1L, s[0x14]"),
                          words("R2G.U32.U32 s[A1+0x20], R1"), words("MOV R1, s[0x1c]")};
  for (std::size_t n = 0; n < 4; ++n)
    EXPECT_EQ((Words{module.kernels[0].code[2 * n], module.kernels[0].code[2 * n + 1]}), wanted[n]);
  EXPECT_EQ(module.kernels[0].parameter_bytes, 12u);
  EXPECT_EQ(module.kernels[0].shared_bytes, 0x1cu + 64);
}

TEST(Assembler, NamesAreImmediatesToo) {
  const Module module = assemble(
      ".kernel k\n.param a\n.shared tile, 64\nMVI R1, tile+4\nIADD R1, R2, tile\nEXIT", "k.s");
  const Words move = words("MVI R1, 0x18");
  const Words add = words("IADD32I R1, R2, 0x14");
  EXPECT_THAT(module.kernels[0].code,
              ElementsAre(move[0], move[1], add[0], add[1], 0xf0000001u, 0xe0000001u));
}

TEST(Assembler, NumbersAreWrittenInEveryForm) {
  const auto value = [](const std::string& number) {
    return assemble(".kernel k\n.const c1[0], " + number + "\nRET", "k.s")
        .kernels.at(0)
        .constants.at(0)
        .words.at(0);
  };
  const auto bits = [](float number) {
    uint32_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    return word;
  };
  EXPECT_EQ(value("0"), 0u);
  EXPECT_EQ(value("10"), 10u);
  EXPECT_EQ(value("010"), 10u);
  EXPECT_EQ(value("0X1f"), 31u);
  EXPECT_EQ(value("-1"), 0xffffffffu);
  EXPECT_EQ(value("4294967295"), 0xffffffffu);
  EXPECT_EQ(value("1.5"), bits(1.5f));
  EXPECT_EQ(value("-1.5f"), bits(-1.5f));
  EXPECT_EQ(value("1e3"), bits(1e3f));
  EXPECT_EQ(value("2E2"), bits(200));
  EXPECT_EQ(value("25e-2"), bits(0.25f));
  EXPECT_EQ(value("1e+2f"), bits(100));
  EXPECT_EQ(value("1.25e1"), bits(12.5f));
  EXPECT_EQ(value("0f3f800000"), bits(1));
}

TEST(Assembler, AllErrorsAreReportedAtOnce) {
  const std::string text = error("MOVE R1, R2\nRET\nIADD R1\nBRA nowhere\n");
  EXPECT_THAT(text, HasSubstr("k.s:1:1: unknown instruction MOVE"));
  EXPECT_THAT(text, HasSubstr("k.s:3:8: IADD takes 3 operands"));
  EXPECT_THAT(text, HasSubstr("k.s:4:5: unknown label"));
}

TEST(Assembler, CommentsOfEveryKind) {
  EXPECT_THAT(code("/* two\nlines */ RET # rest\n// RET\n/*0008*/ NOP.S; /* 0xf0000001 */"),
              ElementsAre(0x30000003u, 0x780u, 0xf0000001u, 0xe0000002u));
}

TEST(Assembler, SemicolonsSeparateStatementsAndStartComments) {
  const std::vector<uint32_t> expected = code("MOV R1, R2;\nMOV R3, R4;\n");
  EXPECT_EQ(code("; both of them; really\nMOV R1, R2; MOV R3, R4;\n"), expected);
  EXPECT_EQ(code("MOV R1, R2 ; the first\n  ;second: MOV R5, R6\nMOV R3, R4; last, of two"),
            expected);
  EXPECT_EQ(code("MOV R1, R2; mov r3, r4; copied"), expected);
  // What could be meant as an instruction is none.
  EXPECT_THAT(error("MOV R1, R2; MVO R3, R4"), HasSubstr("k.s:1:13: unknown instruction MVO"));
}

TEST(Assembler, RegistersBeyondTheDeclaredOnesAreWarnedOf) {
  std::vector<std::string> warnings;
  assemble(".kernel k\n.regs 4\nMOV R3, R2;\nMOV R124, R3;\nRET;\n", "k.s", &warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());
  assemble(".kernel k\n.regs 4\nMOV R3, R2;\nIADD R1, R2, R9;\nRET;\n", "k.s", &warnings);
  EXPECT_THAT(warnings, ElementsAre("k.s:4: R9 is beyond the 4 registers of .regs and will read "
                                    "zero"));
}

TEST(Assembler, UnknownInstructionSuggestsTheNearest) {
  EXPECT_EQ(error(".kernel k\n    IADDD R1, R2, R3\n"),
            "k.s:2:5: unknown instruction IADDD\n"
            "        IADDD R1, R2, R3\n"
            "        ^ (did you mean IADD?)");
}

TEST(Assembler, ErrorsPointAtTheColumn) {
  EXPECT_THAT(error("ISET.S23 R1, R2, R3, NE"), HasSubstr("k.s:1:6: unknown modifier .S23"));
  EXPECT_THAT(error("IADD R1, R2, R200"), HasSubstr("k.s:1:14: no register R200"));
  EXPECT_THAT(error("RET C0.NX"), HasSubstr("k.s:1:8: unknown condition \"NX\""));
  EXPECT_THAT(error("IADD R1, R2"), HasSubstr("IADD takes 3 operands, not 2"));
  EXPECT_THAT(error("IADD R1, R2, R3, R4"), HasSubstr("k.s:1:18: IADD takes 3 operands, not 4"));
  EXPECT_THAT(error("IADD R1, R2 R3"), HasSubstr("k.s:1:13: ',' expected after the operand"));
  EXPECT_THAT(error("BRA nowhere"), HasSubstr("k.s:1:5: unknown label \"nowhere\""));
  EXPECT_THAT(error("a: RET\na: RET"), HasSubstr("k.s:2:1: label \"a\" is defined already"));
  EXPECT_THAT(error(".kernal k"), HasSubstr("did you mean .kernel?"));
  EXPECT_THAT(error("MOV R1, h[4]"), HasSubstr("unknown memory space"));
  EXPECT_THAT(error("MOV R1, g [0x1]x"), HasSubstr("k.s:1:16"));
}

TEST(Assembler, OperandsThatNoEncodingReachesAreExplained) {
  EXPECT_THAT(error("IADD R1, R2, g [0x4]"), HasSubstr("s[] (g[]) can be the first source only"));
  EXPECT_THAT(error("MOV R1, g [0x20]"), HasSubstr("0 to 124"));
  EXPECT_THAT(error("ISET.S32 R1, R2, 0x5, NE"), HasSubstr("no immediate can stand here"));
  EXPECT_THAT(error("@C0.NE IADD32 R1, R2, R3"), HasSubstr("cannot be predicated"));
  EXPECT_THAT(error("IMAD32.U16 R1, R2L, R3L, R4"), HasSubstr("is its destination register"));
  EXPECT_THAT(error("IMUL R1, R2, R3"), HasSubstr("16-bit halves or 24 bits"));
  EXPECT_THAT(error("GLD.U32 R1, global14[0x4]"),
              HasSubstr("address in global memory is a register"));
  EXPECT_THAT(error("FADD.FLOOR R1, R2, R3"), HasSubstr("to nearest or to zero"));
  EXPECT_THAT(error("I2F.S32.F32 R1, R2"), HasSubstr("did you mean F2I?"));
}

TEST(Assembler, NoModifierIsIgnored) {
  for (const char* text :
       {"FADD.U16 R1, R2, R3", "IADD.F32 R1, R2, R3", "RET.U16", "BRA.SAT 0x8", "RET.HI",
        "IADD.BEXT R1, R2, R3", "FADD.CARRY R1, R2, R3", "ISET.S32.U16 R1, R2, R3, NE",
        "R2G.U16.U32 g[0x4], R1", "MOV.TRUNC R1, R2", "RCP.SAT R1, R2", "GLD.U32.U32 R1, g14[R2]",
        "SHL.C0.IR R1, R2, 1", "R2A.C0 A1, R1, 2", "IADD.SFU R1, R2, R3", "MOV.ARV R1, R2",
        "IADD.L5 R1, R2, R3", "I2I.U32.U16.TRUNC R1, R2L", "LOP.AND.OR R1, R2, R3"})
    EXPECT_NE(error(text), "") << text;
}

TEST(Assembler, ListingsAssembleToTheSameModule) {
  const std::filesystem::path folder(GVP_SOURCE_DIR "/tests/data/microbenchmarks");
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hex") continue;
    ++files;
    Module module;
    module.kernels.emplace_back();
    module.kernels[0].name = "k";
    module.kernels[0].code = read_hex(entry.path().string());
    const std::string listing = to_listing(module);
    EXPECT_EQ(assemble(listing, "listing").kernels.at(0).code, module.kernels[0].code)
        << entry.path() << '\n'
        << listing;
    EXPECT_EQ(list_problems(module), "") << entry.path();
  }
  EXPECT_GE(files, 20u);
}

TEST(Assembler, ListingsOfCuobjdumpAssembleAsTheyAre) {
  const Module module = assemble(
      "\tcode for sm_10\n\t\tFunction : _Z3addPfS_\n"
      "\t/*0000*/     /*0xa0000005*/ \tI2I.U32.U16 R1, R0L;\n"
      "\t\t         /*0x04000780*/ \n"
      "\t/*0008*/     /*0x30000003*/ \tRET ;\n\t\t.................\n\n"
      "\t\tFunction : second\n\t/*0000*/ /*0xf0000001*/ NOP.S;\n",
      "k.sass");
  ASSERT_EQ(module.kernels.size(), 2u);
  EXPECT_EQ(module.kernels[0].name, "_Z3addPfS_");
  EXPECT_THAT(module.kernels[0].code, ElementsAre(0xa0000005u, 0x04000780u, 0x30000003u, 0x780u));
  EXPECT_EQ(module.kernels[1].name, "second");
}

TEST(Assembler, AbsoluteSharedOperandsAreWrittenInTwoWays) {
  EXPECT_EQ(words("FMAX R1, |g| [0x4], R2"), words("FMAX R1, |g [0x4]|, R2"));
  EXPECT_EQ(words("FMAX R1, -|g| [0x4], R2"), words("FMAX R1, -|s[0x10]|, R2"));
}

TEST(Assembler, SourcesWithoutSenseNeverCrash) {
  for (const char* source : {"",
                             "\n\n",
                             ";;;",
                             ":",
                             "a:",
                             ".",
                             ".kernel",
                             "@",
                             "@C0",
                             "IADD",
                             "IADD (",
                             "IADD R1 (C0",
                             "MOV R1, |R2",
                             "MOV R1, -(",
                             "/*",
                             "R2G g[A1++",
                             "{raw=",
                             "BAR b99",
                             "MOV R1, c[",
                             "BRA",
                             ".const c1[",
                             ".shared x",
                             ".param",
                             "LOP R1, R2, R3",
                             "RRO R1, R2, TAN",
                             "MOV R1, 0x",
                             "IADD R1, R2, 99999999999",
                             ".word",
                             ".regs 1000",
                             "MOV R1, 1.5e",
                             "BAR b"}) {
    EXPECT_NE(error(source), "") << source;
  }
}

TEST(Assembler, ABankIsALetterAndANumberOfItsOwn) {
  for (const char* bank : {"cx1", "c1x", "cx", "c", "c123", "d1", "c16"})
    EXPECT_THAT(error(fmt::format(".kernel k\n.const {}[0], 1\n RET;\n", bank)),
                HasSubstr("a constant bank is expected"))
        << bank;
  EXPECT_EQ(error(".kernel k\n.const c15[0], 1\n RET;\n"), "");
}

TEST(Assembler, ACommentEndsWithItsLastCharacter) {
  EXPECT_EQ(code(".kernel k\n IADD R1,/* one */R2, R3;/**/RET;\n"),
            code(".kernel k\n IADD R1, R2, R3;\n RET;\n"));
}

TEST(Assembler, EachSourceHasItsOwnAbsoluteAndNegated) {
  std::vector<Words> all;
  for (const char* first : {"R2", "-R2", "|R2|", "-|R2|"})
    for (const char* second : {"R3", "-R3", "|R3|", "-|R3|"}) {
      const std::string text = fmt::format("FMAX R1, {}, {}", first, second);
      all.push_back(words(text));
      EXPECT_EQ(to_text(decode(all.back()).instruction), text);
    }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]);
}

// Whoever looks for registers that are read before they are written must not be told of others.
TEST(Assembler, AnInstructionThatPassesItsSecondSourceReadsNoOther) {
  const auto reads = [](const char* text) {
    const RegisterList list = registers_read(assemble_instruction(text));
    return std::vector<unsigned>(list.begin(), list.end());
  };
  EXPECT_THAT(reads("LOP.PASS_B R1, R2, ~R3"), ElementsAre(3));
  EXPECT_THAT(reads("LOP.AND R1, R2, R3"), ElementsAre(2, 3));
  EXPECT_THAT(reads("GST.U32 global14[R4], R5"), testing::UnorderedElementsAre(4, 5));
}

// The compiler's order of variables is not that of their words in c14.
TEST(Assembler, ListingsKeepWhereAddressesOfVariablesStand) {
  Module module;
  module.constants = {{"ww", 0, 8, 40, {}}, {"vv", 0, 4, 4, {7}}};
  module.relocations = {{"second", 14, 4, 8, {}},
                        {"first", 14, 0, 4, {}},
                        {"third", 14, 8, 8, {5, 6}},
                        {"fourth", 14, 12, 4, {}},
                        {"sparse", 14, 64, 4, {}}};
  Kernel kernel;
  kernel.name = "k";
  kernel.registers = 2;
  kernel.parameter_bytes = 0;
  kernel.shared_bytes = 16;
  kernel.code = {0x30000003, 0x00000780};
  module.kernels = {kernel};
  const Module again = assemble(to_listing(module), "listing");
  EXPECT_EQ(again.relocations, module.relocations);
  EXPECT_EQ(again.constants, module.constants);
}

TEST(Assembler, KernelsSayHowManyParametersTheyTakeOrThatTheyTakeNoneOrNothing) {
  const Module module = assemble(
      ".kernel some\n.param a, b\nRET\n.kernel none\n.param\nRET\n.kernel silent\nRET\n", "k.s");
  ASSERT_EQ(module.kernels.size(), 3u);
  const Module again = assemble(to_listing(module), "listing");
  const Module cubin = parse_cubin(to_text_cubin(module), "k.cubin");
  const std::vector<uint8_t> bytes = to_elf_cubin(module);
  const Module elf = parse_cubin(std::string(bytes.begin(), bytes.end()), "k.elf");
  for (const Module* each : {&module, &again, &cubin, &elf}) {
    EXPECT_EQ(each->kernel("some", "").parameter_bytes, 8u);
    EXPECT_EQ(each->kernel("none", "").parameter_bytes, 0u);
    EXPECT_EQ(each->kernel("silent", "").parameter_bytes, std::nullopt);
  }
}

TEST(Assembler, TakesWhatCuobjdumpPrintsAroundAListing) {
  const Module module = assemble(R"(
Fatbin elf code:
================
arch = sm_10
code version = [1,2]
producer = cuda
host = linux
compile_size = 64bit
identifier = add.cu

	code for sm_10
		Function : _Z3addPi
	/*0000*/     /*0x1100e800*/ 	MOV32 R0, g [0x4];
	/*0004*/     /*0x1100ea04*/ 	MOV32 R1, g [0x5];
	/*0008*/     /*0xd00e0005a0c00781*/ 	GST.U32 global14 [R0], R1;
		...................................
)",
                                 "add.sass");
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].name, "_Z3addPi");
  EXPECT_THAT(module.kernels[0].code, ElementsAre(0x1100e800, 0x1100ea04, 0xd00e0005, 0xa0c00780));
}

TEST(Assembler, VariablesMayChooseTheirWordOfC14AndHaveContents) {
  const Module module = assemble(
      ".global a, c14[0x8], 1, 2\n.global b, 4\n.global c, c14[0], [400]\n.kernel k\n"
      "MVC R1, c[0xe][b]\nRET\n",
      "k.s");
  ASSERT_EQ(module.relocations.size(), 3u);
  EXPECT_EQ(module.relocations[0], (Relocation{"a", 14, 8, 8, {1, 2}}));
  EXPECT_EQ(module.relocations[1], (Relocation{"b", 14, 12, 4, {}}));
  EXPECT_EQ(module.relocations[2], (Relocation{"c", 14, 0, 400, {}}));
}

}  // namespace
}  // namespace gvp::gpgpu::g80
