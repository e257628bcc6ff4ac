// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fidelity/sections.h"
#include "fidelity/thesis_compare.h"
#include "fidelity/thesis_host.h"
#include "fidelity/thesis_kernels.h"
#include "models/gpgpu/flexgrip/estimates.h"

namespace gvp::fidelity {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kIntroduction = R"(## The thesis's benchmarks

Reference: K. Andryc's thesis, tables 4, 7, 8 and 10 (`tests/data/papers`). What it leaves open, and
what is assumed here, the same for all benchmarks and sizes:

- **Timing**: `platform/configs/flexgrip_thesis.toml`, FlexGrip's own costs as read off the VHDL its
  authors published; [flexgrip-timing.md](flexgrip-timing.md) says how. One of them is fitted to the
  figures below, one value for all: reading a byte from memory takes two cycles, where the published
  VHDL has three states and FlexGripPlus one. As in that VHDL, lanes for which a block has no thread
  run, too. Global memory is the GPGPU's block RAM. Times are the kernels', from the start of block
  scheduling to kernel done, without the host's.
- **Kernels**: `fidelity/kernels/benchmarks.cu`, compiled by `kcc` as NVIDIA's compiler did for the
  thesis: matrix multiplication and transpose as the thesis prints them (figures 29 and 34), the
  others working as the programs in FlexGrip's published test bench do. That test bench is also where
  the blocks come from: 16 threads for autocorrelation, which then needs just the 16 entries of the
  warp stack that table 10 has, and for reduction; 16 by 16 for the product, 32 by 8 for the transpose;
  and three blocks at a time on an SM (the number that the thesis works out in its example, too).
  Bitonic sort, which does not sort in blocks of 16, has blocks of up to 128 values. More values take
  three launches: each block sorts its own, the steps between blocks, and each block again.
- **Rounding**: sizes 32, 64 and 128 are table 7's, size 256 is table 4's (table 7's rows of size 256
  are of two SMs: they are table 4's times over table 8's speed-ups). Where table 7 prints one digit
  (times below 1 ms), the time is the MicroBlaze's over the speed-up. The thesis's MicroBlaze times
  are whole milliseconds, which makes speed-ups over the shortest as uncertain. A figure that its digits leave uncertain by more than 15 % to either side is
  shown with a tilde and not counted.

Cells: ours / thesis (ratio). One SM where nothing else is said.

### Kernels: settings

All figures of the kernel times but the largest matrix multiplication's.

)";

std::vector<std::string> head(const char* first) {
  std::vector<std::string> row{first};
  row.insert(row.end(), kBenchmarks.begin(), kBenchmarks.end());
  return row;
}

// A number that is not rounded beyond use.
Printed exactly(double value) { return {value, value, value}; }

void write_times(Report& report, const ThesisTables& thesis, const KernelTimes& times) {
  report.text("### Kernel times, ms (tables 7 and 4)\n\n");
  Rows rows{head("size, SPs")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      rows.push_back({fmt::format("{}, {} SPs", size, sps)});
      for (const std::string benchmark : kBenchmarks)
        rows.back().push_back(compare(
            report, errors, "times", fmt::format("{} {} {}SP", benchmark, size, sps),
            times.ms.at({1, sps, size, benchmark}), thesis.kernel_ms(benchmark, size, sps), "ms"));
    }
  report.table(rows);
  report.text(summary(errors));
  report.text(
      R"(What stays off: autocorrelation of 32 values on 8 SPs is slower in the thesis than its own figures for
more values and for more SPs let expect. Reduction is faster there than ours, product and transpose are
slower, more so on few SPs. The thesis's product takes 7.9 times as long for twice the size, but on 16
SPs from 128 to 256 only 6.7 times.

)");
}

// How many times as fast one device is as another.
void write_scaling(Report& report, const ThesisTables& thesis, const KernelTimes& times) {
  report.text("### Scaling at size 256 (tables 4 and 8)\n\n");
  Rows rows{
      {"benchmark", "16 over 8 SPs", "32 over 8 SPs", "2 SMs over 1, 8 SPs", "16 SPs", "32 SPs"}};
  ErrorSummary errors;
  for (const std::string benchmark : kBenchmarks) {
    const auto ours = [&](unsigned sms, unsigned sps) {
      return times.ms.at({sms, sps, 256, benchmark});
    };
    const auto reference = [&](unsigned sps) {
      return thesis.kernel_ms(benchmark, 256, sps).value;
    };
    rows.push_back({benchmark});
    for (const unsigned sps : {16u, 32u})
      rows.back().push_back(
          compare(report, errors, "scaling", fmt::format("{} {} over 8 SPs", benchmark, sps),
                  ours(1, 8) / ours(1, sps), exactly(reference(8) / reference(sps)), "x"));
    for (const unsigned sps : kSps)
      rows.back().push_back(
          compare(report, errors, "scaling", fmt::format("{} 2 SMs over 1 {} SPs", benchmark, sps),
                  ours(1, sps) / ours(2, sps), exactly(thesis.two_sms(benchmark, sps)), "x"));
  }
  report.table(rows);
  report.text(summary(errors));
  report.text(
      R"(Bitonic sort of 256 values is in two blocks, on one SM as on two. In one block a second SM is of no use;
in blocks of 64 and less there are more launches, which takes longer than in the thesis (see the
settings). The thesis does not say what it measured with two SMs: its test bench has 16 blocks of 16
threads here, each of which goes through the whole network on the same first values.

)");
}

