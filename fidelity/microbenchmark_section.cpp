// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fidelity/microbenchmarks.h"
#include "fidelity/sections.h"

namespace gvp::fidelity {
namespace {

constexpr const char* kIntroduction = R"(## FlexGrip's pipeline against its RTL

Reference: FlexGripPlus 4.4, the published VHDL, simulated with GHDL
(`tests/data/microbenchmarks`). Kernel cycles count from the start of block scheduling to kernel
done. "traces": the cycle in which every row of every warp instruction was issued and left each of
the five stages. A test holds all of this at zero difference. A figure marked (predicted) was not
simulated: its reference comes from the cycle model that the simulated runs confirm, and is counted
apart, as agreeing with it says nothing about the RTL.

)";
constexpr const char* kPredicted = "cycle model";  // a reference's source

constexpr const char* kBugs =
    R"(Runs that show a defect of that RTL are no target; they differ as they should:

)";

// Runs with the reference's cycles, of those compared, by the references' source.
struct Tally {
  unsigned exact = 0;
  unsigned compared = 0;
};
using Tallies = std::map<std::string, Tally>;

std::string cell(const std::vector<Microbenchmark>& all, const std::string& name, unsigned sps,
                 bool bugs, Report& report, Tallies& tallies) {
  for (const Microbenchmark& b : all) {
    if (b.name != name || b.sps != sps || b.rtl_bug != bugs) continue;
    const MicrobenchmarkRun ours = run(b);
    const bool predicted = b.source == kPredicted;
    report.figure(fmt::format("{}{}", bugs ? "rtl defects" : "microbenchmarks",
                              predicted ? " (predicted)" : ""),
                  fmt::format("{}@{}SP", name, sps), static_cast<double>(ours.cycles),
                  static_cast<double>(b.cycles), "cycles");
    Tally& tally = tallies[b.source];
    ++tally.compared;
    std::string traces = predicted ? " (predicted)" : "";
    if (b.stages) {
      const bool same = first_difference(ours.rows, *b.stages).empty();
      traces += same ? ", traces same" : ", traces DIFFER";
    }
    if (ours.cycles == b.cycles) {
      ++tally.exact;
      return fmt::format("{}{}", b.cycles, traces);
    }
    return fmt::format("{} (RTL {}){}", ours.cycles, b.cycles, traces);
  }
  return "";
}

void write_table(const std::vector<Microbenchmark>& all, bool bugs, Report& report) {
  std::vector<std::vector<std::string>> rows{{"kernel", "8 SPs", "16 SPs", "32 SPs", "exercises"}};
  Tallies tallies;
  std::string last;
  for (const Microbenchmark& b : all) {
    if (b.name == last || b.rtl_bug != bugs) continue;
    last = b.name;
    rows.push_back({b.name});
    for (const unsigned sps : {8u, 16u, 32u})
      rows.back().push_back(cell(all, b.name, sps, bugs, report, tallies));
    rows.back().push_back(b.what);
  }
  report.table(rows);
  if (bugs) return;
  const Tally predicted = tallies[kPredicted];
  const Tally simulated = tallies["rtl"];
  report.text(
      fmt::format("{} of {} simulated runs have the RTL's cycles; {} of {} predicted ones are "
                  "as predicted.\n\n",
                  simulated.exact, simulated.compared, predicted.exact, predicted.compared));
}

}  // namespace

void microbenchmark_section(Report& report, const std::string& data_folder) {
  const std::vector<Microbenchmark> all = read_microbenchmarks(data_folder + "/microbenchmarks");
  report.text(kIntroduction);
  write_table(all, false, report);
  report.text(kBugs);
  write_table(all, true, report);
}

}  // namespace gvp::fidelity
