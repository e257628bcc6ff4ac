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

std::string percentages(const ErrorSummary& errors) {
  return fmt::format("{} figures: typically off by {:.1f} %, at worst by {:.1f} %.\n\n",
                     errors.count(), 100 * (errors.typical_factor() - 1),
                     100 * (errors.worst_factor() - 1));
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

struct Mixture {
  const char* gpgpu;
  const char* axi;
  const char* ddr3;
};
constexpr Mixture kMixtures[] = {{"at", "at", "lt"}, {"at", "lt", "at"}, {"at", "lt", "lt"},
                                 {"lt", "at", "at"}, {"lt", "at", "lt"}, {"lt", "lt", "at"},
                                 {"lt", "lt", "lt"}};

std::vector<Measurement> measure(const Platform& platform, const Mixture& mixture,
                                 unsigned request_cycles) {
  return run_benchmarks(
      platform,
      {"--model", std::string("gpgpu=") + mixture.gpgpu, "--model",
       std::string("axi=") + mixture.axi, "--model", std::string("ddr3=") + mixture.ddr3, "--set",
       "gpgpu.global_memory=ddr3", "--set", fmt::format("axi.request_cycles={}", request_cycles)},
      {32});
}

// Global memory in DDR3, with every mixture of timings on the way there.
void write_mixtures(Report& report, const Platform& platform) {
  report.text(R"(### Mixtures

The same kernels, size 32, with global memory in DDR3: times with GPGPU, bus and memory loosely or
approximately timed over those with all three approximately timed, on a near and on a far bus
(`axi.request_cycles`).

)");
  std::vector<std::vector<std::string>> rows{{"request cycles", "GPGPU, bus, memory"}};
  rows[0].insert(rows[0].end(), kBenchmarks.begin(), kBenchmarks.end());
  ErrorSummary errors;
  for (const unsigned request_cycles : {2u, 40u}) {
    const std::vector<Measurement> exact = measure(platform, {"at", "at", "at"}, request_cycles);
    for (const Mixture& mixture : kMixtures) {
      const std::string name = fmt::format("{}, {}, {}", mixture.gpgpu, mixture.axi, mixture.ddr3);
      rows.push_back({std::to_string(request_cycles), name});
      const std::vector<Measurement> mixed = measure(platform, mixture, request_cycles);
      for (size_t i = 0; i < exact.size(); ++i) {
        const auto ours = static_cast<double>(mixed.at(i).device_cycles);
        const auto reference = static_cast<double>(exact[i].device_cycles);
        report.figure("mixture over at",
                      fmt::format("{} {}-{}-{} request {}", exact[i].benchmark, mixture.gpgpu,
                                  mixture.axi, mixture.ddr3, request_cycles),
                      ours, reference, "cycles");
        errors.add(ours, reference);
        rows.back().push_back(fmt::format("{:.3f}", ours / reference));
      }
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
  write_mixtures(report, platform);
  write_host(report, program);
}

}  // namespace gvp::fidelity
