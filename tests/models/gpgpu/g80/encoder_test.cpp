// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/encoder.h"

#include <gtest/gtest.h>

#include <random>

#include "models/gpgpu/g80/decoder.h"
#include "tests/models/gpgpu/g80/random_words.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

// R2G leaves open the bit that unlocks, which only devices with extensions look at.
bool unlocks(const Words& words) {
  return words[0] >> 28 == 0 && (words[1] & 0xe4c00000) == 0xe4800000 &&
         form_of(words) == Form::kLong;
}

TEST(Encoder, EveryRowEncodesWhatItDecodes) {
  const uint32_t s = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(s));
  std::mt19937 random(s);
  for (const Row& row : rows()) {
    unsigned accepted = 0;
    for (unsigned n = 0; n < 400; ++n) {
      const Words words =
          random_words(row, random, n % 2 == 0 ? ~0u : static_cast<uint32_t>(random()));
      const Decoded decoded = decode(words);
      if (!decoded.executable()) continue;
      ++accepted;
      if (row.operation == Operation::kStoreShared && unlocks(words)) continue;
      ASSERT_EQ(decoded.instruction.operation, row.operation) << row.name;
      std::string problem;
      const auto again = try_encode(decoded.instruction, &problem);
      ASSERT_TRUE(again) << row.name << " " << std::hex << words[0] << " " << words[1] << problem;
      EXPECT_EQ(*again, words) << row.name;
    }
    EXPECT_GT(accepted, 20u) << row.name;
  }
}

TEST(Encoder, RandomWordsNeverCrashAndSurvive) {
  const uint32_t s = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(s));
  std::mt19937 random(s);
  for (unsigned n = 0; n < 100000; ++n) {
    Words words = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
    if (is_short(words[0])) words[1] = 0;
    const Decoded decoded = decode(words);
    if (!decoded.executable()) {
      EXPECT_FALSE(decoded.reason.empty());
      continue;
    }
    const auto again = try_encode(decoded.instruction);
    ASSERT_TRUE(again) << std::hex << words[0] << " " << words[1];
    ASSERT_EQ(*again, words);
  }
}

TEST(Encoder, ExtraBitsHoldNoMeaning) {
  const uint32_t s = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(s));
  std::mt19937 random(s);
  for (const Row& row : rows()) {
    for (unsigned n = 0; n < 200; ++n) {
      const Decoded decoded = decode(random_words(row, random, ~0u));
      if (!decoded.executable()) continue;
      Instruction plain = decoded.instruction;
      plain.extra = {};
      std::string problem;
      const auto words = try_encode(plain, &problem);
      ASSERT_TRUE(words) << row.name << ": " << problem << std::hex << " " << decoded.words[0]
                         << " " << decoded.words[1];
      EXPECT_EQ(decode(*words).status, DecodeStatus::kOk) << row.name;
    }
  }
}

TEST(Encoder, NoTwoRowsOverlap) {
  for (const Row& a : rows())
    for (const Row& b : rows()) {
      if (&a == &b || a.form != b.form) continue;
      const bool apart = ((a.bits0 ^ b.bits0) & a.mask0 & b.mask0) != 0 ||
                         ((a.bits1 ^ b.bits1) & a.mask1 & b.mask1) != 0;
      const bool unlocks = a.operation == Operation::kUnlockShared && b.type == Type::kU32;
      const bool unlocked = b.operation == Operation::kUnlockShared && a.type == Type::kU32;
      EXPECT_TRUE(apart || unlocks || unlocked) << a.name << " and " << b.name;
    }
}

TEST(Encoder, OffsetsThatDoNotFitAreRefusedWithTheRange) {
  Instruction i = decode(Words{0x1000c805, 0x0423c780}).instruction;  // MOV R1, s[0x10]
  i.sources[0].value = 0x80;
  std::string problem;
  EXPECT_FALSE(try_encode(i, &problem));
  EXPECT_NE(problem.find("0 to 124"), std::string::npos) << problem;
  i.sources[0].value = 0x12;
  EXPECT_FALSE(try_encode(i, &problem));
  EXPECT_NE(problem.find("multiple"), std::string::npos) << problem;
}

TEST(Encoder, ShortFormsCannotBePredicated) {
  Instruction i = decode(Words{0x20018010, 0}).instruction;
  i.predicate = Condition::kEqual;
  std::string problem;
  EXPECT_FALSE(try_encode(i, &problem));
  EXPECT_NE(problem.find("predicated"), std::string::npos) << problem;
}

TEST(Encoder, EveryShortInstructionHasALongForm) {
  const uint32_t s = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(s));
  std::mt19937 random(s);
  for (const Row& row : rows()) {
    if (row.form != Form::kShort && row.form != Form::kShortControl) continue;
    for (unsigned n = 0; n < 200; ++n) {
      const Decoded decoded = decode(random_words(row, random, ~0u));
      if (!decoded.executable()) continue;
      // Only a saturating product of floats has none.
      if (row.operation == Operation::kFloatMultiply && decoded.instruction.saturate) continue;
      const Form form = row.form == Form::kShort ? Form::kLong : Form::kLongControl;
      EXPECT_TRUE(with_form(decoded.instruction, form))
          << row.name << " " << std::hex << decoded.words[0];
    }
  }
}

}  // namespace
}  // namespace gvp::gpgpu::g80
