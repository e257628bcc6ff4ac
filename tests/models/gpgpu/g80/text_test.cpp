// SPDX-License-Identifier: Apache-2.0
// Words and their text.  The words and their meaning are those of docs/g80.md, which gives the
// source of each; the form of the text is cuobjdump's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/listing.h"
#include "tests/models/gpgpu/g80/random_words.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

struct Golden {
  uint32_t first, second;
  const char* text;
};

constexpr Golden kGolden[] = {
    // Data movement
    {0x10008404, 0, "MOV32 R1, R2"},
    {0x10000c00, 0, "MOV32.U16 R0L, R3L"},
    {0x10028404, 0, "MOV32.SFU R1, R2"},
    {0x10000405, 0x0603c780, "MOV.SFU R1, R2"},
    {0x10388005, 0x01234567, "MVI R1, 0x12345678"},
    {0x10000405, 0x0403c780, "MOV R1, R2"},
    {0x1000c805, 0x0423c780, "MOV R1, g [0x4]"},
    {0x10004201, 0x0023c780, "MOV.U16 R0L, g [0x1].U16"},
    {0x1400d229, 0x0423c780, "MOV R10, g [A1+0x9]"},
    {0x10000805, 0x2400c780, "MVC R1, c[0x0] [0x4]"},
    {0x10000415, 0x2440c680, "MVC R5 (C0.NEU), c[0x1] [0x2]"},
    {0x10000401, 0x20008780, "MVC.U16 R0L, c[0x0] [0x2].S16"},
    {0x16000201, 0x2400c780, "MVC R0, c[0x0] [A1+++0x1]"},
    {0x00002001, 0xe4204780, "R2G.U32.U32 g[0x10], R1"},
    {0x04002001, 0xe4204780, "R2G.U32.U32 g[A1+0x10], R1"},
    {0x00004001, 0xe0204780, "R2G.U32.U16 g[0x20], R1"},
    {0x00008001, 0xe0604780, "R2G.U32.U8 g[0x40], R1"},
    {0xd0002005, 0x40c00780, "LLD.U32 R1, local[0x10]"},
    {0xd0002005, 0x60c00780, "LST.U32 local[0x10], R1"},
    {0xd00e0405, 0x80c00780, "GLD.U32 R1, global14[R2]"},
    {0xd00e0405, 0xa0c00780, "GST.U32 global14[R2], R1"},
    {0xd00e0405, 0xa0c00781, "GST.END.U32 global14[R2], R1"},
    {0xd00e0801, 0x80a00780, "GLD.S128 R0, global14[R4]"},
    {0xd00e0a01, 0x80800780, "GLD.S64 R0, global14[R5]"},
    {0xd00e0001, 0x80000780, "GLD.U8 R0, global14[R0]"},
    {0x00020405, 0xc0000780, "R2A A1, R2, 0x2"},
    {0xd4002009, 0x20000780, "ADA A2, A1, 0x10"},
    {0x0c000005, 0x40000780, "A2R R1, A3"},
    {0x00000005, 0x20002780, "C2R R1, C2"},
    {0x00000201, 0xa00007a0, "R2C C2, R1"},
    {0x00000005, 0x60004780, "S2R R1, SR_CLOCK"},
    // Integer
    {0x20000405, 0x0400c780, "IADD R1, R2, R3"},
    {0x2040c805, 0x0420c780, "IADD R1, g [0x4], -R3"},
    {0x3000162d, 0x04028780, "IADD R11, -R11, R10"},
    {0x30400405, 0x0400e7d0, "IADD.CARRY2.C1 R1, R2, R3"},
    {0x20018010, 0, "IADD32 R4, R0, R1"},
    {0x20408c00, 0, "IADD32 R0, R6, -R0"},
    {0x2101ea0c, 0, "IADD32 R3, g [0x5], R1"},
    {0x203f8c0d, 0x0fffffff, "IADD32I R3, R6, 0xffffffff"},
    {0x40070805, 0x00000780, "IMUL.U16.U16 R1, R2L, R3H"},
    {0x40030405, 0x00018780, "IMUL.S24.S24 R1, R2, R3"},
    {0x40070818, 0, "IMUL32.U16.U16 R6, R2L, R3H"},
    {0x41202809, 0x00000003, "IMUL32I.U16.U16 R2, g [0x4].U16, 0x20"},
    {0x60070805, 0x00010780, "IMAD.U16 R1, R2L, R3H, R4"},
    {0x60004c01, 0x00204780, "IMAD.U16 R0, g [0x6].U16, R0L, R1"},
    {0x60824e05, 0x00608780, "IMAD.U16 R1, g [0x7].U16, c[0x1][0x2], R2"},
    {0x60030405, 0x80010780, "IMAD.S24 R1, R2, R3, R4"},
    {0x60070805, 0x0c011780, "IMAD.U16.CARRY1 R1, R2L, R3H, R4"},
    {0x61202e05, 0x00000003, "IMAD32I.U16 R1, g [0x7].U16, 0x20, R1"},
    {0x50030405, 0x04010780, "ISAD R1, R2, R3, R4"},
    {0x30030405, 0x6c004780, "ISET.S32 R1, R2, R3, LT"},
    {0x300b102d, 0x6400c780, "ISET R11, R8, R11, LE"},
    {0x307c03fd, 0x6c0147c8, "ISET.S32.C0 o[0x7f], R1, R124, NE"},
    {0x3080cdfd, 0x6c6047c8, "ISET.S32.C0 o[0x7f], g [0x6], c[0x1][0x0], LT"},
    {0x30030405, 0x8c000780, "IMAX.S32 R1, R2, R3"},
    {0x30030405, 0xac000780, "IMIN.S32 R1, R2, R3"},
    {0x30040405, 0xc4100780, "SHL R1, R2, 0x4"},
    {0x30040405, 0xec100780, "SHR.S32 R1, R2, 0x4"},
    {0x3002cc19, 0xe4300780, "SHR R6, g [0x6], 0x2"},
    {0x30020611, 0xc4100782, "SHL.S R4, R3, 0x2"},
    {0xd0030405, 0x04008780, "LOP.XOR R1, R2, R3"},
    {0xd0800e01, 0x00400780, "LOP.AND.U16 R0L, R3H, c[0x1][0x0]"},
    {0xd0820c19, 0x04400780, "LOP.AND R6, R6, c[0x1][0x2]"},
    {0xd0030001, 0x0402c500, "LOP.PASS_B R0 (C0.EQU), R0, ~R3"},
    // Conversion
    {0xa0000005, 0x04000780, "I2I.U32.U16 R1, R0L"},
    {0xa0000805, 0x0c010780, "I2I.S32.S16 R1, R2L"},
    {0xa0000805, 0x04008780, "I2I.U32.U16.BEXT R1, R2L"},
    {0xa0000405, 0x2c014780, "I2I.S32.S32 R1, -R2"},
    {0xa0000621, 0x04114780, "I2I.U32.S32 R8, |R3|"},
    {0xa0000405, 0x44014780, "I2F.F32.S32 R1, R2"},
    {0xa0000405, 0x44064780, "I2F.F32.U32.TRUNC R1, R2"},
    {0xa0000c0d, 0x44008780, "I2F.F32.U16.BEXT R3, R3L"},
    {0xa0000405, 0x8c064780, "F2I.S32.F32.TRUNC R1, R2"},
    {0xa0000405, 0x84064780, "F2I.U32.F32.TRUNC R1, R2"},
    {0xa0000405, 0xcc024780, "F2F.F32.F32.IR.FLOOR R1, R2"},
    {0xa0000405, 0xc4104780, "F2F.F32.F32 R1, |R2|"},
    {0xa0000405, 0xc4084780, "F2F.F32.F32.SAT R1, R2"},
    {0xa0000405, 0xc4004780, "F2F.F32.F32 R1, R2"},
    // Floating point
    {0xb0000405, 0x0000c780, "FADD R1, R2, R3"},
    {0xb045001c, 0, "FADD32 R7, R0, -R5"},
    {0xb0088a00, 0, "FADD32 R0, -R5, R8"},
    {0xb0008a15, 0x03f80003, "FADD32I R5, -R5, 0x3f800000"},
    {0xb0000009, 0x0bf80003, "FADD32I R2, R0, -0x40800000"},
    {0xc0030405, 0x0000c780, "FMUL.TRUNC R1, R2, R3"},
    {0xc00b1225, 0x0000c7c0, "FMUL.TRUNC.C0 R9, R9, R11"},
    {0xc0810205, 0x00400680, "FMUL R1 (C0.NEU), R1, c[0x1][0x1]"},
    {0xc0190a01, 0x03f37177, "FMUL32I R0, R5, 0x3f371759"},
    {0xe0030405, 0x00010780, "FMAD R1, R2, R3, R4"},
    {0xe0100c01, 0x03e59b3f, "FMAD32I R0, R6, 0x3e59b3d0, R0"},
    {0xe0400e01, 0x0c000003, "FMAD32I R0, R7, -0x40000000, -R0"},
    {0xe0008401, 0x03e80003, "FMAD32I R0, -R2, 0x3e800000, R0"},
    {0xb00305fd, 0x600047c8, "FSET.C0 o[0x7f], R2, R3, LT"},
    {0xb08001fd, 0x604107c8, "FSET.C0 o[0x7f], R0, c[0x1][0x0], GT"},
    {0xb0030405, 0x80000780, "FMAX R1, R2, R3"},
    {0xb0030405, 0xa0000780, "FMIN R1, R2, R3"},
    {0xc0030405, 0x40010780, "FCMP R1, R2, R3, R4"},
    {0x90000405, 0x00000780, "RCP R1, R2"},
    {0x9000060c, 0, "RCP32 R3, R3"},
    {0x90000001, 0x40000780, "RSQ R0, R0"},
    {0x90000405, 0x60000780, "LG2 R1, R2"},
    {0x90000405, 0x80000780, "SIN R1, R2"},
    {0x90000405, 0xa0000780, "COS R1, R2"},
    {0x90000405, 0xc0000780, "EX2 R1, R2"},
    {0xb0000009, 0xc0000780, "RRO R2, R0, SIN"},
    {0xb0000405, 0xc0004780, "RRO R1, R2, EX2"},
    // Control
    {0x10022003, 0x00000280, "BRA C0.NE, 0x110"},
    {0x10009003, 0x00000780, "BRA 0x48"},
    {0x2001e003, 0x00000000, "CAL.NOINC 0xf0"},
    {0x30000003, 0x00000780, "RET"},
    {0x30000003, 0x00000280, "RET C0.NE"},
    {0x40007003, 0x00000000, "PBK 0x38"},
    {0x50000003, 0x00000280, "BRK C0.NE"},
    {0x50000003, 0x00000780, "BRK"},
    {0xa0022003, 0x00000000, "SSY 0x110"},
    {0x861ffe03, 0x00000000, "BAR.ARV.WAIT b0, 0xfff"},
    {0x90000002, 0, "TRAP32"},
    {0xf0000001, 0xe0000001, "NOP.END"},
    {0xf0000001, 0xe0000002, "NOP.S"},
    {0xf0000001, 0xe0000000, "NOP"},
    {0xf0000001, 0xe0000780, "NOP C0.TRUE"},
    // Bits that mean nothing survive
    {0x2001e003, 0x00000780, "CAL.NOINC 0xf0 {raw=0x00000000,0x00000780}"},
    {0x20000405, 0x1400c780, "IADD R1, R2, R3 {raw=0x00000000,0x10000000}"},
};

