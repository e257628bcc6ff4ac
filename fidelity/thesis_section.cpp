// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "fidelity/csv.h"
#include "fidelity/sections.h"
#include "models/base/error.h"
#include "models/gpgpu/flexgrip/estimates.h"

namespace gvp::fidelity {
namespace {

constexpr double kCyclesPerMs = 100e3;  // 100 MHz
constexpr std::array<const char*, 5> kBenchmarks = {"autocorr", "bitonic", "matrixmul", "reduction",
                                                    "transpose"};
const std::vector<uint32_t> kSizes = {32, 64, 128, 256};
constexpr std::array<unsigned, 3> kSps = {8, 16, 32};

constexpr const char* kIntroduction = R"(## The thesis's benchmarks

Reference: K. Andryc's thesis, tables 4, 7 and 8 (`tests/data/papers`). What it leaves open, and
what is assumed here, the same for all benchmarks and sizes:

- How the kernels were written: NVIDIA's compiler made them from CUDA C that is not published. Each
  row of the next table is one way to make all five, and how near it comes to the thesis's 60 times;
  the rest of this section uses the nearest. The kernels are `fidelity/kernels/benchmarks.cu` compiled
  by `kcc`, with or without tiles in shared memory for the two matrix kernels, and the hand-written
  ones of `firmware/kernels/`.
- Global memory is the GPGPU's block RAM; all data are 32-bit words; matrices are worked on in blocks
  of 16 by 16 threads, bitonic sort and reduction in one block, autocorrelation in blocks of 32 (up to
  size 64) or 64 threads.
- MicroBlaze: `firmware/apps/bench_host.c` as GCC compiles it, code and data where the firmware's
  linker script puts them; its model here is loosely timed.
- Sizes 32, 64 and 128 are compared with table 7, size 256 with table 4: table 7's rows of size 256
  are of two SMs (the thesis does not say so, but they are table 4's times divided by table 8's
  speed-ups).
- Where the thesis prints one digit (times below 1 ms), its time is the MicroBlaze's divided by the
  speed-up.

Cells: ours / thesis (ratio). One SM where nothing else is said.

)";

constexpr KernelSetting kSettings[] = {
    {"CUDA C, `kcc -O0`, matrices in global memory", "-O0", false},
    {"CUDA C, `kcc -O2`, matrices in global memory", "-O2", false},
    {"CUDA C, `kcc -O0`, matrices in shared tiles", "-O0", true},
    {"CUDA C, `kcc -O2`, matrices in shared tiles", "-O2", true},
};
constexpr const char* kByHand = "written by hand (`firmware/kernels/`)";

struct Key {
  unsigned sms, sps, size;
  std::string benchmark;
  bool operator<(const Key& o) const {
    return std::tie(sms, sps, size, benchmark) < std::tie(o.sms, o.sps, o.size, o.benchmark);
  }
};
using Measurements = std::map<Key, Measurement>;
using Times = std::map<Key, double>;  // of kernels, in ms

// What the thesis says.
struct Thesis {
  explicit Thesis(const std::string& folder)
      : table4(folder + "/papers/flexgrip_table4_exec_energy_1sm_256.csv"),
        table7(folder + "/papers/flexgrip_table7_times.csv"),
        table8(folder + "/papers/flexgrip_table8_2sm_over_1sm.csv") {}

  size_t row7(uint32_t size, const std::string& config) const {
    for (size_t row = 0; row < table7.rows(); ++row)
      if (table7.cell(row, "size") == std::to_string(size) && table7.cell(row, "config") == config)
        return row;
    throw bad_input("table 7 has no row for size " + std::to_string(size));
  }
  double host_ms(const std::string& benchmark, uint32_t size) const {
    return table7.number(row7(size, "uBlaze"), benchmark + "_ms");
  }
  // One SM.
  double kernel_ms(const std::string& benchmark, uint32_t size, unsigned sps) const {
    if (size == 256) return table4.number(row4(benchmark), fmt::format("sp{}_ms", sps));
    const size_t row = row7(size, fmt::format("{}SP", sps));
    const double printed = table7.number(row, benchmark + "_ms");
    return printed >= 1 ? printed : host_ms(benchmark, size) / table7.number(row, benchmark + "_x");
  }
  size_t row4(const std::string& benchmark) const {
    size_t row = 0;
    while (table4.cell(row, "benchmark") != benchmark) ++row;
    return row;
  }

