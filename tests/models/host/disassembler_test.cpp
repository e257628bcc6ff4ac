// SPDX-License-Identifier: Apache-2.0
// Decoder and disassembler against words and text that GNU as and objdump 2.40 produce, and against
// the assembler of these tests.
#include "models/host/disassembler.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "models/host/decoder.h"
#include "tests/models/host/assembler.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

struct Known {
  uint32_t word;
  const char* text;
};
// From `microblazeel-xilinx-elf-objdump -d` of hand-written assembly, addresses from 0.
constexpr Known kKnown[] = {
    {0x3021ffe4, "addik\tr1, r1, -28"},
    {0xf9e10000, "swi\tr15, r1, 0"},
    {0xe9e10000, "lwi\tr15, r1, 0"},
    {0xb60f0008, "rtsd\tr15, 8"},
    {0x80000000, "or\tr0, r0, r0"},
    {0xb0005000, "imm\t20480"},
    {0xb9f40010, "brlid\tr15, 16\t// 10"},
    {0xbc030008, "beqi\tr3, 8\t// 8"},
    {0xbe23fff0, "bneid\tr3, -16\t// fffffff0"},
    {0x64630402, "bslli\tr3, r3, 2"},
    {0x64630202, "bsrai\tr3, r3, 2"},
    {0x14a32801, "cmp\tr5, r3, r5"},
    {0x14a32803, "cmpu\tr5, r3, r5"},
    {0x48632800, "idiv\tr3, r3, r5"},
    {0x94608001, "mfs\tr3, rmsr"},
    {0x9403c001, "mts\trmsr, r3"},
    {0x94100002, "msrset\tr0, 2"},
    {0xb8000000, "bri\t0\t// 0"},
    {0xba0c0008, "brki\tr16, 8"},
    {0x58632a00, "fcmp.un\tr3, r3, r5"},
    {0x90630060, "sext8\tr3, r3"},
    {0x6c600000, "get\tr3, rfsl0"},
    {0x6c604001, "nget\tr3, rfsl1"},
    {0x6c03a002, "cput\tr3, rfsl2"},
    {0xba020004, "sleep"},
    {0xb8020004, "mbar\t0"},
    {0x906300e0, "clz\tr3, r3"},
    {0xc8632a00, "lwr\tr3, r3, r5"},
    {0xffffffff, ".word\t0xffffffff"},
};

TEST(DisassemblerTest, PrintsWhatObjdumpPrints) {
  for (const Known& known : kKnown) EXPECT_EQ(disassemble(known.word, 0), known.text);
}

// UG984, "Special Purpose Registers".
TEST(DisassemblerTest, SpecialRegistersHaveTheirNames) {
  for (const auto& [number, name] :
       {std::pair(0x0000u, "rpc"), std::pair(0x0001u, "rmsr"), std::pair(0x0003u, "rear"),
        std::pair(0x0005u, "resr"), std::pair(0x0007u, "rfsr"), std::pair(0x000bu, "rbtr"),
        std::pair(0x000du, "redr"), std::pair(0x0800u, "rslr"), std::pair(0x0802u, "rshr"),
        std::pair(0x1000u, "rpid"), std::pair(0x1001u, "rzpr"), std::pair(0x1002u, "rtlbx"),
        std::pair(0x1003u, "rtlblo"), std::pair(0x1004u, "rtlbhi"), std::pair(0x1005u, "rtlbsx"),
        std::pair(0x2000u, "rpvr0"), std::pair(0x2001u, "rpvr1"), std::pair(0x200bu, "rpvr11")}) {
    EXPECT_EQ(disassemble(0x94608000 | number, 0), std::string("mfs\tr3, ") + name);
    EXPECT_EQ(disassemble(0x9403c000 | number, 0), std::string("mts\t") + name + ", r3");
  }
}

TEST(DisassemblerTest, ImmPrefixCompletesTheTarget) {
  EXPECT_EQ(disassemble(0xb9f40010, 0x100, uint16_t{1}), "brlid\tr15, 65552\t// 10110");
}

std::string without_comment(std::string text) {
  text = text.substr(0, text.find("\t//"));
  for (char& c : text)
    if (c == '\t') c = ' ';
  return text;
}

