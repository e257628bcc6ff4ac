// SPDX-License-Identifier: Apache-2.0
// What --trace does to the run that it records: which accesses stay direct, and what becomes of the
// simulated time.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"
#include "tests/end_to_end/traces.h"

namespace gvp::test {
namespace {

using nlohmann::json;

TEST_F(Traces, OfOneRangeLeaveTheRestDirect) {
  const std::string csv = file("range.csv");
  const json statistics = statistics_of({"--trace", csv + ":target=uart16550", firmware("hello")});
  EXPECT_EQ(statistics["axi"]["initiators"]["host_instruction"]["reads"], 0)
      << "the program is still fetched directly";
  const ByPort traced = in_csv(csv).totals;
  EXPECT_EQ(traced.at("host_data write").transactions,
            statistics["axi"]["regions"]["uart16550"]["writes"].get<uint64_t>());
  EXPECT_EQ(traced.count("timer write"), 0u);
}

// A loosely timed host then looks at its interrupt input more often.
TEST_F(Traces, OfTheProgramTakeTheSameSimulatedTime) {
  for (const std::vector<std::string>& timing :
       {std::vector<std::string>{"--timing", "at"}, std::vector<std::string>{}}) {
    std::vector<std::string> plain = timing, traced = timing;
    plain.push_back(firmware("hello"));
    traced.insert(traced.end(),
                  {"--trace", file("program.csv") + ":record=functions|local", firmware("hello")});
    const double expected = statistics_of(plain)["sim_time_ns"].get<double>();
    EXPECT_NEAR(statistics_of(traced)["sim_time_ns"].get<double>(), expected,
                timing.empty() ? expected / 1000 : 0);
  }
}

// Outside of its window nothing is denied: the program is fetched directly, as without a trace.
TEST_F(Traces, OfAWindowOfTimeHaveAllOfItAndLeaveTheRestDirect) {
  const std::string part = file("part.csv"), whole = file("whole.csv");
  const json windowed = statistics_of({"--trace", part + ":time=2ms..2.2ms", firmware("hello")});
  const json full = statistics_of({"--trace", whole, firmware("hello")});
  const uint64_t reads = windowed["axi"]["initiators"]["host_instruction"]["reads"];
  EXPECT_LT(reads, full["axi"]["initiators"]["host_instruction"]["reads"].get<uint64_t>() / 4);
  uint64_t inside = 0, first = ~uint64_t{0}, last = 0;
  for (const auto& row : rows_of(part, "transaction")) {
    const uint64_t begin = std::stoull(row.at(11));
    ASSERT_LE(begin, 2200000000u);
    ASSERT_GE(std::stoull(row.at(13)), 2000000000u);
    if (row.at(1) != "host_instruction") continue;
    ++inside;
    first = std::min(first, begin);
    last = std::max(last, begin);
  }
  EXPECT_GT(inside, 100u);
  // No gap at either end: at most what a few instructions take.
  EXPECT_LT(first, 2002000000u);
  EXPECT_GT(last, 2198000000u);
}

// What a checker or a recorder sits in front of takes the same short way.
TEST_F(Traces, AndChecksTakeNoTimeBetweenALooselyTimedHostAndApproximatelyTimedMemory) {
  const std::vector<std::string> mixture = {"--model", "axi=at", "--model", "ddr3=at"};
  const auto time = [&](std::vector<std::string> options) {
    options.insert(options.end(), mixture.begin(), mixture.end());
    options.push_back(firmware("hello"));
    return statistics_of(options)["sim_time_ns"].get<double>();
  };
  const double plain = time({});
  EXPECT_EQ(time({"--set", "axi.check=true"}), plain);
  EXPECT_EQ(time({"--trace", file("mixture.csv")}), plain);
  EXPECT_EQ(time({"--trace", file("mixture.csv") + ":port=ddr3"}), plain);
}

}  // namespace
}  // namespace gvp::test