  Csv table4, table7, table8;
};

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
      for (const Measurement& m : run_benchmarks(platform, options, kSizes))
        all[{sms, sps, m.size, m.benchmark}] = m;
    }
  return all;
}

double host_ms(const Measurement& m) { return static_cast<double>(m.host_cycles) / kCyclesPerMs; }

Times times_by_hand(const Measurements& at) {
  Times times;
  for (const auto& [key, m] : at) times[key] = static_cast<double>(m.device_cycles) / kCyclesPerMs;
  return times;
}

// One SM at all sizes, two SMs at the largest.
Times times_of(const CompiledKernels& kernels) {
  Times times;
  for (const std::string benchmark : kBenchmarks)
    for (const unsigned sps : kSps) {
      for (const uint32_t size : kSizes)
        times[{1, sps, size, benchmark}] =
            static_cast<double>(kernels.run(benchmark, size, {1, sps})) / kCyclesPerMs;
      times[{2, sps, 256, benchmark}] =
          static_cast<double>(kernels.run(benchmark, 256, {2, sps})) / kCyclesPerMs;
    }
  return times;
}

ErrorSummary errors_of(const Times& times, const Thesis& thesis) {
  ErrorSummary errors;
  for (const auto& [key, ms] : times)
    if (key.sms == 1) errors.add(ms, thesis.kernel_ms(key.benchmark, key.size, key.sps));
  return errors;
}

// "12.3 / 45.6 (0.27)", and the figure for the CSV and the group's errors.
std::string compare(Report& report, ErrorSummary& errors, const std::string& group,
                    const std::string& what, double ours, double reference, const char* unit) {
  report.figure(group, what, ours, reference, unit);
  errors.add(ours, reference);
  return fmt::format("{:.3g} / {:.3g} ({:.2f})", ours, reference, ours / reference);
}

std::vector<std::string> head(const char* first) {
  std::vector<std::string> row{first};
  row.insert(row.end(), kBenchmarks.begin(), kBenchmarks.end());
  return row;
}

std::string summary(const ErrorSummary& e) {
  return fmt::format(
      "{} figures: geometric mean of ours / thesis {:.2f}; typically off by a factor of {:.2f}, at "
      "worst {:.2f}.\n\n",
      e.count(), e.geometric_mean(), e.typical_factor(), e.worst_factor());
}

// Shows all settings and returns the times of the nearest.
Times write_settings(Report& report, const Thesis& thesis, const Tools& tools,
                     const Measurements& at) {
  std::vector<std::vector<std::string>> rows{
      {"kernels", "mean of ours / thesis", "typical factor", "worst factor"}};
  Times nearest;
  std::string name;
  double factor = 0;
  const auto consider = [&](const char* setting, Times times) {
    const ErrorSummary e = errors_of(times, thesis);
    rows.push_back({setting, fmt::format("{:.2f}", e.geometric_mean()),
                    fmt::format("{:.2f}", e.typical_factor()),
                    fmt::format("{:.2f}", e.worst_factor())});
    if (!name.empty() && e.typical_factor() >= factor) return;
    name = setting;
    factor = e.typical_factor();
    nearest = std::move(times);
  };
  for (const KernelSetting& setting : kSettings)
    consider(setting.name, times_of(CompiledKernels(tools, setting)));
  consider(kByHand, times_by_hand(at));
  report.table(rows);
  report.text(fmt::format("Nearest, and used below: {}.\n\n", name));
  return nearest;
}

