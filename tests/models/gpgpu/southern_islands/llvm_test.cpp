// SPDX-License-Identifier: Apache-2.0
// Every operation, in every form, with random operands, by our assembler and by LLVM's.
#include "tests/models/gpgpu/southern_islands/llvm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "tests/models/gpgpu/southern_islands/random_instruction.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::southern_islands {
namespace {

std::vector<uint32_t> words_of(const Instruction& instruction) {
  const Encoded encoded = encode(instruction);
  return {encoded.words.begin(), encoded.words.begin() + encoded.count};
}

std::vector<Instruction> random_instructions(uint32_t seed, unsigned of_each_form) {
  RandomInstructions random(seed);
  std::vector<Instruction> instructions;
  for (const OperationInfo& row : kOperations)
    for (const bool vop3 : {false, true})
      for (unsigned n = 0; row.operation != Operation::kNone && n < of_each_form; ++n)
        if (const auto instruction = random.of(row.operation, vop3))
          instructions.push_back(*instruction);
  return instructions;
}

TEST(Llvm, EncodesEveryFormOfEveryOperationAsWeDoAndWritesItInTheSameWords) {
  const uint32_t seed = test::seed(14);
  SCOPED_TRACE(test::text_of_seed(seed));
  const std::vector<Instruction> instructions = random_instructions(seed, 24);
  std::vector<std::string> texts;
  for (const Instruction& instruction : instructions) texts.push_back(to_text(instruction));
  const std::vector<test::LlvmLine> lines = test::assemble_with_llvm(texts);
  unsigned differences = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (lines[i].words == words_of(instructions[i]) && lines[i].text == texts[i]) continue;
    if (++differences <= 20)
      ADD_FAILURE() << fmt::format("ours {} {:08x}, LLVM's {} {:08x}", texts[i],
                                   fmt::join(words_of(instructions[i]), " "), lines[i].text,
                                   fmt::join(lines[i].words, " "));
  }
  EXPECT_EQ(differences, 0u) << "of " << texts.size();
}

TEST(Llvm, WhatItEncodedDecodesToTheTextItWasGiven) {
  const uint32_t seed = test::seed(15);
  SCOPED_TRACE(test::text_of_seed(seed));
  const std::vector<Instruction> instructions = random_instructions(seed, 8);
  std::vector<std::string> texts;
  for (const Instruction& instruction : instructions) texts.push_back(to_text(instruction));
  const std::vector<test::LlvmLine> lines = test::assemble_with_llvm(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Decoded decoded = decode(lines[i].words.data(), lines[i].words.size());
    ASSERT_EQ(decoded.status, DecodeStatus::kOk) << texts[i] << ": " << decoded.reason;
    ASSERT_EQ(decoded.count, lines[i].words.size()) << texts[i];
    ASSERT_EQ(to_text(decoded.instruction), texts[i]);
    ASSERT_EQ(words_of(assemble_instruction(texts[i])), lines[i].words) << texts[i];
  }
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
