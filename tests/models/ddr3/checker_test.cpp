// SPDX-License-Identifier: Apache-2.0
// The judge of DDR3 command logs (models/ddr3/command_checker.h) can condemn: for every rule a log
// that is right to the cycle and passes, and the same one cycle earlier, which breaks that rule
// and no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/ddr3/command_checker.h"
#include "tests/models/ddr3/ml605.h"

namespace gvp::ddr3 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct Entry {
  uint64_t cycle;
  Command command;
  unsigned bank = 0;
  uint32_t row = 1;
};
using Log = std::vector<Entry>;

std::vector<std::string> violations(const Log& log, const Timing& timing = ml605()) {
  CommandChecker checker(8, timing);
  for (const Entry& each : log) checker.on_command(each.cycle, each.command, each.bank, each.row);
  return checker.violations();
}

struct Rule {
  const char* name;
  const char* rule;  // as in the verdict
  Log log;           // the last command comes as early as it may
  // The one figure made stricter or laxer where the real one would let another rule break with it.
  unsigned Timing::*changed = nullptr;
  unsigned cycles = 0;
};

class EarlyByACycle : public testing::TestWithParam<Rule> {};

TEST_P(EarlyByACycle, IsCondemnedByName) {
  const Rule& rule = GetParam();
  Timing timing = ml605();
  if (rule.changed != nullptr) timing.*rule.changed = rule.cycles;
  EXPECT_THAT(violations(rule.log, timing), IsEmpty()) << "the limit itself is allowed";
  Log early = rule.log;
  --early.back().cycle;
  EXPECT_THAT(violations(early, timing), ElementsAre(StartsWith(std::string(rule.rule) + " @ ")));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, EarlyByACycle,
    testing::Values(
        Rule{"CommandBus", "one command a clock", {{0, kAct}, {1, kPre, 1}}},
        Rule{"TrcdRead", "tRCD", {{0, kAct}, {6, kRd}}},
        Rule{"TrcdWrite", "tRCD", {{0, kAct}, {6, kWr}}},
        Rule{"TrcdReadPrecharge", "tRCD", {{0, kAct}, {6, kRda}}},
        Rule{"TrcdWritePrecharge", "tRCD", {{0, kAct}, {6, kWra}}},
        Rule{"Trrd", "tRRD", {{0, kAct}, {4, kAct, 1}}},
        Rule{"Tfaw",
             "tFAW",
             {{0, kAct, 0}, {4, kAct, 1}, {8, kAct, 2}, {12, kAct, 3}, {20, kAct, 4}}},
        Rule{"TfawSlides",
             "tFAW",
             {{0, kAct, 0},
              {8, kAct, 1},
              {12, kAct, 2},
              {16, kAct, 3},
              {20, kAct, 4},
              {28, kAct, 5}}},
        Rule{"Tras", "tRAS", {{0, kAct}, {15, kPre}}},
        Rule{"TrasPrechargeAll", "tRAS", {{0, kAct, 3}, {15, kPreAll}}},
        Rule{"Trc", "tRC", {{0, kAct}, {15, kPre}, {30, kAct}}, &Timing::trc, 30},
        Rule{"Trp", "tRP", {{0, kAct}, {30, kPre}, {36, kAct}}},
        Rule{"TrpPrechargeAll", "tRP", {{0, kAct}, {30, kPreAll}, {36, kAct, 5}}},
        Rule{"TrpOfTheLastPrecharge", "tRP", {{0, kAct}, {30, kPre}, {32, kPre}, {38, kAct}}},
        Rule{"TccdRead", "tCCD", {{0, kAct}, {6, kRd}, {11, kRd}}, &Timing::tccd, 5},
        Rule{"TccdWrite", "tCCD", {{0, kAct}, {6, kWr}, {11, kWr}}, &Timing::tccd, 5},
        Rule{"TccdOtherBank",
             "tCCD",
             {{0, kAct}, {4, kAct, 1}, {10, kRd}, {15, kRd, 1}},
             &Timing::tccd,
             5},
        Rule{"DataBusRead", "data bus", {{0, kAct}, {6, kRd}, {10, kRd}}, &Timing::tccd, 3},
        Rule{"DataBusWrite", "data bus", {{0, kAct}, {6, kWr}, {10, kWr}}, &Timing::tccd, 3},
        Rule{"ReadToWrite", "read to write", {{0, kAct}, {6, kRd}, {13, kWr}}},
        Rule{"ReadToWriteOtherBank",
             "read to write",
             {{0, kAct}, {4, kAct, 1}, {10, kRd}, {17, kWr, 1}}},
        Rule{"Twtr", "tWTR", {{0, kAct}, {6, kWr}, {19, kRd}}},
        Rule{"TwtrOtherBank", "tWTR", {{0, kAct}, {4, kAct, 1}, {10, kWr}, {23, kRd, 1}}},
        Rule{"Twr", "tWR", {{0, kAct}, {6, kWr}, {21, kPre}}},
        Rule{"TwrPrechargeAll", "tWR", {{0, kAct, 2}, {6, kWr, 2}, {21, kPreAll}}},
        Rule{"TwrOfABankThatPrechargesItself",
             "tWR",
             {{0, kAct}, {4, kAct, 1}, {6, kWra}, {21, kPreAll}}},
        Rule{"Trtp", "tRTP", {{0, kAct}, {14, kRd}, {18, kPre}}},
        Rule{"TrtpPrechargeAll", "tRTP", {{0, kAct, 7}, {14, kRd, 7}, {18, kPreAll}}},
        Rule{"AutoPrechargeAfterRead", "tRP", {{0, kAct}, {14, kRda}, {24, kAct}}},
        Rule{"AutoPrechargeWaitsForTras",
             "tRP",
             {{0, kAct}, {6, kRda}, {21, kAct}},
             &Timing::trc,
             16},
        Rule{"AutoPrechargeAfterWrite", "tRP", {{0, kAct}, {6, kWra}, {27, kAct}}},
        Rule{"TrpBeforeRefresh", "tRP before refresh", {{0, kAct}, {15, kPre}, {21, kRef}}},
        Rule{
            "AutoPrechargeBeforeRefresh", "tRP before refresh", {{0, kAct}, {6, kWra}, {27, kRef}}},
        Rule{"TrfcActivate", "tRFC", {{0, kRef}, {44, kAct}}},
        Rule{"TrfcPrecharge", "tRFC", {{0, kRef}, {44, kPre}}},
        Rule{"TrfcBetweenRefreshes", "tRFC between refreshes", {{0, kRef}, {44, kRef}}}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(CommandChecker, ActivateOfAnOpenBank) {
  EXPECT_THAT(violations({{0, kAct}, {15, kPre}, {21, kAct}}), IsEmpty());
  EXPECT_THAT(violations({{0, kAct}, {21, kAct}}),
              ElementsAre(StartsWith("activate of an open bank @ 21")));
}

TEST(CommandChecker, ColumnCommandToAClosedBank) {
  const std::string rule = "column command to a closed bank @ ";
  EXPECT_THAT(violations({{0, kAct}, {15, kPre}, {30, kRd}}), ElementsAre(StartsWith(rule)));
  EXPECT_THAT(violations({{0, kAct}, {15, kPreAll}, {30, kWr}}), ElementsAre(StartsWith(rule)));
  EXPECT_THAT(violations({{0, kAct}, {6, kRda}, {30, kRd}}), ElementsAre(StartsWith(rule)))
      << "auto-precharge closes";
  EXPECT_THAT(violations({{0, kAct}, {6, kWra}, {30, kWr}}), ElementsAre(StartsWith(rule)));
  EXPECT_THAT(violations({{0, kAct}, {30, kRd, 1}}),
              testing::Contains(StartsWith(rule)));  // never activated
}

TEST(CommandChecker, ColumnCommandToAnotherRow) {
  EXPECT_THAT(violations({{0, kAct, 0, 1}, {6, kRd, 0, 2}}),
              ElementsAre(StartsWith("column command to another row @ 6")));
  EXPECT_THAT(violations({{0, kAct, 0, 1}, {6, kWra, 0, 2}}),
              ElementsAre(StartsWith("column command to another row @ 6")));
}

TEST(CommandChecker, RefreshWithAnOpenBank) {
  EXPECT_THAT(violations({{0, kAct, 5}, {40, kRef}}),
              ElementsAre(StartsWith("refresh with an open bank @ 40")));
}

TEST(CommandChecker, RefreshesAreAtMostNineIntervalsApart) {
  EXPECT_THAT(violations({{0, kRef}, {9 * 3120, kRef}}), IsEmpty());
  EXPECT_THAT(violations({{0, kRef}, {9 * 3120 + 1, kRef}}), ElementsAre(StartsWith("tREFI @ ")));
  EXPECT_THAT(violations({{9 * 3120 + 1, kRef}}), ElementsAre(StartsWith("tREFI @ ")))
      << "the first counts from the start";
}

}  // namespace
}  // namespace gvp::ddr3
