// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "models/base/error.h"
#include "tests/support/temporary_file.h"

namespace gvp::ddr3 {
namespace {

using testing::HasSubstr;

std::string shipped_file(const std::string& name) {
  std::ifstream stream(std::string(GVP_SOURCE_DIR) + "/platform/configs/ddr3/" + name + ".toml");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string error_of(const std::string& text) {
  try {
    parse_device(text, "test.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Row {
  const char* device;
  double clock_hz;
  Timing timing;  // cl cwl burst trcd trp tras trc trrd tfaw twr twtr trtp tccd trfc trefi
};

// The parameter table that the reference simulator was configured with.
class DeviceTiming : public testing::TestWithParam<Row> {};

TEST_P(DeviceTiming, EqualsTheReferenceTable) {
  const Timing& expected = GetParam().timing;
  const Timing timing = timing_at(find_device(GetParam().device), GetParam().clock_hz);
  EXPECT_EQ(timing.cl, expected.cl);
  EXPECT_EQ(timing.cwl, expected.cwl);
  EXPECT_EQ(timing.burst, expected.burst);
  EXPECT_EQ(timing.trcd, expected.trcd);
  EXPECT_EQ(timing.trp, expected.trp);
  EXPECT_EQ(timing.tras, expected.tras);
  EXPECT_EQ(timing.trc, expected.trc);
  EXPECT_EQ(timing.trrd, expected.trrd);
  EXPECT_EQ(timing.tfaw, expected.tfaw);
  EXPECT_EQ(timing.twr, expected.twr);
  EXPECT_EQ(timing.twtr, expected.twtr);
  EXPECT_EQ(timing.trtp, expected.trtp);
  EXPECT_EQ(timing.tccd, expected.tccd);
  EXPECT_EQ(timing.trfc, expected.trfc);
  EXPECT_EQ(timing.trefi, expected.trefi);
}

INSTANTIATE_TEST_SUITE_P(
    Devices, DeviceTiming,
    testing::Values(
        Row{"mt4jsf6464hy-1g1", 400e6, {6, 5, 4, 6, 6, 15, 21, 4, 20, 6, 4, 4, 4, 44, 3120}},
        Row{"ddr3-1066", 1e9 / 1.875, {7, 6, 4, 7, 7, 20, 27, 6, 27, 8, 4, 4, 4, 59, 4160}},
        Row{"ddr3-800d", 400e6, {5, 5, 4, 5, 5, 15, 20, 4, 20, 6, 4, 4, 4, 44, 3120}},
        Row{"ddr3-800e", 400e6, {6, 5, 4, 6, 6, 15, 21, 4, 20, 6, 4, 4, 4, 44, 3120}},
        Row{"ddr3-1333", 1e9 / 1.5, {9, 7, 4, 9, 9, 24, 33, 5, 30, 10, 5, 5, 4, 74, 5200}}));

TEST(Device, ModuleHoldsHalfAGigabyte) {
  EXPECT_EQ(find_device("mt4jsf6464hy-1g1").size(), 512ull << 20);
}

TEST(Device, EveryShippedFileIsCompiledIn) {
  for (const std::string& name : known_devices()) EXPECT_EQ(find_device(name).name, name);
  EXPECT_THAT(known_devices(), testing::Contains("ddr3-1333"));
}

TEST(Device, AFileCanBeGivenByPath) {
  const std::string path = std::string(GVP_SOURCE_DIR) + "/platform/configs/ddr3/ddr3-800d.toml";
  EXPECT_EQ(find_device(path).name, "ddr3-800d");
}

TEST(Device, UnknownDeviceNamesTheKnownOnes) {
  try {
    find_device("ddr5");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("mt4jsf6464hy-1g1"));
  }
}

TEST(Device, ClockOutsideTheSpeedGradesIsRefused) {
  EXPECT_THROW(timing_at(find_device("ddr3-800d"), 533e6), Error);
  EXPECT_THROW(timing_at(find_device("ddr3-800d"), 0), Error);
}

TEST(Device, ASpeedGradeEndsBeforeItsLongestPeriod) {
  EXPECT_THROW(timing_at(find_device("ddr3-800d"), 1e9 / 3.3), Error);
  EXPECT_EQ(timing_at(find_device("ddr3-800d"), 1e9 / 3.29).cl, 5u);
  EXPECT_EQ(timing_at(find_device("ddr3-1333"), 1e9 / 1.875).cl, 8u) << "not the faster grade";
  EXPECT_EQ(timing_at(find_device("ddr3-1333"), 1e9 / 1.87).cl, 9u);
}

TEST(Device, LowerBoundsInCyclesHoldAtSlowClocks) {
  const Timing timing = timing_at(find_device("ddr3-1333"), 400e6);  // 7.5 ns are three cycles
  EXPECT_EQ(timing.trrd, 4u);
  EXPECT_EQ(timing.twtr, 4u);
  EXPECT_EQ(timing.trtp, 4u);
}

TEST(Device, ErrorsNameFileLineAndKey) {
  const std::string good = shipped_file("ddr3-800d");
  EXPECT_THAT(error_of(replaced(good, "banks = 8", "banks = 7")),
              HasSubstr("test.toml:9:9: \"module.banks\" must be a power of two"));
  EXPECT_THAT(error_of(replaced(good, "banks = 8", "bank = 8")), HasSubstr("lacks \"banks\""));
  EXPECT_THAT(error_of(good + "colour = 3\n"), HasSubstr("unknown key \"colour\" in [speed]"));
  EXPECT_THAT(error_of(replaced(good, "trcd = 12.5", "trcd = -1.0")),
              HasSubstr("\"timing.trcd\" must be a number above 0"));
  EXPECT_THAT(error_of(replaced(good, "trp = 12.5", "trp = nan")), HasSubstr("timing.trp"));
  EXPECT_THAT(error_of("[module"), HasSubstr("test.toml:1:"));
  EXPECT_THAT(error_of(""), HasSubstr("no table [module]"));
}

TEST(Device, CurrentsMayBeMissingButNotWrong) {
  EXPECT_FALSE(find_device("ddr3-800d").currents);
  const std::string good = shipped_file("mt4jsf6464hy-1g1");
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_THAT(error_of(replaced(good, "idd4r = 140\n", "")),
              HasSubstr("[currents] lacks \"idd4r\""));
  EXPECT_THAT(error_of(replaced(good, "idd5b = 160", "idd5b = -1")),
              HasSubstr("\"currents.idd5b\" must be a number above 0"));
  for (const char* change : {"idd0 = 4", "idd4r = 44", "idd4w = 44", "idd5b = 34"}) {
    const std::string key = std::string(change).substr(0, std::string(change).find(' '));
    const size_t at = good.find(key + " = ");
    const std::string was = good.substr(at, good.find('\n', at) - at);
    EXPECT_THAT(error_of(replaced(good, was, change)), HasSubstr("less than standing by"))
        << change;
  }
}

TEST(Device, WhatIsNoDdr3IsRefused) {
  const std::string good = shipped_file("ddr3-800d");
  const auto verdict = [&](const char* key, const char* from, const char* to) {
    return error_of(replaced(good, std::string(key) + " = " + from, std::string(key) + " = " + to));
  };
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_EQ(verdict("data_bits", "64", "8"), "no error");
  EXPECT_THAT(verdict("data_bits", "64", "4"), HasSubstr("is no DDR3"));
  EXPECT_EQ(verdict("banks", "8", "32"), "no error");
  EXPECT_THAT(verdict("banks", "8", "64"), HasSubstr("is no DDR3"));
  EXPECT_EQ(verdict("columns", "1024", "8"), "no error");
  EXPECT_THAT(verdict("columns", "1024", "4"), HasSubstr("is no DDR3"));
  EXPECT_THAT(verdict("burst_length", "8", "4"), HasSubstr("is no DDR3"));
  EXPECT_THAT(verdict("burst_length", "8", "16"), HasSubstr("is no DDR3"));
  EXPECT_THAT(error_of("[colour]\n" + good), HasSubstr("test.toml:1:1: unknown table \"colour\""));
}

TEST(Device, EveryEntryIsReadIntoItsPlace) {
  const std::string text = R"(
[module]
name = "made-up"
data_bits = 16
banks = 4
rows = 256
columns = 128
burst_length = 8
[timing]
trcd = 1.0
trp = 2.0
tras = 3.0
trc = 4.0
trrd = 5.0
trrd_cycles = 6
tfaw = 7.0
twr = 8.0
twtr = 9.0
twtr_cycles = 10
trtp = 11.0
trtp_cycles = 12
tccd_cycles = 13
trfc = 14.0
trefi = 15.0
[[speed]]
tck_min = 1.5
tck_max = 1.8
cl = 9
cwl = 7
[[speed]]
tck_min = 2.5
tck_max = 3.3
cl = 6
cwl = 5
)";
  const Device d = parse_device(text, "test.toml");
  EXPECT_EQ(d.name, "made-up");
  EXPECT_EQ(d.burst_bytes(), 16u);
  EXPECT_EQ(d.size(), uint64_t{4} * 256 * 128 * 2);
  EXPECT_THAT((std::vector<double>{d.trcd, d.trp, d.tras, d.trc, d.trrd, d.tfaw, d.twr, d.twtr,
                                   d.trtp, d.trfc, d.trefi}),
              testing::ElementsAre(1, 2, 3, 4, 5, 7, 8, 9, 11, 14, 15));
  EXPECT_THAT((std::vector<unsigned>{d.trrd_cycles, d.twtr_cycles, d.trtp_cycles, d.tccd_cycles}),
              testing::ElementsAre(6, 10, 12, 13));
  ASSERT_EQ(d.speeds.size(), 2u);
  EXPECT_EQ(d.speeds[0].tck_min, 1.5);
  EXPECT_EQ(d.speeds[0].tck_max, 1.8);
  EXPECT_EQ(d.speeds[1].cl, 6u);
  EXPECT_EQ(d.speeds[1].cwl, 5u);
}

TEST(Device, EntriesAreOfTheirKindAndWithinTheirBounds) {
  const std::string good = shipped_file("ddr3-800d");
  const auto verdict = [&](const char* from, const char* to) {
    return error_of(replaced(good, from, to));
  };
  EXPECT_THAT(verdict("name = \"ddr3-800d\"", "name = 3"),
              HasSubstr("\"module.name\" must be a text"));
  EXPECT_THAT(verdict("trcd = 12.5", "trcd = \"fast\""), HasSubstr("must be a number above 0"));
  EXPECT_THAT(verdict("trcd = 12.5", "trcd = 0.0"), HasSubstr("must be a number above 0"));
  EXPECT_EQ(verdict("trcd = 12.5", "trcd = 0.25"), "no error");
  EXPECT_EQ(verdict("trcd = 12.5", "trcd = 1e6"), "no error") << "1000000 at most";
  EXPECT_THAT(verdict("trcd = 12.5", "trcd = 1000000.5"), HasSubstr("1000000 at most"));
  EXPECT_THAT(verdict("banks = 8", "banks = 0"), HasSubstr("must be a whole number above 0"));
  EXPECT_THAT(verdict("banks = 8", "banks = -8"), HasSubstr("must be a whole number above 0"));
  EXPECT_THAT(verdict("banks = 8", "banks = 8.5"), HasSubstr("must be a whole number above 0"));
  EXPECT_EQ(verdict("banks = 8", "banks = 1"), "no error");
  EXPECT_EQ(verdict("rows = 8192", "rows = 16777216"), "no error") << "2^24 at most";
  EXPECT_THAT(verdict("rows = 8192", "rows = 33554432"),
              HasSubstr("\"module.rows\" must be a whole number above 0, 16777216 at most"));
}

TEST(Device, ErrorsOfTablesNameTheirPlace) {
  const std::string good = shipped_file("ddr3-800d");
  EXPECT_THAT(error_of(replaced(good, "[timing]", "[timings]")),
              HasSubstr("unknown table \"timings\""));
  EXPECT_THAT(error_of(replaced(good, "[timing]", "[timing]\ncolour = 1")),
              HasSubstr("unknown key \"colour\" in [timing]"));
  EXPECT_THAT(error_of(replaced(good, "[module]", "[module]\ncolour = 1")),
              HasSubstr("unknown key \"colour\" in [module]"));
  EXPECT_THAT(error_of(replaced(good, "trp = 12.5", "")), HasSubstr("[timing] lacks \"trp\""));
  const std::string head = good.substr(0, good.find("[[speed]]"));
  EXPECT_THAT(error_of(head), HasSubstr("there is no [[speed]]"));
  EXPECT_THAT(error_of("speed = []\n" + head), HasSubstr("there is no [[speed]]"));
  EXPECT_THAT(error_of("speed = 3\n" + head), HasSubstr("there is no [[speed]]"));
  EXPECT_THAT(error_of("speed = [1]\n" + head), HasSubstr("must be a list of tables"));
  EXPECT_THAT(error_of("module = 3\n" + good.substr(good.find("[timing]"))),
              HasSubstr("there is no table [module]"));
}

TEST(Device, AFileOfMoreThanAMebibyteOrAFolderIsNone) {
  const std::string good = shipped_file("ddr3-800d") + "#";
  const auto verdict = [&](size_t bytes) -> std::string {
    const gvp::test::TemporaryFile file("device.toml",
                                        good + std::string(bytes - good.size(), '#'));
    try {
      find_device(file.path());
    } catch (const Error& caught) {
      return caught.what();
    }
    return "no error";
  };
  EXPECT_EQ(verdict(1 << 20), "no error");
  EXPECT_NE(verdict((1 << 20) + 1), "no error");
  try {
    find_device(testing::TempDir());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no DDR3 device or file"));
    EXPECT_THAT(error.what(), HasSubstr("ddr3-1066, ddr3-1333"));
  }
}

TEST(Device, ErrorsOfClocksNameThePeriods) {
  EXPECT_THAT([] { timing_at(find_device("ddr3-1333"), 100e6); },
              testing::ThrowsMessage<Error>(testing::AllOf(
                  HasSubstr("cannot run with a clock period of 10 ns"), HasSubstr(" ns, "))));
  EXPECT_THAT([] { timing_at(find_device("ddr3-1333"), 0); },
              testing::ThrowsMessage<Error>(HasSubstr("must be above 0 Hz")));
}

// A copy of a shipped file has the name of its original.
TEST(Device, ErrorsOfAWholeDeviceNameItsFile) {
  const std::string good = shipped_file("ddr3-800d");
  EXPECT_THAT(error_of(replaced(good, "burst_length = 8", "burst_length = 4")),
              HasSubstr("test.toml: module ddr3-800d is no DDR3"));
  const Device device = parse_device(good, "test.toml");
  EXPECT_THAT([&] { timing_at(device, 100e6); },
              testing::ThrowsMessage<Error>(HasSubstr("test.toml: DDR3 device ddr3-800d cannot")));
  const Device busy = parse_device(replaced(good, "trefi = 7800.0", "trefi = 100.0"), "test.toml");
  EXPECT_THAT([&] { timing_at(busy, 400e6); },
              testing::ThrowsMessage<Error>(HasSubstr("test.toml: DDR3 device ddr3-800d: a refr")));
}

// Such a memory would refresh for ever.
TEST(DeviceTimingErrors, AnIntervalWithoutTimeForAccessesIsRefused) {
  Device device = find_device("mt4jsf6464hy-1g1");
  device.trfc = device.trefi;
  EXPECT_THAT([&] { timing_at(device, 400e6); },
              testing::ThrowsMessage<Error>(
                  HasSubstr("from refresh to refresh (tREFI) (raise timing.trefi of the device")));
  device = find_device("mt4jsf6464hy-1g1");
  device.trtp_cycles = 1 << 20;
  EXPECT_THROW(timing_at(device, 400e6), Error);
  // A refresh with what must go before it (15 + 6 + 5 + 4 + 6 + 4 + 6 + 44) and an access (21 + 6 +
  // 6
  // + 4 + 20 + 4 + 6 + 5 + 4 + 4) are 170 cycles.
  device = find_device("mt4jsf6464hy-1g1");
  device.trefi = 170 * 2.5;
  EXPECT_EQ(timing_at(device, 400e6).trefi, 170u);
  device.trefi = 169 * 2.5;
  EXPECT_THAT([&] { timing_at(device, 400e6); },
              testing::ThrowsMessage<Error>(HasSubstr("up to 170 of the 169 clock cycles")));
}

}  // namespace
}  // namespace gvp::ddr3
