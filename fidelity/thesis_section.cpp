// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>

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
what is assumed here, the same for all benchmarks:

- How the kernels were written: not published; NVIDIA's compiler of 2008 made them from CUDA C. Ours
  are `firmware/kernels/`, written by hand, so that fewer instructions do the same work: expect
  ratios below 1, most of all for matrix multiplication and autocorrelation, whose inner loops ours
  unrolls or shortens.
- Global memory is the GPGPU's block RAM, all data are 32-bit words, block sizes are those of
  `firmware/apps/bench.c`.
- MicroBlaze: `firmware/apps/bench_host.c` as GCC compiles it, code and data where the firmware's
  linker script puts them; its model here is loosely timed.
- In table 7 the rows of sizes 32, 64 and 128 are 1 SM, those of size 256 are 2 SMs: the thesis does
  not say so, its figures do (128 to 256 lands on table 4's 1-SM figure divided by 1.98).
- Where the thesis prints one digit (times below 1 ms), its time is the MicroBlaze's divided by the
  speed-up.

Cells: ours / thesis (ratio).

)";

struct Key {
  unsigned sms, sps, size;
  std::string benchmark;
  bool operator<(const Key& o) const {
    return std::tie(sms, sps, size, benchmark) < std::tie(o.sms, o.sps, o.size, o.benchmark);
  }
};
using Measurements = std::map<Key, Measurement>;

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

double device_ms(const Measurement& m) {
  return static_cast<double>(m.device_cycles) / kCyclesPerMs;
}
double host_ms(const Measurement& m) { return static_cast<double>(m.host_cycles) / kCyclesPerMs; }

