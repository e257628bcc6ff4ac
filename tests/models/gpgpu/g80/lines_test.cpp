// SPDX-License-Identifier: Apache-2.0
// Source lines of kernels: in both forms of cubins, in DWARF that others wrote, in listings, and
// found in whatever is loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/line_program.h"
#include "models/gpgpu/g80/listing.h"
#include "models/gpgpu/g80/source_lines.h"

namespace gvp::gpgpu::g80 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Row = LineTable::Row;

// Two kernels, the second of which comes from two files with names that files seldom have.
Module with_lines() {
  Module module = assemble(
      ".kernel first\nMOV.U32 R1, R0\nIADD R1, R1, R0\nRET\n"
      ".kernel second\nMOV.U32 R2, R0\nIADD R2, R2, R0\nRET\n",
      "k.s");
  LineTable& first = module.kernels[0].lines;
  first.add(0, first.file("k.cu"), 300);
  first.add(8, 0, 12);
  LineTable& second = module.kernels[1].lines;
  second.add(0, second.file("/my files/{odd}=100%.cu"), 7);
  second.add(8, second.file("h\xc3\xa4lp.h"), 1);
  second.add(16, 0, 70000);
  return module;
}

std::string elf_of(const Module& module) {
  const auto bytes = to_elf_cubin(module);
  return {bytes.begin(), bytes.end()};
}

