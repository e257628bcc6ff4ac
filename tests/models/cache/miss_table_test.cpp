// SPDX-License-Identifier: Apache-2.0
#include "models/cache/miss_table.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/base/error.h"
#include "tests/support/seed.h"

namespace gvp::cache {
namespace {

using Result = MissTable::Result;

TEST(MissTable, FirstRequestOfALineFetchesItAndOthersMerge) {
  MissTable table(2, 3);
  EXPECT_EQ(table.add(0x100, 1), Result::kNew);
  EXPECT_EQ(table.add(0x100, 2), Result::kMerged);
  EXPECT_EQ(table.add(0x200, 3), Result::kNew);
  EXPECT_EQ(table.counters().fetches, 2u);
  EXPECT_EQ(table.waiting(), 3u);
}

TEST(MissTable, FullTableTakesNoOtherLineButMergesStill) {
  MissTable table(1, 2);
  table.add(0x100, 1);
  EXPECT_EQ(table.add(0x200, 2), Result::kNoEntry);
  EXPECT_EQ(table.add(0x100, 3), Result::kMerged);
  EXPECT_EQ(table.counters().no_entry, 1u);
}

TEST(MissTable, EntryTakesItsNumberOfRequestsTheFirstIncluded) {
  MissTable table(2, 2);
  table.add(0x100, 1);
  table.add(0x100, 2);
  EXPECT_EQ(table.add(0x100, 3), Result::kEntryFull);
  EXPECT_EQ(table.waiting(), 2u);
}

TEST(MissTable, AnswersComeInOrderLineByLine) {
  MissTable table(2, 2);
  table.add(0x100, 1);
  table.add(0x200, 2);
  table.add(0x100, 3);
  EXPECT_FALSE(table.answer());
  table.fill(0x200);
  table.fill(0x100);
  std::vector<uint64_t> requests;
  while (const auto answer = table.answer()) requests.push_back(answer->request);
  EXPECT_EQ(requests, (std::vector<uint64_t>{2, 1, 3}));
  EXPECT_EQ(table.in_use(), 0u);
}

TEST(MissTable, EntryIsFreeAfterItsLastAnswerOnly) {
  MissTable table(1, 2);
  table.add(0x100, 1);
  table.add(0x100, 2);
  table.fill(0x100);
  table.answer();
  EXPECT_EQ(table.add(0x200, 3), Result::kNoEntry);
  table.answer();
  EXPECT_EQ(table.add(0x200, 3), Result::kNew);
}

TEST(MissTable, RefusesAFillThatNobodyHasAskedFor) {
  MissTable table(1, 1);
  EXPECT_THROW(table.fill(0x100), Error);
  table.add(0x100, 1);
  table.fill(0x100);
  EXPECT_THROW(table.fill(0x100), Error);
}

TEST(MissTable, HasAtLeastOneEntryOfOneRequest) {
  EXPECT_THROW(MissTable(0, 1), Error);
  EXPECT_THROW(MissTable(1, 0), Error);
}

TEST(MissTable, EveryRequestThatIsTakenIsAnsweredOnce) {
  const uint32_t seed = test::seed(502);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::minstd_rand random(seed);
  MissTable table(4, 3);
  std::set<uint64_t> open, lines;
  uint64_t number = 0, taken = 0;
  const auto collect = [&] {
    const auto answer = table.answer();
    if (!answer) return;
    ASSERT_EQ(open.erase(answer->request), 1u);
  };
  for (unsigned i = 0; i < 200'000; ++i) {
    const uint64_t line = random() % 8 * 128;
    const Result result = table.add(line, ++number);
    ASSERT_EQ(result == Result::kNew || result == Result::kNoEntry, lines.count(line) == 0);
    if (result == Result::kNew || result == Result::kMerged) {
      open.insert(number);
      ++taken;
    }
    if (result == Result::kNew) lines.insert(line);
    if (random() % 2 == 0 && !lines.empty()) {
      const uint64_t comes = *lines.begin();
      table.fill(comes);
      lines.erase(comes);
    }
    for (unsigned n = 0; n < random() % 4; ++n) collect();
    ASSERT_EQ(table.waiting(), open.size());
    ASSERT_LE(table.in_use(), 4u);
  }
  for (const uint64_t line : lines) table.fill(line);
  while (table.waiting() != 0) collect();
  EXPECT_EQ(table.counters().answers, taken);
  EXPECT_EQ(table.in_use(), 0u);
  EXPECT_EQ(table.counters().most_in_use, 4u);
  EXPECT_GT(table.counters().entry_full, 0u);
}

}  // namespace
}  // namespace gvp::cache