size_t row_of(const Csv& csv, uint32_t size, const std::string& config) {
  for (size_t row = 0; row < csv.rows(); ++row)
    if (csv.cell(row, "size") == std::to_string(size) && csv.cell(row, "config") == config)
      return row;
  throw bad_input("table 7 has no row for size " + std::to_string(size));
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

void write_times(Report& report, const Csv& table7, const Measurements& at) {
  report.text("### Kernel times, ms (table 7)\n\n");
  std::vector<std::vector<std::string>> rows{head("size, device")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      const unsigned sms = size == 256 ? 2 : 1;
      const size_t row = row_of(table7, size, fmt::format("{}SP", sps));
      const size_t host_row = row_of(table7, size, "uBlaze");
      rows.push_back({fmt::format("{}, {} SM of {} SPs", size, sms, sps)});
      for (const std::string benchmark : kBenchmarks) {
        double reference = table7.number(row, benchmark + "_ms");
        if (reference < 1)
          reference =
              table7.number(host_row, benchmark + "_ms") / table7.number(row, benchmark + "_x");
        rows.back().push_back(compare(report, errors, "table 7 times",
                                      fmt::format("{} {} {}x{}SP", benchmark, size, sms, sps),
                                      device_ms(at.at({sms, sps, size, benchmark})), reference,
                                      "ms"));
      }
    }
  report.table(rows);
  report.text(summary(errors));
}

void write_host_times(Report& report, const Csv& table7, const Measurements& at) {
  report.text("### MicroBlaze times, ms (table 7), host loosely timed\n\n");
  std::vector<std::vector<std::string>> rows{head("size")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes) {
    rows.push_back({std::to_string(size)});
    for (const std::string benchmark : kBenchmarks)
      rows.back().push_back(
          compare(report, errors, "table 7 MicroBlaze", fmt::format("{} {}", benchmark, size),
                  host_ms(at.at({1, 8, size, benchmark})),
                  table7.number(row_of(table7, size, "uBlaze"), benchmark + "_ms"), "ms"));
  }
  report.table(rows);
  report.text(summary(errors));
}

void write_speedups(Report& report, const Csv& table7, const Measurements& at) {
  report.text("### Speed-up over the MicroBlaze (table 7), host loosely timed\n\n");
  std::vector<std::vector<std::string>> rows{head("size, device")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      const unsigned sms = size == 256 ? 2 : 1;
      const size_t row = row_of(table7, size, fmt::format("{}SP", sps));
      rows.push_back({fmt::format("{}, {} SM of {} SPs", size, sms, sps)});
      for (const std::string benchmark : kBenchmarks) {
        const Measurement& m = at.at({sms, sps, size, benchmark});
        rows.back().push_back(compare(report, errors, "table 7 speed-up",
                                      fmt::format("{} {} {}x{}SP", benchmark, size, sms, sps),
                                      host_ms(m) / device_ms(m),
                                      table7.number(row, benchmark + "_x"), "x"));
      }
    }
  report.table(rows);
  report.text(summary(errors));
}

// How many times as fast one device is as another, with the thesis's figure.
void write_scaling(Report& report, const Csv& table4, const Csv& table8, const Measurements& at) {
  report.text("### Scaling at size 256: what does not depend on how kernels were written\n\n");
  std::vector<std::vector<std::string>> rows{
      {"benchmark", "16 over 8 SPs", "32 over 8 SPs", "2 SMs over 1, 8 SPs", "16 SPs", "32 SPs"}};
  ErrorSummary errors;
  for (size_t row = 0; row < kBenchmarks.size(); ++row) {
    const std::string benchmark = kBenchmarks[row];
    const auto ms = [&](unsigned sms, unsigned sps) {
      return device_ms(at.at({sms, sps, 256, benchmark}));
    };
    rows.push_back({benchmark});
    for (const unsigned sps : {16u, 32u})
      rows.back().push_back(compare(
          report, errors, "scaling", fmt::format("{} {} over 8 SPs", benchmark, sps),
          ms(1, 8) / ms(1, sps),
          table4.number(row, "sp8_ms") / table4.number(row, fmt::format("sp{}_ms", sps)), "x"));
    for (const unsigned sps : kSps)
      rows.back().push_back(
          compare(report, errors, "scaling", fmt::format("{} 2 SMs over 1 {} SPs", benchmark, sps),
                  ms(1, sps) / ms(2, sps), table8.number(row, fmt::format("sp{}", sps)), "x"));
  }
  report.table(rows);
  report.text(summary(errors));
}

void write_energy(Report& report, const Csv& table4, const Measurements& at) {
  report.text(R"(### Dynamic energy at size 256, one SM of 8 SPs, mJ (table 4)

Power (table 3) times time. The table's columns for 16 and 32 SPs are not compared: what is printed
there is not power times time (the energies of 16 SPs are the times of 32 SPs).

)");
  std::vector<std::vector<std::string>> rows{{"benchmark", "GPGPU", "saved over the MicroBlaze"}};
  ErrorSummary errors, saved_errors;
  const gpgpu::flexgrip::Configuration device;
  const gpgpu::flexgrip::Estimates estimates = gpgpu::flexgrip::estimate(device);
  constexpr double kMicroBlazeWatts = 0.37;  // thesis table 3
  for (size_t row = 0; row < kBenchmarks.size(); ++row) {
    const Measurement& m = at.at({1, 8, 256, kBenchmarks[row]});
    const double ours = gpgpu::flexgrip::energy_mj(estimates, device, m.device_cycles);
    const double saved = 1 - ours / (kMicroBlazeWatts * host_ms(m));
    rows.push_back(
        {kBenchmarks[row],
         compare(report, errors, "table 4 energy", kBenchmarks[row], ours,
                 table4.number(row, "sp8_mj"), "mJ"),
         fmt::format("{:.0f} % / {:.0f} %", 100 * saved, 100 * table4.number(row, "sp8_red"))});
  }
  report.table(rows);
  report.text(summary(errors));
}

void write_loosely_timed(Report& report, const Measurements& at, const Measurements& lt) {
  report.text(R"(## Loosely timed against approximately timed

Kernel times of the loosely timed GPGPU, which adds up costs, over those of the approximately timed
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

void thesis_section(Report& report, const std::string& data_folder, const Platform& platform) {
  const Csv table4(data_folder + "/papers/flexgrip_table4_exec_energy_1sm_256.csv");
  const Csv table7(data_folder + "/papers/flexgrip_table7_times.csv");
  const Csv table8(data_folder + "/papers/flexgrip_table8_2sm_over_1sm.csv");
  const Measurements at = measure(platform, "at");
  const Measurements lt = measure(platform, "lt");
  report.text(kIntroduction);
  write_times(report, table7, at);
  write_scaling(report, table4, table8, at);
  write_host_times(report, table7, at);
  write_speedups(report, table7, at);
  write_energy(report, table4, at);
  write_loosely_timed(report, at, lt);
}

}  // namespace gvp::fidelity
