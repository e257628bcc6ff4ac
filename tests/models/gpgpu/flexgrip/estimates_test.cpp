// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/estimates.h"

#include <gtest/gtest.h>

#include "fidelity/csv.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const std::string kPapers = GVP_SOURCE_DIR "/tests/data/papers/";

Configuration device(uint32_t sms, uint32_t sps) {
  Configuration configuration;
  configuration.sms = sms;
  configuration.sps = sps;
  return configuration;
}

void expect_area(const Area& area, const fidelity::Csv& csv, size_t row, const char* flip_flops,
                 const char* dsps) {
  EXPECT_DOUBLE_EQ(area.luts, csv.number(row, "luts"));
  EXPECT_DOUBLE_EQ(area.flip_flops, csv.number(row, flip_flops));
  EXPECT_DOUBLE_EQ(area.block_rams, csv.number(row, "bram"));
  EXPECT_DOUBLE_EQ(area.dsps, csv.number(row, dsps));
}

TEST(Estimates, AreaIsThatOfTable6) {
  const fidelity::Csv csv(kPapers + "flexgrip_table6_area.csv");
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto sms = static_cast<uint32_t>(csv.number(row, "sms"));
    const Estimates e = estimate(device(sms, static_cast<uint32_t>(csv.number(row, "sps"))));
    expect_area(e.area, csv, row, "ffs", "dsp48e");
  }
}

TEST(Estimates, WhatTheFpgaHasLessOfIsNamed) {
  EXPECT_TRUE(estimate(device(1, 8)).exceeded.empty());
  EXPECT_TRUE(estimate(device(2, 8)).exceeded.empty());
  const Estimates one = estimate(device(1, 32));
  ASSERT_EQ(one.exceeded.size(), 1u);
  EXPECT_EQ(one.exceeded[0], "LUTs: 231436, the XC6VLX240T has 150720");
  EXPECT_FALSE(one.extrapolated) << "as the thesis printed it";
  const Estimates most = estimate(device(64, 32));
  EXPECT_EQ(most.exceeded.size(), 4u);
}

TEST(Estimates, PowerOfOneSmIsThatOfTable3) {
  const fidelity::Csv csv(kPapers + "flexgrip_table3_power.csv");
  const uint32_t sps[] = {8, 16, 32};
  for (size_t row = 0; row < 3; ++row) {
    const Estimates e = estimate(device(1, sps[row]));
    EXPECT_DOUBLE_EQ(e.dynamic_watts, csv.number(row, "dynamic_w"));
    EXPECT_DOUBLE_EQ(e.static_watts, csv.number(row, "static_w"));
    EXPECT_FALSE(e.extrapolated);
  }
}

TEST(Estimates, TrimmedDevicesAreThoseOfTable10) {
  const fidelity::Csv csv(kPapers + "flexgrip_table10_optimised.csv");
  for (size_t row = 0; row < csv.rows(); ++row) {
    Configuration configuration = device(1, 8);
    configuration.stack_depth = static_cast<uint32_t>(csv.number(row, "warp_stack_depth"));
    configuration.multiplier = configuration.three_operands = csv.number(row, "operands") == 3;
    const Estimates e = estimate(configuration);
    SCOPED_TRACE(csv.cell(row, "variant"));
    expect_area(e.area, csv, row, "ffs", "dsp");
    const double saved =
        csv.empty(row, "dyn_energy_reduction") ? 0 : csv.number(row, "dyn_energy_reduction");
    EXPECT_NEAR(e.dynamic_watts, 0.84 * (1 - saved), 1e-9);
    EXPECT_FALSE(e.extrapolated);
  }
}

TEST(Estimates, WhatTheThesisDoesNotSayIsFlagged) {
  EXPECT_TRUE(estimate(device(2, 8)).extrapolated);  // power
  EXPECT_EQ(estimate(device(4, 8)).notes.size(), 2u);
  Configuration faster = device(1, 8);
  faster.clock_hz = 150e6;
  EXPECT_TRUE(estimate(faster).extrapolated);
  EXPECT_DOUBLE_EQ(estimate(faster).dynamic_watts, 1.5 * 0.84);
  Configuration between = device(1, 8);
  between.stack_depth = 24;
  EXPECT_TRUE(estimate(between).extrapolated);
  EXPECT_DOUBLE_EQ(estimate(between).area.luts, (60375 + 52121) / 2.0);
}

// 16 KiB in each of two SMs and 128 KiB that they share.
TEST(EstimatesTest, CachesTakeABlockRamForEach4KiBOfData) {
  Configuration with = device(2, 8);
  with.l1.enabled = with.l2.enabled = true;
  with.l1.sets = 32;
  with.l1.ways = 4;
  with.l2.sets = 128;
  with.l2.ways = 8;
  EXPECT_DOUBLE_EQ(estimate(with).area.block_rams - estimate(device(2, 8)).area.block_rams, 40.0);
  EXPECT_TRUE(estimate(with).extrapolated);
}

// 2 KiB of instructions, 8 KiB of constants and 12 KiB of textures in each of two SMs: a block RAM,
// two and three.
TEST(EstimatesTest, SoDoThoseOfInstructionsConstantsAndTextures) {
  Configuration with = device(2, 8);
  with.instruction_cache.enabled = true;
  EXPECT_DOUBLE_EQ(estimate(with).area.block_rams - estimate(device(2, 8)).area.block_rams, 2.0);
  with.constant_cache.enabled = true;
  EXPECT_DOUBLE_EQ(estimate(with).area.block_rams - estimate(device(2, 8)).area.block_rams, 6.0);
  with.texture_cache.enabled = true;
  EXPECT_DOUBLE_EQ(estimate(with).area.block_rams - estimate(device(2, 8)).area.block_rams, 12.0);
}

TEST(Estimates, EnergyIsDynamicPowerTimesTime) {
  // Table 4: the autocorrelation takes 40.28 ms and 33.84 mJ on 8 SPs.
  const Configuration configuration = device(1, 8);
  EXPECT_NEAR(energy_mj(estimate(configuration), configuration, 4028000), 33.84, 0.005);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