void write_times(Report& report, const Thesis& thesis, const Times& times) {
  report.text("### Kernel times, ms (tables 7 and 4)\n\n");
  std::vector<std::vector<std::string>> rows{head("size, SPs")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      rows.push_back({fmt::format("{}, {} SPs", size, sps)});
      for (const std::string benchmark : kBenchmarks)
        rows.back().push_back(compare(
            report, errors, "times", fmt::format("{} {} {}SP", benchmark, size, sps),
            times.at({1, sps, size, benchmark}), thesis.kernel_ms(benchmark, size, sps), "ms"));
    }
  report.table(rows);
  report.text(summary(errors));
}

void write_host_times(Report& report, const Thesis& thesis, const Measurements& at) {
  report.text("### MicroBlaze times, ms (table 7), host loosely timed\n\n");
  std::vector<std::vector<std::string>> rows{head("size")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes) {
    rows.push_back({std::to_string(size)});
    for (const std::string benchmark : kBenchmarks)
      rows.back().push_back(
          compare(report, errors, "MicroBlaze", fmt::format("{} {}", benchmark, size),
                  host_ms(at.at({1, 8, size, benchmark})), thesis.host_ms(benchmark, size), "ms"));
  }
  report.table(rows);
  report.text(summary(errors));
  report.text(
      R"(The thesis's MicroBlaze needs some 1,100 cycles for one step of the matrix multiplication's inner
loop and 4,300 per element of the reduction. Our loosely timed host fetches every instruction from
DDR3 without caches, at latencies of bus and controller that are assumed (`axi.*_cycles`,
`ddr3.front_end_ns`); the thesis does not publish its own. A slower memory path would bring the former
nearer; nothing here explains the latter.

)");
}

void write_speedups(Report& report, const Thesis& thesis, const Measurements& at,
                    const Times& times) {
  report.text("### Speed-up over the MicroBlaze (table 7), host loosely timed\n\n");
  std::vector<std::vector<std::string>> rows{head("size, SPs")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      rows.push_back({fmt::format("{}, {} SPs", size, sps)});
      for (const std::string benchmark : kBenchmarks)
        rows.back().push_back(
            compare(report, errors, "speed-up", fmt::format("{} {} {}SP", benchmark, size, sps),
                    host_ms(at.at({1, 8, size, benchmark})) / times.at({1, sps, size, benchmark}),
                    thesis.host_ms(benchmark, size) / thesis.kernel_ms(benchmark, size, sps), "x"));
    }
  report.table(rows);
  report.text(summary(errors));
}

// How many times as fast one device is as another.
void write_scaling(Report& report, const Thesis& thesis, const Times& times) {
  report.text("### Scaling at size 256 (tables 4 and 8)\n\n");
  std::vector<std::vector<std::string>> rows{
      {"benchmark", "16 over 8 SPs", "32 over 8 SPs", "2 SMs over 1, 8 SPs", "16 SPs", "32 SPs"}};
  ErrorSummary errors;
  for (const std::string benchmark : kBenchmarks) {
    const auto ours = [&](unsigned sms, unsigned sps) {
      return times.at({sms, sps, 256, benchmark});
    };
    const auto reference = [&](unsigned sps) { return thesis.kernel_ms(benchmark, 256, sps); };
    rows.push_back({benchmark});
    for (const unsigned sps : {16u, 32u})
      rows.back().push_back(compare(report, errors, "scaling",
                                    fmt::format("{} {} over 8 SPs", benchmark, sps),
                                    ours(1, 8) / ours(1, sps), reference(8) / reference(sps), "x"));
    for (const unsigned sps : kSps)
      rows.back().push_back(
          compare(report, errors, "scaling", fmt::format("{} 2 SMs over 1 {} SPs", benchmark, sps),
                  ours(1, sps) / ours(2, sps),
                  thesis.table8.number(thesis.row4(benchmark), fmt::format("sp{}", sps)), "x"));
  }
  report.table(rows);
  report.text(summary(errors));
  report.text(
      R"(Bitonic sort and reduction are one block here, which a second SM cannot share; the thesis does
not say how it made more of them.

)");
}