std::string error_of(const std::string& cubin) {
  try {
    parse_cubin(cubin, "k.cubin");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Lines, AreFoundByAddress) {
  LineTable table;
  EXPECT_EQ(table.place(0), "");
  table.add(8, table.file("a.cu"), 3);
  table.add(16, 0, 3);  // says nothing new
  table.add(24, table.file("b.cu"), 4);
  table.add(24, 0, 5);  // instead
  table.add(32, 0, 0);  // of no line
  EXPECT_THAT(table.rows(), ElementsAre(Row{8, 0, 3}, Row{24, 0, 5}, Row{32, 0, 0}));
  EXPECT_EQ(table.place(4), "");
  EXPECT_EQ(table.place(8), "a.cu:3");
  EXPECT_EQ(table.place(20), "a.cu:3");
  EXPECT_EQ(table.place(28), "a.cu:5");
  EXPECT_EQ(table.place(0x1000), "");
}

TEST(Lines, StandInBothFormsOfCubins) {
  const Module module = with_lines();
  for (const std::string& cubin : {to_text_cubin(module), elf_of(module)}) {
    const Module again = parse_cubin(cubin, "k.cubin");
    ASSERT_EQ(again.kernels.size(), 2u);
    EXPECT_EQ(again.kernels[0].lines, module.kernels[0].lines);
    EXPECT_EQ(again.kernels[1].lines.rows(), module.kernels[1].lines.rows());
    EXPECT_EQ(again.kernels[1].lines.place(0), "/my files/{odd}=100%.cu:7");
    EXPECT_EQ(again.kernels[1].lines.place(8), "h\xc3\xa4lp.h:1");
  }
}

TEST(Lines, OfLongKernelsAndOfAnyFirstFileStandInBothFormsOfCubins) {
  std::string source = ".kernel k\n";
  for (int i = 0; i < 300; ++i) source += "MOV.U32 R1, R0\n";
  Module module = assemble(source + "RET\n", "k.s");
  LineTable& lines = module.kernels[0].lines;
  lines.file("k.cu");
  lines.add(0, lines.file("k.h"), 1);  // the second file comes first
  for (uint32_t i = 1; i < 300; ++i) lines.add(8 * i, i % 3 == 0 ? 0 : 1, i * i);
  for (const std::string& cubin : {to_text_cubin(module), elf_of(module)}) {
    const LineTable again = parse_cubin(cubin, "k.cubin").kernels.at(0).lines;
    for (uint32_t i = 0; i <= 300; ++i) EXPECT_EQ(again.place(8 * i), lines.place(8 * i));
    EXPECT_EQ(again.place(0), "k.h:1");
    EXPECT_EQ(again.place(8 * 299), "k.h:89401");
  }
}

TEST(Lines, ThatCannotBeAreRefusedWithTheirPlace) {
  const std::string code = "code { name = k bincode { 0x30000003 0x00000780 } }\n";
  const auto error = [&](const std::string& lines) { return error_of(code + "lines {" + lines); };
  EXPECT_THAT(error(" name = other rows { } }"),
              HasSubstr("k.cubin:2:7: lines of kernel \"other\""));
  EXPECT_THAT(error("name = k rows { 0 0 } }"), HasSubstr("2 numbers are no rows"));
  EXPECT_THAT(error("name = k rows { 0 0 1 } }"), HasSubstr("file 0 of a line, and there are 0"));
  EXPECT_THAT(error("name = k file = a.cu rows { 8 0 1 } }"), HasSubstr("address 0x8 of a line"));
  EXPECT_THAT(error("name = k file = a.cu rows { 2 0 1 } }"), HasSubstr("address 0x2 of a line"));
  EXPECT_THAT(error("name = k file = a.cu rows { 4 0 1 0 0 1 } }"), HasSubstr("they ascend"));
  EXPECT_THAT(
      error("name = k file = a.cu rows { 0 0 1 } }\nlines { name = k }\nlines {name = k rows"
            "{0 0 1} file = b }"),
      HasSubstr("a second time"));
  EXPECT_EQ(error("name = k file = a%zz.cu rows { 0x4 0 1 } }"), "accepted");
}

TEST(Lines, StandInListingsThatAssembleAgain) {
  const Module module = with_lines();
  const std::string text = to_listing(module);
  EXPECT_THAT(text, HasSubstr("//## File \"k.cu\", line 300\n    /*0000*/"));
  EXPECT_THAT(text, HasSubstr("//## File \"k.cu\", line 12\n    /*0008*/"));
  EXPECT_EQ(assemble(text, "listing").kernels[1].code, module.kernels[1].code);
  ListingOptions plain;
  plain.plain = true;
  EXPECT_THAT(to_listing(module, plain), testing::Not(HasSubstr("//")));
}

// A unit of DWARF 4 as other compilers write it: folders, special opcodes, two sequences.
std::string foreign_unit() {
  const std::string header_rest =
      std::string("\x01\x01\x01\xfb\x0e\x0d", 6) +  // bytes 1, ops 1, stmt, -5, 14, 13
      std::string("\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00\x01", 12) +  // operands
      std::string("inc\0\0", 5) + std::string("a.cu\0\x00\x00\x00", 8) +
      std::string("b.h\0\x01\x00\x00\0", 8);
  const std::string program =
      std::string("\x00\x05\x02\x00\x00\x00\x00", 7) +  // set_address 0
      std::string("\x03\x09\x01", 3) +                  // advance_line 9, copy: a.cu:10
      std::string("\x84", 1) +  // special 132: 119 = 8 * 14 + 7: 8 bytes, line + 2
      std::string("\x04\x02\x05\x07\x0a\x02\x08\x01", 8) +  // file 2, column, prologue_end, + 8
      std::string("\x08\x03\x6e\x01", 4) +                  // const_add_pc: 17; line - 18
      std::string("\x09\x07\x00\x00\x01\x01", 6) +          // fixed_advance 7, end_sequence
      std::string("\x00\x05\x02\x40\x00\x00\x00\x01\x02\x08\x00\x01\x01", 13);
  const auto u32 = [](size_t value) {
    return std::string{static_cast<char>(value), static_cast<char>(value >> 8), 0, 0};
  };
  const std::string body =
      std::string("\x04\x00", 2) + u32(header_rest.size()) + header_rest + program;
  return u32(body.size()) + body;
}

TEST(LineProgram, OfOthersIsExecuted) {
  std::string problem;
  const std::string unit = foreign_unit();
  const auto sequences = read_line_programs(unit + unit, &problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(sequences.size(), 4u);
  const LineTable& lines = sequences[0].lines;
  EXPECT_THAT(lines.files(), ElementsAre("a.cu", "inc/b.h"));
  EXPECT_EQ(lines.place(0), "a.cu:10");
  EXPECT_EQ(lines.place(8), "a.cu:12");
  EXPECT_EQ(lines.place(16), "inc/b.h:12");
  EXPECT_EQ(lines.rows().size(), 3u) << "line -6 is none";
  EXPECT_EQ(sequences[1].lines.place(0x40), "a.cu:1");
  EXPECT_EQ(unit.substr(sequences[1].address_at, 4), std::string("\x40\0\0\0", 4));
  EXPECT_EQ(sequences[2].address_at, unit.size() + sequences[0].address_at);
}

// The byte is signed: of -128 to 127.
TEST(LineProgram, TheLineBaseIsASignedByte) {
  const auto second_line = [](uint8_t base) {
    std::string unit = foreign_unit();
    unit[13] = static_cast<char>(base);
    unit[unit.find("\x03\x09\x01") + 1] = 0x3f;                 // line 64
    unit[unit.find('\x84')] = static_cast<char>(13 + 119 + 6);  // 13 lines more than the base
    std::string problem;
    const auto sequences = read_line_programs(unit, &problem);
    return sequences.at(0).lines.place(8);
  };
  EXPECT_EQ(second_line(0xfb), "a.cu:72");
  EXPECT_EQ(second_line(0), "a.cu:77");
  EXPECT_EQ(second_line(0x7f), "a.cu:204");
  EXPECT_EQ(second_line(0xc0), "a.cu:13");
  EXPECT_EQ(second_line(0x80), "a.cu:64") << "a line before the first is none";
}

TEST(LineProgram, OfAnotherVersionIsPassedOver) {
  std::string newer = foreign_unit();
  newer[4] = 5;
  std::string problem;
  EXPECT_EQ(read_line_programs(newer + foreign_unit(), &problem).size(), 2u);
  EXPECT_EQ(problem, "");
}

TEST(LineProgram, DamageIsNamed) {
  const std::string unit = foreign_unit();
  std::string problem;
  read_line_programs(unit.substr(0, unit.size() - 1), &problem);
  EXPECT_EQ(problem, "the unit at 0x0 reaches beyond the section");
  std::string damaged = unit;
  damaged[6] = '\x7f';  // length of the header
  problem.clear();
  read_line_programs(unit + damaged, &problem);
  EXPECT_THAT(problem, HasSubstr("has a damaged header"));
  std::string elf = elf_of(with_lines());
  const size_t name = elf.find("k.cu");
  ASSERT_NE(name, std::string::npos);
  elf[name - 11] = 0x50;  // fewer standard opcodes than there are
  EXPECT_THAT(error_of(elf),
              testing::AnyOf(HasSubstr("section .debug_line: the unit at"), "accepted"));
}

TEST(LineProgram, AnyBytesDoNoHarm) {
  const std::string unit = foreign_unit();
  for (size_t at = 0; at < unit.size(); ++at)
    for (const int value : {0, 1, 2, 9, 0x7f, 0x80, 0xff}) {
      std::string damaged = unit;
      damaged[at] = static_cast<char>(value);
      std::string problem;
      read_line_programs(damaged, &problem);
    }
}

TEST(SourceLines, AreFoundInMemoryThatHoldsACubin) {
  const Module module = with_lines();
  const std::string rubbish("\x01\x02 architecture {sm_1 \0 lines { architecture {sm_10}\0", 53);
  for (const std::string& after :
       {std::string("\0more", 5), std::string("MORE {"), std::string("}")}) {
    SourceLines lines;
    lines.learn(rubbish + to_text_cubin(module) + after);
    const Kernel& second = module.kernels[1];
    const LineTable* found = lines.find("second", second.code.data(), second.code.size());
    ASSERT_NE(found, nullptr) << after;
    EXPECT_EQ(found->place(8), "h\xc3\xa4lp.h:1");
    EXPECT_EQ(lines.find("second", second.code.data(), second.code.size() - 1), nullptr);
    auto code = second.code;
    code[0] ^= 0x100;
    EXPECT_EQ(lines.find("second", code.data(), code.size()), nullptr) << "other code";
  }
}

TEST(SourceLines, AreFoundInCubinFiles) {
  const Module module = with_lines();
  SourceLines lines;
  lines.learn(elf_of(module));
  const auto& code = module.kernels[0].code;
  ASSERT_NE(lines.find("first", code.data(), code.size()), nullptr);
  EXPECT_NE(lines.find("renamed", code.data(), code.size()), nullptr) << "its code is enough";
  SourceLines none;
  none.learn(std::string("\177ELF rubbish"));
  none.learn("");
  EXPECT_EQ(none.find("first", code.data(), code.size()), nullptr);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
