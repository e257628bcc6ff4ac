// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using testing::HasSubstr;

Decoded decode(std::initializer_list<uint32_t> words) {
  return southern_islands::decode(words.begin(), words.size());
}

TEST(Codec, AnyWordsDecodeToAnInstructionThatSurvivesItsTextOrToAReason) {
  const uint32_t seed = test::seed(16);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  unsigned instructions = 0;
  for (unsigned n = 0; n < 300'000; ++n) {
    const Words words = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
    const Decoded decoded = southern_islands::decode(words.data(), 2);
    ASSERT_EQ(decoded.reason.empty(), decoded.status == DecodeStatus::kOk);
    if (!decoded.executable()) continue;
    ++instructions;
    const Encoded again = encode(decoded.instruction);
    for (unsigned i = 0; i < 2; ++i)
      ASSERT_EQ(again.words[i] ^ decoded.words[i], decoded.ignored[i]);
    ASSERT_EQ(encode(assemble_instruction(to_text(decoded.instruction))).words, again.words)
        << to_text(decoded.instruction);
  }
  EXPECT_GT(instructions, 30'000u);
}

TEST(Codec, ListingsOfAnyWordsAssembleToTheSameWords) {
  const uint32_t seed = test::seed(17);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  for (unsigned n = 0; n < 300; ++n) {
    std::vector<uint32_t> words(random() % 50);
    for (uint32_t& word : words)
      word = random() % 4 == 0 ? 0xbf820000 | (random() % 16 - 8) % 0x10000  // branches nearby
                               : static_cast<uint32_t>(random());
    ASSERT_EQ(assemble(to_listing(words), "listing.s").words, words);
  }
}

TEST(Codec, HasEveryEntryThatMiaowExecutes) {
  std::ifstream file(GVP_SOURCE_DIR "/tests/data/southern_islands/miaow_instructions.csv");
  std::string line;
  std::getline(file, line);
  unsigned executed = 0;
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    std::string format, opcode, hexadecimal, mnemonic, unit, status;
    for (std::string* column : {&format, &opcode, &hexadecimal, &mnemonic, &unit, &status})
      std::getline(columns, *column, ',');
    if (status != "executed") continue;
    ++executed;
    const Operation operation = find_operation(mnemonic);
    ASSERT_NE(operation, Operation::kNone) << line;
    Instruction instruction;
    instruction.operation = operation;
    const OperationInfo& row = info(operation);
    unsigned code = row.opcode;
    if (format == "VOP3A" && row.format != Format::kVop3) {
      instruction.vop3 = true;
      code = encode(instruction).words[0] >> 17 & 0x1ff;
    } else if (format != "VOP3A") {
      EXPECT_EQ(name_of(row.format), format) << line;
    }
    EXPECT_EQ(code, std::stoul(opcode)) << line;
  }
  EXPECT_EQ(executed, 164u);
}

TEST(Codec, SecondWordsThatAreMissingAreTruncations) {
  EXPECT_EQ(decode({0xd2820001}).status, DecodeStatus::kTruncated);  // v_mad_f32
  EXPECT_EQ(decode({0xbe8103ff}).status, DecodeStatus::kTruncated);  // s_mov_b32 s1, literal
  EXPECT_EQ(southern_islands::decode(nullptr, 0).status, DecodeStatus::kTruncated);
}

TEST(Codec, BitsThatAnInstructionDoesNotLookAtAreNamed) {
  const Decoded barrier = decode({0xbf8a0003});  // s_barrier with a number
  EXPECT_EQ(barrier.status, DecodeStatus::kIgnoredBits);
  EXPECT_EQ(barrier.ignored[0], 3u);
  EXPECT_EQ(to_text(barrier.instruction), "s_barrier");
}

TEST(Codec, WhatNoProgramMayContainIsRefusedWithAReason) {
  EXPECT_THAT(decode({0xbe810400}).reason, HasSubstr("s_mov_b64 takes no s[1:2] here"));
  EXPECT_THAT(decode({0xbfff0000}).reason, HasSubstr("no operation 0x7f in SOPP"));
  EXPECT_THAT(decode({0xc8000000}).reason, HasSubstr("unknown encoding"));
  // v_mad_f32 v1, s2, s3, v1
  EXPECT_THAT(decode({0xd2820001, 0x04040602}).reason, HasSubstr("2 different scalar values"));
}

TEST(Codec, LiteralsThatAConstantStandsForKeepTheirWord) {
  const Decoded decoded = decode({0xbe8103ff, 1});
  EXPECT_EQ(to_text(decoded.instruction), "s_mov_b32 s1, lit(0x1)");
  EXPECT_EQ(assemble("s_mov_b32 s1, lit(0x1)", "").words, (std::vector<uint32_t>{0xbe8103ff, 1}));
}

TEST(Codec, ThePageOfEncodingsIsTheTable) {
  std::ifstream file(GVP_SOURCE_DIR "/docs/southern-islands-encodings.md");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), encodings_as_markdown())
      << "sidis --encodings > docs/southern-islands-encodings.md writes it";
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
