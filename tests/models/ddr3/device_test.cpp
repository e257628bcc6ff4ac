// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/base/error.h"

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
}

}  // namespace
}  // namespace gvp::ddr3
