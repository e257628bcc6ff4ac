// SPDX-License-Identifier: Apache-2.0
#include "fidelity/thesis_host.h"

#include <fmt/format.h>

#include "fidelity/thesis_compare.h"
#include "fidelity/thesis_kernels.h"

namespace gvp::fidelity {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kIntroduction = R"(### MicroBlaze times, ms (table 7)

The thesis's MicroBlaze needs some 1,100 cycles for one step of the matrix multiplication's inner loop
and 540 for one of the reduction's, if it goes through all threads in each of its log2(n) rounds. That
is code that GCC has not optimised, as Xilinx's tools left it by default, with code, stack and data in
DDR3 and without caches, so that each fetch and each access crosses the bus. The programs here are
`firmware/apps/thesis_host.c`: each kernel's algorithm with a loop over the threads. The host is
loosely timed. What no source says is how long an access took through interconnect, controller and
PHY: `ddr3.front_end_ns` is that, the same for all, and the nearest is used below.

)";

HostSetting setting(unsigned level, unsigned front_end_ns) {
  return {fmt::format("-O{}, `ddr3.front_end_ns` = {}", level, front_end_ns),
          level,
          {"--set", fmt::format("ddr3.front_end_ns={}", front_end_ns)}};
}

// Largest matrix multiplication left out: it takes longer than all else and behaves as the others.
std::vector<BenchmarkSize> cases(bool all) {
  std::vector<BenchmarkSize> list;
  for (const std::string benchmark : kBenchmarks)
    for (const uint32_t size : kSizes)
      if (all || benchmark != "matrixmul" || size < 256) list.emplace_back(benchmark, size);
  return list;
}

HostTimes times_of(const HostProgram& program, const HostSetting& setting, bool all) {
  HostTimes times;
  for (const auto& [key, cycles] : run_on_host(program, setting, cases(all)))
    times[key] = static_cast<double>(cycles) / kCyclesPerMs;
  return times;
}

ErrorSummary errors_of(const HostTimes& times, const ThesisTables& thesis) {
  ErrorSummary errors;
  for (const auto& [key, ms] : times) {
    const Printed reference = thesis.host_ms(key.first, key.second);
    if (reference.certain()) errors.add(ms, reference.value);
  }
  return errors;
}

HostSetting write_settings(Report& report, const ThesisTables& thesis, const HostProgram& program) {
  Rows rows{{"program, memory", "mean of ours / thesis", "typical factor", "worst factor"}};
  HostSetting nearest{"", 0, {}};
  double factor = 0;
  for (const unsigned level : {0u, 2u})
    for (const unsigned front_end_ns : {50u, 100u, 150u, 175u, 200u, 250u, 600u, 800u}) {
      if (level == 0 && front_end_ns > 250) continue;
      const HostSetting each = setting(level, front_end_ns);
      const ErrorSummary e = errors_of(times_of(program, each, false), thesis);
      rows.push_back({each.name, fmt::format("{:.2f}", e.geometric_mean()),
                      fmt::format("{:.2f}", e.typical_factor()),
                      fmt::format("{:.2f}", e.worst_factor())});
      if (!nearest.name.empty() && e.typical_factor() >= factor) continue;
      nearest = each;
      factor = e.typical_factor();
    }
  report.table(rows);
  report.text(fmt::format("Nearest, and used below: {}.\n\n", nearest.name));
  return nearest;
}

}  // namespace

HostTimes write_host_times(Report& report, const ThesisTables& thesis, const HostProgram& program) {
  report.text(kIntroduction);
  const HostSetting nearest = write_settings(report, thesis, program);
  HostTimes times = times_of(program, nearest, true);
  Rows rows{{"size"}};
  rows[0].insert(rows[0].end(), kBenchmarks.begin(), kBenchmarks.end());
  ErrorSummary errors;
  for (const uint32_t size : kSizes) {
    rows.push_back({std::to_string(size)});
    for (const std::string benchmark : kBenchmarks)
      rows.back().push_back(
          compare(report, errors, "MicroBlaze", fmt::format("{} {}", benchmark, size),
                  times.at({benchmark, size}), thesis.host_ms(benchmark, size), "ms"));
  }
  report.table(rows);
  report.text(summary(errors));
  return times;
}

}  // namespace gvp::fidelity
