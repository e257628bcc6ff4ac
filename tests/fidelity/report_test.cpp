// SPDX-License-Identifier: Apache-2.0
#include "fidelity/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "fidelity/csv.h"
#include "fidelity/platform_runs.h"
#include "fidelity/sections.h"
#include "models/base/error.h"
#include "tests/support/temporary_file.h"

namespace gvp::fidelity {
namespace {

using testing::HasSubstr;

Csv table(const std::string& text) {
  return Csv(gvp::test::TemporaryFile("table.csv", text).path());
}

TEST(Csv, QuotedCellsMayHoldCommasAndCommentsAreSkipped) {
  const Csv csv = table("# a comment\nname,value\n\"a, b\",3.5\nc,\n");
  ASSERT_EQ(csv.rows(), 2u);
  EXPECT_EQ(csv.cell(0, "name"), "a, b");
  EXPECT_DOUBLE_EQ(csv.number(0, "value"), 3.5);
  EXPECT_TRUE(csv.empty(1, "value"));
}

TEST(Csv, BadTablesAreRefusedWithTheirPlace) {
  EXPECT_THROW(Csv("/nowhere/table.csv"), Error);
  EXPECT_THROW(table("a,b\n1\n"), Error);
  const Csv csv = table("a\nx\n");
  EXPECT_THROW(csv.cell(0, "b"), Error);
  EXPECT_THROW(csv.number(0, "a"), Error);
}

TEST(ErrorSummary, CountsUpAndDownAlike) {
  ErrorSummary errors;
  errors.add(2, 1);
  errors.add(1, 2);
  EXPECT_DOUBLE_EQ(errors.geometric_mean(), 1.0);
  EXPECT_DOUBLE_EQ(errors.typical_factor(), 2.0);
  EXPECT_DOUBLE_EQ(errors.worst_factor(), 2.0);
}

TEST(Report, TablesHaveAHeadAndFiguresARatio) {
  Report report;
  report.table({{"a", "b"}, {"1", "2"}});
  EXPECT_EQ(report.page(), "| a | b |\n|---|---:|\n| 1 | 2 |\n\n");
  report.figure("group", "what", 3, 2, "ms");
  EXPECT_THAT(report.csv(), HasSubstr("group,what,3,2,1.5000,ms\n"));
}

// The page's first section, as the program writes it now: also that what no RTL was simulated for
// is counted apart.
TEST(MicrobenchmarkSection, IsOnThePageAndCountsPredictedReferencesApart) {
  Report report;
  microbenchmark_section(report, GVP_SOURCE_DIR "/tests/data");
  EXPECT_THAT(report.page(), HasSubstr("52 of 52 simulated runs have the RTL's cycles; 6 of 6 "
                                       "predicted ones are as predicted."));
  std::ostringstream page, figures;
  page << std::ifstream(GVP_SOURCE_DIR "/docs/fidelity.md").rdbuf();
  figures << std::ifstream(GVP_SOURCE_DIR "/docs/fidelity.csv").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr(report.page())) << "./dev fidelity makes the page again";
  EXPECT_THAT(figures.str(), HasSubstr(report.csv().substr(report.csv().find('\n'))));
}

// As that one.
TEST(AreaSection, IsOnThePage) {
  Report report;
  area_section(report, GVP_SOURCE_DIR "/tests/data", GVP_SOURCE_DIR "/rtl/synthesis/area.csv");
  std::ostringstream page, figures;
  page << std::ifstream(GVP_SOURCE_DIR "/docs/fidelity.md").rdbuf();
  figures << std::ifstream(GVP_SOURCE_DIR "/docs/fidelity.csv").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr(report.page())) << "./dev fidelity makes the page again";
  EXPECT_THAT(figures.str(), HasSubstr(report.csv().substr(report.csv().find('\n'))));
}

TEST(AreaSection, RefusesWhatTheThesisHasNot) {
  const std::string head =
      "configuration,sms,sps,stack_depth,multiplier,three_operands,floating_point,luts,lut_rams,"
      "flip_flops,block_rams,dsps,tool,design\n";
  const std::string file = testing::TempDir() + "area.csv";
  for (const char* row : {"a,1,16,2,1,1,0,1,1,1,1,1,tool,0\n", "a,3,8,32,1,1,0,1,1,1,1,1,tool,0\n",
                          "a,1,8,5,1,1,0,1,1,1,1,1,tool,0\n", ""}) {
    std::ofstream(file) << head << row;
    Report report;
    EXPECT_THROW(area_section(report, GVP_SOURCE_DIR "/tests/data", file), Error) << row;
  }
  std::ofstream(file) << head << "a,2,16,32,1,1,0,100,32,1,1,1,tool,0\n";
  Report report;
  area_section(report, GVP_SOURCE_DIR "/tests/data", file);
  EXPECT_THAT(report.page(), HasSubstr("| 2 | 16 | 32 | 3 | 2, 6 | 132 / 232064 (0.00) |"));
  std::remove(file.c_str());
}

// On the page that is shipped: sources of time may differ between models, what takes time may not.
TEST(Mixtures, AreWithinTenPercentOfNoBlockLooselyTimed) {
  unsigned rows = 0;
  std::ifstream figures(GVP_SOURCE_DIR "/docs/fidelity.csv");
  for (std::string line; std::getline(figures, line);) {
    if (line.rfind("mixture over at,", 0) != 0) continue;
    ++rows;
    std::istringstream cells(line);
    std::string cell;
    for (unsigned i = 0; i < 5; ++i) std::getline(cells, cell, ',');
    EXPECT_NEAR(std::stod(cell), 1, 0.1) << line;
  }
  EXPECT_EQ(rows, 15u * 4 * 3) << "./dev fidelity makes the page again";
}

TEST(PlatformRuns, ReadsTheFirmwaresTable) {
  const auto measurements = parse_table(
      "FlexGrip benchmarks: 1 SM of 8 SPs\n"
      "matrix multiplication    64x64     34457852     344.579     10208187     102.082      3.38"
      "     109.532 ok\n"
      "transpose                64x64       429506       4.295       379413       3.794      1.13"
      "       8.663 WRONG\n");
  ASSERT_EQ(measurements.size(), 2u);
  EXPECT_EQ(measurements[0].benchmark, "matrixmul");
  EXPECT_EQ(measurements[0].size, 64u);
  EXPECT_EQ(measurements[0].host_cycles, 34457852u);
  EXPECT_EQ(measurements[0].device_cycles, 10208187u);
  EXPECT_DOUBLE_EQ(measurements[0].with_copies_ms, 109.532);
  EXPECT_TRUE(measurements[0].verified);
  EXPECT_FALSE(measurements[1].verified);
  EXPECT_THROW(parse_table("transpose  64x64 what\n"), Error);
}

}  // namespace
}  // namespace gvp::fidelity
