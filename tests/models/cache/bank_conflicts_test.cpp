// SPDX-License-Identifier: Apache-2.0
#include "models/cache/bank_conflicts.h"

#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::cache {
namespace {

template <typename Address>
unsigned steps(Banking rule, unsigned bytes, bool write, Address address, uint32_t lanes = ~0u) {
  WarpAccess a;
  a.bytes = bytes;
  a.write = write;
  a.lanes = lanes;
  for (unsigned i = 0; i < kWarpLanes; ++i) a.addresses[i] = static_cast<uint32_t>(address(i));
  return bank_steps(rule, a);
}
constexpr bool kRead = false, kWrite = true;

unsigned strided(Banking rule, unsigned words) {
  return steps(rule, 4, kRead, [&](unsigned i) { return 4 * words * i; });
}

TEST(BankingNone, IsAStepForEachLane) {
  EXPECT_EQ(steps(
                Banking::kNone, 4, kRead, [](unsigned) { return 0; }, 0xff),
            8u);
}

// F.3.3.1: a half-warp has no conflict if the stride is odd; F.4.3: neither has a warp.
TEST(Banking, StridesConflictByTheirCommonFactorWithTheBanks) {
  EXPECT_EQ(strided(Banking::kCompute10, 1), 2u);
  EXPECT_EQ(strided(Banking::kCompute10, 3), 2u);
  EXPECT_EQ(strided(Banking::kCompute10, 2), 4u);
  EXPECT_EQ(strided(Banking::kCompute10, 16), 32u);
  EXPECT_EQ(strided(Banking::kCompute20, 1), 1u);
  EXPECT_EQ(strided(Banking::kCompute20, 2), 2u);
  EXPECT_EQ(strided(Banking::kCompute20, 33), 1u);
  EXPECT_EQ(strided(Banking::kCompute20, 32), 32u);
}

TEST(Banking, OneWordIsBroadcast) {
  const auto same = [](unsigned) { return 0x40; };
  EXPECT_EQ(steps(Banking::kCompute10, 4, kRead, same), 2u);
  EXPECT_EQ(steps(Banking::kCompute20, 4, kRead, same), 1u);
}

// F.3.3.2: with 1.x one word a step is broadcast; F.4.3: with 2.x each is.
TEST(Banking, SeveralWordsAreBroadcastAtOnceFrom20On) {
  const auto pairs = [](unsigned i) { return i / 2 * 4; };
  EXPECT_EQ(steps(Banking::kCompute10, 4, kRead, pairs, 0xffff), 2u);
  EXPECT_EQ(steps(Banking::kCompute20, 4, kRead, pairs), 1u);
}

// F.3.3.3: char at [base + tid] conflicts, at [base + 4 * tid] does not; F.4.3: neither does.
TEST(Banking, BytesOfAWordConflictInReadsOf1xUnlessBroadcast) {
  const auto bytes = [](unsigned i) { return i; };
  EXPECT_EQ(steps(Banking::kCompute10, 1, kRead, bytes, 0xffff), 4u);
  EXPECT_EQ(steps(
                Banking::kCompute10, 1, kRead, [](unsigned i) { return 4 * i; }, 0xffff),
            1u);
  EXPECT_EQ(steps(Banking::kCompute20, 1, kRead, bytes), 1u);
}

TEST(Banking, OfSeveralWritesToOnePlaceOneIsDone) {
  const auto same = [](unsigned) { return 0x40; };
  EXPECT_EQ(steps(Banking::kCompute10, 4, kWrite, same, 0xffff), 1u);
  EXPECT_EQ(steps(Banking::kCompute20, 4, kWrite, same), 1u);
  // Two words of one bank, each written twice.
  const auto two = [](unsigned i) { return i % 2 * 16 * 4; };
  EXPECT_EQ(steps(Banking::kCompute10, 4, kWrite, two, 0xf), 2u);
}

// F.3.3.4: arrays of doubles conflict two ways with 1.x; F.4.3: not with 2.x.
TEST(Banking, DoublesConflictWith1xOnly) {
  const auto doubles = [](unsigned i) { return 8 * i; };
  EXPECT_EQ(steps(Banking::kCompute10, 8, kRead, doubles, 0xffff), 4u);
  EXPECT_EQ(steps(Banking::kCompute20, 8, kRead, doubles, 0xffff), 1u);
  EXPECT_EQ(steps(Banking::kCompute20, 8, kRead, doubles), 2u);
}

TEST(Banking, WithoutLanesThereIsNothingToDo) {
  for (const Banking rule : {Banking::kNone, Banking::kCompute10, Banking::kCompute20})
    EXPECT_EQ(steps(
                  rule, 4, kRead, [](unsigned i) { return 4 * i; }, 0),
              0u);
}

TEST(Banking, IsKnownByNameAndRefusesWhatThereIsNot) {
  EXPECT_EQ(banking_of("compute-2.x"), Banking::kCompute20);
  EXPECT_THROW(banking_of("32"), Error);
  EXPECT_THROW(steps(Banking::kCompute20, 16, kRead, [](unsigned i) { return 16 * i; }), Error);
}

}  // namespace
}  // namespace gvp::cache
