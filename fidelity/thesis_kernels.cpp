// SPDX-License-Identifier: Apache-2.0
#include "fidelity/thesis_kernels.h"

#include <fmt/format.h>

#include <utility>

namespace gvp::fidelity {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kThesisDevice = "flexgrip_thesis.toml";

KernelSetting at_level(const char* level) {
  return {fmt::format("`kcc {}`", level), level, kThesisDevice, {}, {}};
}

// What becomes of the figures when one thing is different from `base`.
std::vector<KernelSetting> variants(const KernelSetting& base) {
  const auto with = [&base](const char* name, std::vector<std::string> changes) {
    KernelSetting setting = base;
    setting.name = name;
    setting.changes = std::move(changes);
    return setting;
  };
  std::vector<KernelSetting> all = {
      with("memory as in FlexGripPlus",
           {"gpgpu.timing.lane_access=3", "gpgpu.timing.lane_byte=1", "gpgpu.timing.lane_store=3",
            "gpgpu.timing.read_direct=6", "gpgpu.timing.read_direct_byte=1"}),
      with("registers as in FlexGripPlus",
           {"gpgpu.timing.read_register=5", "gpgpu.timing.read_zero_register=4",
            "gpgpu.timing.read_predicate_row=2", "gpgpu.timing.write_condition=3"}),
      with("set-up of threads as in FlexGripPlus", {"gpgpu.timing.configure_thread=3"}),
      with("everything as in FlexGripPlus (`flexgrip.toml`)", {}),
      with("autocorrelation, reduction: blocks of 32", {}),
      with("bitonic sort, too: blocks of 16", {}),
  };
  all[3].config = "flexgrip.toml";
  all[4].blocks.threads = 32;
  all[5].blocks.sort_in_one = false;
  return all;
}

// The largest matrix multiplication takes longer than all else together; it behaves as the others.
bool too_long(const std::string& benchmark, uint32_t size) {
  return benchmark == "matrixmul" && size == 256;
}

KernelTimes times_of(const Tools& tools, const KernelSetting& setting, bool all) {
  const CompiledKernels kernels(tools, setting);
  KernelTimes times;
  for (const std::string benchmark : kBenchmarks)
    for (const unsigned sps : kSps)
      for (const uint32_t size : kSizes)
        for (const unsigned sms : {1u, 2u}) {
          if (!all && too_long(benchmark, size)) continue;
          if (sms == 2 && (size != 256 || (!all && sps != 8))) continue;
          const KernelRun run = kernels.run(benchmark, size, {sms, sps});
          times.ms[{sms, sps, size, benchmark}] = static_cast<double>(run.cycles) / kCyclesPerMs;
          times.stack_depth[benchmark] = run.stack_depth;
        }
  return times;
}

std::vector<std::string> row_of(const std::string& name, const KernelTimes& times,
                                const ThesisTables& thesis) {
  const ErrorSummary e = kernel_errors(times, thesis);
  std::vector<std::string> row = {name, fmt::format("{:.2f}", e.geometric_mean()),
                                  fmt::format("{:.2f}", e.typical_factor()),
                                  fmt::format("{:.2f}", e.worst_factor())};
  for (const char* benchmark : {"autocorr", "bitonic", "reduction"})
    row.push_back(fmt::format(
        "{:.2f}", times.ms.at({1, 8, 256, benchmark}) / times.ms.at({2, 8, 256, benchmark})));
  return row;
}

Rows head(const char* first) {
  return {{first, "mean of ours / thesis", "typical factor", "worst factor",
           "2 SMs over 1: autocorr", "bitonic", "reduction"}};
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
  return kernel_times(tools, nearest);
}

}  // namespace gvp::fidelity