void write_energy(Report& report, const Thesis& thesis, const Measurements& at,
                  const Times& times) {
  report.text(R"(### Dynamic energy at size 256, 8 SPs, mJ (table 4)

Power (table 3) times time. The table's columns for 16 and 32 SPs are not compared: what is printed
there is not power times time (the energies of 16 SPs are the times of 32 SPs).

)");
  std::vector<std::vector<std::string>> rows{{"benchmark", "GPGPU", "saved over the MicroBlaze"}};
  ErrorSummary errors;
  const gpgpu::flexgrip::Configuration device;
  const gpgpu::flexgrip::Estimates estimates = gpgpu::flexgrip::estimate(device);
  constexpr double kMicroBlazeWatts = 0.37;  // thesis table 3
  for (const std::string benchmark : kBenchmarks) {
    const size_t row = thesis.row4(benchmark);
    const double ms = times.at({1, 8, 256, benchmark});
    const double ours =
        gpgpu::flexgrip::energy_mj(estimates, device, static_cast<uint64_t>(ms * kCyclesPerMs));
    const double saved = 1 - ours / (kMicroBlazeWatts * host_ms(at.at({1, 8, 256, benchmark})));
    rows.push_back({benchmark,
                    compare(report, errors, "energy", benchmark, ours,
                            thesis.table4.number(row, "sp8_mj"), "mJ"),
                    fmt::format("{:.0f} % / {:.0f} %", 100 * saved,
                                100 * thesis.table4.number(row, "sp8_red"))});
  }
  report.table(rows);
  report.text(summary(errors));
}

void write_loosely_timed(Report& report, const Measurements& at, const Measurements& lt) {
  report.text(R"(## Loosely timed against approximately timed

The hand-written kernels as the benchmark firmware launches them: times of the loosely timed GPGPU, which adds up costs, over those of the approximately timed
one, which is the reference here; results are the same bit for bit.

)");
  std::vector<std::vector<std::string>> rows{head("size, device")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sms : {1u, 2u})
      for (const unsigned sps : kSps) {
        rows.push_back({fmt::format("{}, {} SM of {} SPs", size, sms, sps)});
        for (const std::string benchmark : kBenchmarks) {
          const Key key{sms, sps, size, benchmark};
          const auto ours = static_cast<double>(lt.at(key).device_cycles);
          const auto reference = static_cast<double>(at.at(key).device_cycles);
          report.figure("lt over at", fmt::format("{} {} {}x{}SP", benchmark, size, sms, sps), ours,
                        reference, "cycles");
          errors.add(ours, reference);
          rows.back().push_back(fmt::format("{:.3f}", ours / reference));
        }
      }
  report.table(rows);
  report.text(fmt::format("{} figures: typically off by {:.1f} %, at worst by {:.1f} %.\n",
                          errors.count(), 100 * (errors.typical_factor() - 1),
                          100 * (errors.worst_factor() - 1)));
}

}  // namespace

void thesis_section(Report& report, const std::string& data_folder, const Platform& platform,
                    const Tools& tools) {
  const Thesis thesis(data_folder);
  const Measurements at = measure(platform, "at");
  const Measurements lt = measure(platform, "lt");
  report.text(kIntroduction);
  const Times times = write_settings(report, thesis, tools, at);
  write_times(report, thesis, times);
  write_scaling(report, thesis, times);
  write_host_times(report, thesis, at);
  write_speedups(report, thesis, at, times);
  write_energy(report, thesis, at, times);
  write_loosely_timed(report, at, lt);
}

}  // namespace gvp::fidelity