// What a device needs to run each benchmark.
void write_needs(Report& report, const ThesisTables& thesis, const KernelTimes& times) {
  report.text("### What a device needs (table 10)\n\n");
  Rows rows{head("ours / thesis")};
  rows.push_back({"entries of the warp stack"});
  for (const std::string benchmark : kBenchmarks) {
    const unsigned ours = times.stack_depth.at(benchmark),
                   reference = thesis.stack_depth(benchmark);
    report.figure("stack depth", benchmark, ours, reference, "entries");
    rows.back().push_back(fmt::format("{} / {}", ours, reference));
  }
  rows.push_back({"operands (3: with multiplier)"});
  for (const std::string benchmark : kBenchmarks) {
    const unsigned ours = times.operands.at(benchmark), reference = thesis.operands(benchmark);
    report.figure("operands", benchmark, ours, reference, "operands");
    rows.back().push_back(fmt::format("{} / {}", ours, reference));
  }
  report.table(rows);
}

void write_speedups(Report& report, const ThesisTables& thesis, const HostTimes& host,
                    const KernelTimes& times) {
  report.text("### Speed-up over the MicroBlaze (table 7)\n\n");
  Rows rows{head("size, SPs")};
  ErrorSummary errors;
  for (const uint32_t size : kSizes)
    for (const unsigned sps : kSps) {
      rows.push_back({fmt::format("{}, {} SPs", size, sps)});
      for (const std::string benchmark : kBenchmarks)
        rows.back().push_back(
            compare(report, errors, "speed-up", fmt::format("{} {} {}SP", benchmark, size, sps),
                    host.at({benchmark, size}) / times.ms.at({1, sps, size, benchmark}),
                    thesis.speed_up(benchmark, size, sps), "x"));
    }
  report.table(rows);
  report.text(summary(errors));
}

void write_energy(Report& report, const ThesisTables& thesis, const HostTimes& host,
                  const KernelTimes& times) {
  report.text(R"(### Dynamic energy at size 256, 8 SPs, mJ (table 4)

Power (table 3) times time. The table's columns for 16 and 32 SPs are not compared: what is printed
there is not power times time (the energies of 16 SPs are the times of 32 SPs). Neither is table 9,
whose energies are 0.789 W times table 4's times on every device, nor table 10, whose savings are
inputs of the model's estimates.

)");
  Rows rows{{"benchmark", "GPGPU", "saved over the MicroBlaze"}};
  ErrorSummary errors;
  const gpgpu::flexgrip::Configuration device;
  const gpgpu::flexgrip::Estimates estimates = gpgpu::flexgrip::estimate(device);
  constexpr double kMicroBlazeWatts = 0.37;  // thesis table 3
  for (const std::string benchmark : kBenchmarks) {
    const double ms = times.ms.at({1, 8, 256, benchmark});
    const double ours =
        gpgpu::flexgrip::energy_mj(estimates, device, static_cast<uint64_t>(ms * kCyclesPerMs));
    const double saved = 1 - ours / (kMicroBlazeWatts * host.at({benchmark, 256}));
    rows.push_back(
        {benchmark,
         compare(report, errors, "energy", benchmark, ours, exactly(thesis.energy_mj(benchmark)),
                 "mJ"),
         fmt::format("{:.0f} % / {:.0f} %", 100 * saved, 100 * thesis.energy_saved(benchmark))});
  }
  report.table(rows);
  report.text(summary(errors));
}

}  // namespace

void thesis_section(Report& report, const std::string& data_folder, const HostProgram& program,
                    const Tools& tools) {
  const ThesisTables thesis(data_folder);
  report.text(kIntroduction);
  const KernelTimes times = write_kernel_settings(report, thesis, tools);
  write_times(report, thesis, times);
  write_scaling(report, thesis, times);
  write_needs(report, thesis, times);
  const HostTimes host = write_host_times(report, thesis, program);
  write_speedups(report, thesis, host, times);
  write_energy(report, thesis, host, times);
}

}  // namespace gvp::fidelity
