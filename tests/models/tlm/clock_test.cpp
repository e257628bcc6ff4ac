// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/clock.h"

#include <gtest/gtest.h>

#include <limits>

#include "models/base/error.h"

namespace gvp::kit {
namespace {

using sc_core::SC_PS;
using sc_core::sc_time;

TEST(Clock, HasTheFrequencysPeriod) {
  EXPECT_EQ(Clock(100e6).period_ps(), 10000u);
  EXPECT_EQ(Clock(400e6).period(), sc_time(2500, SC_PS));
  EXPECT_EQ(Clock(1).period_ps(), 1'000'000'000'000u);
  EXPECT_EQ(Clock(1e12).period_ps(), 1u);
}

TEST(Clock, RoundsThePeriodToTheNearestPicosecond) {
  EXPECT_EQ(Clock(300e6).period_ps(), 3333u);
  EXPECT_EQ(Clock(150e6).period_ps(), 6667u);
  EXPECT_EQ(Clock(400e9).period_ps(), 3u);  // 2.5 ps
}

TEST(Clock, SaysTheFrequencyOfItsRoundedPeriod) {
  EXPECT_DOUBLE_EQ(Clock(100e6).hz(), 100e6);
  EXPECT_DOUBLE_EQ(Clock(300e6).hz(), 1e12 / 3333);
}

TEST(Clock, DoesNotDriftWhereThePeriodIsRounded) {
  const Clock clock(300e6);
  constexpr uint64_t kFar = 1'000'000'000'000;
  EXPECT_EQ(clock.at(kFar), sc_time::from_value(3333 * kFar));
  EXPECT_EQ(clock.cycles(clock.at(kFar)), kFar);
}

TEST(Clock, FindsTheCycleThatATimeLiesIn) {
  const Clock clock(100e6);
  EXPECT_EQ(clock.cycles(sc_time(0, SC_PS)), 0u);
  EXPECT_EQ(clock.cycles(sc_time(9999, SC_PS)), 0u);
  EXPECT_EQ(clock.cycles(sc_time(10000, SC_PS)), 1u);
}

TEST(Clock, FindsTheFirstCycleFromATimeOn) {
  const Clock clock(100e6);
  EXPECT_EQ(clock.cycles_up(sc_time(0, SC_PS)), 0u);
  EXPECT_EQ(clock.cycles_up(sc_time(1, SC_PS)), 1u);
  EXPECT_EQ(clock.cycles_up(sc_time(10000, SC_PS)), 1u);
  EXPECT_EQ(clock.cycles_up(sc_time(10001, SC_PS)), 2u);
  EXPECT_EQ(clock.edge(10000), 10000u);
  EXPECT_EQ(clock.edge(10001), 20000u);
}

TEST(Clock, RefusesWhatIsNoFrequencyAndNamesIt) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double hz : {0.0, -1.0, 0.5, 2e12, kInfinite, kNan}) {
    try {
      Clock(hz, "the bus's clock");
      FAIL() << hz << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_NE(std::string(error.what()).find("the bus's clock"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace gvp::kit
