// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fidelity/sections.h"
#include "fidelity/thesis_kernels.h"

namespace gvp::fidelity {
namespace {

using Measurements = std::map<KernelCase, Measurement>;

Measurements measure(const Platform& platform, const char* model) {
  Measurements all;
  for (const unsigned sms : {1u, 2u})
    for (const unsigned sps : kSps) {
      const std::vector<std::string> options = {std::string("--model"),
                                                std::string("gpgpu=") + model,
                                                "--set",
                                                fmt::format("gpgpu.sms={}", sms),
                                                "--set",
                                                fmt::format("gpgpu.sps={}", sps)};
      for (const Measurement& m : run_benchmarks(platform, options, {kSizes.begin(), kSizes.end()}))
        all[{sms, sps, m.size, m.benchmark}] = m;
    }
  return all;
}

// The kernels' times, with one host throughout.
void write_kernels(Report& report, const Platform& platform) {
  const Measurements at = measure(platform, "at");
  const Measurements lt = measure(platform, "lt");
  report.text(R"(### Kernels

The hand-written kernels as the benchmark firmware launches them: times of the loosely timed GPGPU,
which adds up costs, over those of the approximately timed one, which is the reference here; results
are the same bit for bit.

)");
  std::vector<std::vector<std::string>> rows{{"size, device"}};
  rows[0].insert(rows[0].end(), kBenchmarks.begin(), kBenchmarks.end());
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sms : {1u, 2u})
      for (const unsigned sps : kSps) {
        rows.push_back({fmt::format("{}, {} SM of {} SPs", size, sms, sps)});
        for (const std::string benchmark : kBenchmarks) {
          const KernelCase key{sms, sps, size, benchmark};
          const auto ours = static_cast<double>(lt.at(key).device_cycles);
          const auto reference = static_cast<double>(at.at(key).device_cycles);
          report.figure("lt over at", fmt::format("{} {} {}x{}SP", benchmark, size, sms, sps), ours,
                        reference, "cycles");
          errors.add(ours, reference);
          rows.back().push_back(fmt::format("{:.3f}", ours / reference));
        }
      }
  report.table(rows);
  report.text(percentages(errors));
}

// The whole platform in one timing or the other.
void write_host(Report& report, const HostProgram& program) {
  report.text(R"(### MicroBlaze

The thesis's benchmarks on the MicroBlaze without caches (`thesis.elf`): times of the loosely timed
host, bus and memory over those of the approximately timed ones.

)");
  std::vector<std::vector<std::string>> rows{{"program, size"}};
  rows[0].insert(rows[0].end(), kBenchmarks.begin(), kBenchmarks.end());
  ErrorSummary errors;
  for (const unsigned level : {0u, 2u})
    for (const uint32_t size : {16u, 32u}) {
      std::vector<BenchmarkSize> what;
      what.reserve(kBenchmarks.size());
      for (const std::string benchmark : kBenchmarks) what.emplace_back(benchmark, size);
      const HostCycles lt = run_on_host(program, {"", level, {"--timing", "lt"}}, what);
      const HostCycles at = run_on_host(program, {"", level, {"--timing", "at"}}, what);
      rows.push_back({fmt::format("-O{}, {}", level, size)});
      for (const BenchmarkSize& each : what) {
        const auto ours = static_cast<double>(lt.at(each));
        const auto reference = static_cast<double>(at.at(each));
        report.figure("host lt over at", fmt::format("{} {} -O{}", each.first, size, level), ours,
                      reference, "cycles");
        errors.add(ours, reference);
        rows.back().push_back(fmt::format("{:.3f}", ours / reference));
      }
    }
  report.table(rows);
  report.text(percentages(errors));
}

}  // namespace

void lt_section(Report& report, const Platform& platform, const HostProgram& program) {
  report.text("## Loosely timed against approximately timed\n\n");
  write_kernels(report, platform);
  mixtures_section(report, platform);
  write_host(report, program);
}

}  // namespace gvp::fidelity