Words words_of(const Golden& golden) { return {golden.first, golden.second}; }

TEST(Text, WordsPrintAsCuobjdumpPrintsThem) {
  for (const Golden& golden : kGolden) {
    const Decoded decoded = decode(words_of(golden));
    ASSERT_TRUE(decoded.executable()) << golden.text << ": " << decoded.reason;
    EXPECT_EQ(to_text(decoded.instruction), golden.text);
  }
}

TEST(Text, TextAssemblesToTheWords) {
  for (const Golden& golden : kGolden) {
    Instruction instruction;
    ASSERT_NO_THROW(instruction = assemble_instruction(golden.text)) << golden.text;
    const Words words = encode(instruction);
    EXPECT_EQ(fmt::format("{:08x} {:08x}", words[0], words[1]),
              fmt::format("{:08x} {:08x}", golden.first, golden.second))
        << golden.text;
  }
}

TEST(Text, EveryWordAssemblesBackFromItsText) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  for (const Row& row : rows())
    for (unsigned n = 0; n < 300; ++n) {
      const Decoded decoded =
          decode(random_words(row, random, n % 2 == 0 ? ~0u : static_cast<uint32_t>(random())));
      if (!decoded.executable()) continue;
      const std::string text = to_text(decoded.instruction);
      SCOPED_TRACE(fmt::format("{:08x} {:08x} {}", decoded.words[0], decoded.words[1], text));
      Words again{};
      try {
        again = encode(assemble_instruction(text));
      } catch (const Error& error) {
        FAIL() << error.what();
      }
      ASSERT_EQ(again, decoded.words);
    }
}

TEST(Text, WordsThatAreNoInstructionsBecomeWordDirectives) {
  const uint32_t code[] = {0x80000004, 0x20000001, 0x20000780, 0x20000405};
  const auto lines = disassemble(code, 4);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].text, ".word 0x80000004;");
  EXPECT_EQ(lines[1].text, ".word 0x20000001, 0x20000780;");
  EXPECT_EQ(lines[2].text, ".word 0x20000405;");
  for (const auto& line : lines) EXPECT_FALSE(line.remark.empty());
}

TEST(Text, DocumentedEncodingsAreThoseOfTheTable) {
  EXPECT_EQ(read_file(GVP_SOURCE_DIR "/docs/g80_encodings.md"), encodings_as_markdown())
      << "regenerate with: g80dis --encodings > docs/g80_encodings.md";
}

}  // namespace
}  // namespace gvp::gpgpu::g80