TEST(DisassemblerTest, EveryRowAssemblesBackToItsWord) {
  const uint32_t seed = gvp::test::seed(4711);
  std::mt19937 random(seed);
  for (const InstructionInfo& row : kInstructionTable) {
    for (int i = 0; i < 50; ++i) {
      const uint32_t word = (static_cast<uint32_t>(random()) & ~row.mask) | row.match;
      const Instruction instruction = decode(word);
      ASSERT_NE(instruction.info, nullptr);
      ASSERT_EQ(instruction.operation(), row.operation);
      const std::string text = without_comment(disassemble(word, 0));
      if (text == "hibernate" || text == "suspend") continue;
      const uint32_t again = assemble(text);
      // Fields that an instruction ignores need not survive: compare what is printed.
      EXPECT_EQ(without_comment(disassemble(again, 0)), text) << gvp::test::text_of_seed(seed);
    }
  }
}

TEST(DecoderTest, EveryWordDecodesToAtMostOneRowAndNeverCrashes) {
  const uint32_t seed = gvp::test::seed(815);
  std::mt19937 random(seed);
  for (int i = 0; i < 1000000; ++i) {
    const auto word = static_cast<uint32_t>(random());
    const Instruction instruction = decode(word);
    if (instruction.info == nullptr) continue;
    ASSERT_EQ(word & instruction.info->mask, instruction.info->match)
        << gvp::test::text_of_seed(seed);
  }
}

// "5/3 ..": the latencies of the two pipelines, and whose they are; of all others, 1/1.
constexpr const char* kLatencies[] = {
    "1/3 mul mulh mulhsu mulhu muli",
    "1/2 bsrl bsra bsll bsrli bsrai bslli bsefi bsifi",
    "1/2 lbu lbur lbui lhu lhur lhui lw lwr lwi lwx",
    "1/2 sb sbr sbi sh shr shi sw swr swi swx",
    "34/35 idiv idivu",
    "4/6 fadd frsub fmul",
    "28/30 fdiv",
    "1/3 fcmp.un fcmp.lt fcmp.eq fcmp.le fcmp.gt fcmp.ne fcmp.ge",
    "5/7 flt fint",
    "27/29 fsqrt",
    "2/2 get getd wic wdc wdc.flush wdc.clear wdc.ext.flush wdc.ext.clear mbar",
};

TEST(InstructionTable, LatenciesAreTheManuals) {  // UG984, the instructions' pages
  std::map<std::string, std::string> expected;
  for (const char* row : kLatencies) {
    std::istringstream words(row);
    std::string latencies, mnemonic;
    words >> latencies;
    while (words >> mnemonic) expected[mnemonic] = latencies;
  }
  for (const InstructionInfo& row : kInstructionTable) {
    const auto found = expected.find(std::string(row.mnemonic));
    EXPECT_EQ(std::to_string(row.latency_5) + "/" + std::to_string(row.latency_3),
              found == expected.end() ? "1/1" : found->second)
        << row.mnemonic;
    if (found != expected.end()) expected.erase(found);
  }
  EXPECT_EQ(expected.size(), 0u) << "no such instruction";
}

// A branch's name begins with b or rt, and ends with d where it has a delay slot.
TEST(InstructionTable, BranchesAndTheirDelaySlotsGoByTheirNames) {
  for (const InstructionInfo& row : kInstructionTable) {
    const std::string name(row.mnemonic);
    const bool branch = (name[0] == 'b' && name.substr(0, 2) != "bs") || name.substr(0, 2) == "rt";
    EXPECT_EQ((row.attributes & kBranch) != 0, branch || name == "mbar") << name;
    EXPECT_EQ((row.attributes & kDelaySlot) != 0, branch && name.back() == 'd') << name;
  }
}

TEST(InstructionTable, PrivilegedAreWhatUserModeMayNot) {  // UG984, "Privileged Instructions"
  const std::set<std::string_view>
      privileged =
          {"get",       "getd",      "put",           "putd",          "wic", "wdc",
           "wdc.flush", "wdc.clear", "wdc.ext.flush", "wdc.ext.clear", "mts", "brk",
           "rtid",      "rtbd",      "rted"};  // msrset, msrclr and brki depend on their operands
  for (const InstructionInfo& row : kInstructionTable)
    EXPECT_EQ((row.attributes & kPrivileged) != 0, privileged.count(row.mnemonic) != 0)
        << row.mnemonic;
}

}  // namespace
}  // namespace gvp::host::test
