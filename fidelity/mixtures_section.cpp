// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fidelity/sections.h"
#include "fidelity/thesis_kernels.h"

namespace gvp::fidelity {
namespace {

constexpr std::array<const char*, 4> kBlocks = {"host", "gpgpu", "axi", "ddr3"};
constexpr unsigned kMixtures = 1u << kBlocks.size();  // a bit each: loosely timed; 0: none is

// Where kernels have their data, and how far away on the bus everything is.
struct Place {
  const char* memory;
  unsigned request_cycles;
};
constexpr Place kPlaces[] = {{"bram", 2}, {"bram", 40}, {"ddr3", 2}, {"ddr3", 40}};

// What the firmware measures of each benchmark.
struct Kind {
  const char* name;
  const char* unit;
  double (*of)(const Measurement&);
};
constexpr Kind kKinds[] = {
    {"program", "cycles", [](const Measurement& m) { return static_cast<double>(m.host_cycles); }},
    {"kernel", "cycles", [](const Measurement& m) { return static_cast<double>(m.device_cycles); }},
    {"with copies", "ms", [](const Measurement& m) { return m.with_copies_ms; }}};

std::string name_of(unsigned mixture, const char* between) {
  std::string name;
  for (size_t block = 0; block < kBlocks.size(); ++block)
    name += std::string(block == 0 ? "" : between) + ((mixture >> block & 1) != 0 ? "lt" : "at");
  return name;
}

std::vector<Measurement> measure(const Platform& platform, unsigned mixture, const Place& place) {
  std::vector<std::string> options = {"--set", std::string("gpgpu.global_memory=") + place.memory,
                                      "--set",
                                      fmt::format("axi.request_cycles={}", place.request_cycles)};
  for (size_t block = 0; block < kBlocks.size(); ++block) {
    options.emplace_back("--model");
    options.push_back(std::string(kBlocks[block]) + ((mixture >> block & 1) != 0 ? "=lt" : "=at"));
  }
  return run_benchmarks(platform, options, {32, 64});
}

double distance(double ours, double reference) { return std::abs(std::log(ours / reference)); }

// Notes the figures, and the worst of each kind in the CSV.  Returns the ratio of the worst of all.
double compare(Report& report, ErrorSummary& errors, const std::vector<Measurement>& mixed,
               const std::vector<Measurement>& exact, const std::string& what) {
  double worst_of_all = 1;
  for (const Kind& kind : kKinds) {
    size_t worst = 0;
    const auto off = [&](size_t i) { return distance(kind.of(mixed.at(i)), kind.of(exact[i])); };
    for (size_t i = 0; i < exact.size(); ++i) {
      errors.add(kind.of(mixed.at(i)), kind.of(exact[i]));
      if (off(i) > off(worst)) worst = i;
    }
    const double ours = kind.of(mixed[worst]), reference = kind.of(exact[worst]);
    report.figure(
        "mixture over at",
        fmt::format("{} {}: {} {}", what, kind.name, exact[worst].benchmark, exact[worst].size),
        ours, reference, kind.unit);
    if (distance(ours, reference) > distance(worst_of_all, 1)) worst_of_all = ours / reference;
  }
  return worst_of_all;
}

}  // namespace

void mixtures_section(Report& report, const Platform& platform) {
  report.text(R"(### Mixtures

The benchmark firmware, sizes 32 and 64, with host, GPGPU, bus and memory each loosely or
approximately timed, with the kernels' data in block RAM and in DDR3, on a near and on a far bus
(`axi.request_cycles` 2 and 40): times over those with all four approximately timed. Of the five
benchmarks' programs on the host, kernels, and kernels with copies, each cell has the figure that is
furthest off.

)");
  std::vector<std::vector<std::string>> rows{{"host, GPGPU, bus, memory"}};
  for (unsigned mixture = 1; mixture < kMixtures; ++mixture)
    rows.push_back({name_of(mixture, ", ")});
  ErrorSummary errors;
  for (const Place& place : kPlaces) {
    rows[0].push_back(fmt::format("{}, {}",
                                  std::string(place.memory) == "bram" ? "block RAM" : "DDR3",
                                  place.request_cycles));
    const std::vector<Measurement> exact = measure(platform, 0, place);
    for (unsigned mixture = 1; mixture < kMixtures; ++mixture) {
      const std::string what = fmt::format("{} {} request {}", name_of(mixture, "-"), place.memory,
                                           place.request_cycles);
      rows[mixture].push_back(fmt::format(
          "{:.3f}", compare(report, errors, measure(platform, mixture, place), exact, what)));
    }
  }
  report.table(rows);
  report.text(percentages(errors));
}

}  // namespace gvp::fidelity
