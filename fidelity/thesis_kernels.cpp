// SPDX-License-Identifier: Apache-2.0
#include "fidelity/thesis_kernels.h"

#include <fmt/format.h>

namespace gvp::fidelity {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kThesisDevice = "flexgrip_thesis.toml";

// FlexGrip's test bench asks for so many blocks at a time, whatever the kernel.
constexpr const char* kBlocksAtATime = "gpgpu.blocks_per_sm=3";

KernelSetting at_level(const char* level) {
  return {fmt::format("`kcc {}`", level), level, kThesisDevice, {kBlocksAtATime}, {}};
}

// What becomes of the figures when one thing is different from `base`.
std::vector<KernelSetting> variants(const KernelSetting& base) {
  std::vector<KernelSetting> all;
  const auto with = [&](const char* name, const std::vector<std::string>& changes) {
    all.push_back(base);
    all.back().name = name;
    all.back().changes.insert(all.back().changes.end(), changes.begin(), changes.end());
    return &all.back();
  };
  with("reading a byte takes three cycles, as published",
       {"gpgpu.timing.lane_access=7", "gpgpu.timing.lane_byte=3", "gpgpu.timing.read_direct=10",
        "gpgpu.timing.read_direct_byte=3"});
  with("memory as in FlexGripPlus (one cycle)",
       {"gpgpu.timing.lane_access=3", "gpgpu.timing.lane_byte=1", "gpgpu.timing.lane_store=3",
        "gpgpu.timing.read_direct=6", "gpgpu.timing.read_direct_byte=1"});
  with("lanes without a thread masked", {"gpgpu.partial_warps=masked"});
  with("both: three cycles a byte, such lanes masked",
       {"gpgpu.timing.lane_access=7", "gpgpu.timing.lane_byte=3", "gpgpu.timing.read_direct=10",
        "gpgpu.timing.read_direct_byte=3", "gpgpu.partial_warps=masked"});
  with("registers as in FlexGripPlus",
       {"gpgpu.timing.read_register=5", "gpgpu.timing.read_zero_register=4",
        "gpgpu.timing.read_predicate_row=2", "gpgpu.timing.write_condition=3"});
  with("set-up of threads as in FlexGripPlus", {"gpgpu.timing.configure_thread=3"});
  with("everything as in FlexGripPlus (`flexgrip.toml`)", {})->config = "flexgrip.toml";
  with("as many blocks at a time as fit", {})->changes.clear();
  with("autocorrelation, reduction: blocks of 32", {})->blocks.threads = 32;
  with("bitonic sort: one block of all values", {})->blocks.sort_threads = 256;
  with("bitonic sort: blocks of 64", {})->blocks.sort_threads = 64;
  with("bitonic sort, too: blocks of 16", {})->blocks.sort_threads = 16;
  return all;
}

// The largest matrix multiplication takes longer than all else together; it behaves as the others.
bool too_long(const std::string& benchmark, uint32_t size) {
  return benchmark == "matrixmul" && size == 256;
}

KernelTimes times_of(const Tools& tools, const KernelSetting& setting, bool all) {
  const CompiledKernels kernels(tools, setting);
  KernelTimes times;
  for (const std::string benchmark : kBenchmarks) {
    if (all) times.operands[benchmark] = kernels.multiplies(benchmark) ? 3 : 2;
    for (const unsigned sps : kSps)
      for (const uint32_t size : kSizes)
        for (const unsigned sms : {1u, 2u}) {
          if (!all && too_long(benchmark, size)) continue;
          if (sms == 2 && (size != 256 || (!all && sps != 8))) continue;
          const KernelRun run = kernels.run(benchmark, size, {sms, sps});
          times.ms[{sms, sps, size, benchmark}] = static_cast<double>(run.cycles) / kCyclesPerMs;
          times.stack_depth[benchmark] = run.stack_depth;
        }
  }
  return times;
}

// How many times as fast 16 and 32 SPs are as 8, against the thesis, at all sizes.
ErrorSummary scaling_errors(const KernelTimes& times, const ThesisTables& thesis) {
  ErrorSummary errors;
  for (const auto& [key, ms] : times.ms) {
    if (key.sms != 1 || key.sps == 8) continue;
    const Printed few = thesis.kernel_ms(key.benchmark, key.size, 8);
    const Printed many = thesis.kernel_ms(key.benchmark, key.size, key.sps);
    if (few.certain() && many.certain())
      errors.add(times.ms.at({1, 8, key.size, key.benchmark}) / ms, few.value / many.value);
  }
  return errors;
}

std::vector<std::string> row_of(const std::string& name, const KernelTimes& times,
                                const ThesisTables& thesis) {
  const ErrorSummary e = kernel_errors(times, thesis), scaling = scaling_errors(times, thesis);
  std::vector<std::string> row = {name,
                                  fmt::format("{:.2f}", e.geometric_mean()),
                                  fmt::format("{:.2f}", e.typical_factor()),
                                  fmt::format("{:.2f}", e.worst_factor()),
                                  fmt::format("{:.2f}", scaling.geometric_mean()),
                                  fmt::format("{:.2f}", scaling.typical_factor())};
  for (const char* benchmark : {"autocorr", "bitonic", "reduction"})
    row.push_back(fmt::format(
        "{:.2f}", times.ms.at({1, 8, 256, benchmark}) / times.ms.at({2, 8, 256, benchmark})));
  return row;
}

Rows head(const char* first) {
  return {{first, "times: mean of ours / thesis", "typical factor", "worst factor",
           "16 and 32 SPs over 8: mean", "typical factor", "2 SMs over 1: autocorr", "bitonic",
           "reduction"}};
}

}  // namespace

KernelTimes kernel_times(const Tools& tools, const KernelSetting& setting) {
  return times_of(tools, setting, true);
}

ErrorSummary kernel_errors(const KernelTimes& times, const ThesisTables& thesis) {
  ErrorSummary errors;
  for (const auto& [key, ms] : times.ms) {
    if (key.sms != 1) continue;
    const Printed reference = thesis.kernel_ms(key.benchmark, key.size, key.sps);
    if (reference.certain()) errors.add(ms, reference.value);
  }
  return errors;
}

KernelTimes write_kernel_settings(Report& report, const ThesisTables& thesis, const Tools& tools) {
  Rows rows = head("compiler");
  KernelSetting nearest;
  double factor = 0;
  for (const char* level : {"-O0", "-O1", "-O2"}) {
    const KernelSetting setting = at_level(level);
    const KernelTimes times = times_of(tools, setting, false);
    rows.push_back(row_of(setting.name, times, thesis));
    const double typical = kernel_errors(times, thesis).typical_factor();
    if (!nearest.level.empty() && typical >= factor) continue;
    nearest = setting;
    factor = typical;
  }
  report.table(rows);
  report.text(
      fmt::format("Nearest, and used below: {}. With one thing different (the thesis's speed-ups "
                  "by a second SM "
                  "are {:.2f}, {:.2f} and {:.2f}):\n\n",
                  nearest.name, thesis.two_sms("autocorr", 8), thesis.two_sms("bitonic", 8),
                  thesis.two_sms("reduction", 8)));
  rows = head("different");
  for (const KernelSetting& setting : variants(nearest))
    rows.push_back(row_of(setting.name, times_of(tools, setting, false), thesis));
  report.table(rows);
  report.text(
      R"(With three cycles a byte, and with lanes masked that have no thread, the times are as near, but what
more SPs gain is less so.

)");
  return kernel_times(tools, nearest);
}

}  // namespace gvp::fidelity
