// SPDX-License-Identifier: Apache-2.0
// Times of the thesis's kernels on all devices of its tables, in one setting that is nearest to the
// thesis and in others that show what matters.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "fidelity/kernel_runs.h"
#include "fidelity/report.h"
#include "fidelity/thesis_tables.h"

namespace gvp::fidelity {

struct KernelCase {
  unsigned sms, sps, size;
  std::string benchmark;
  bool operator<(const KernelCase& o) const {
    return std::tie(sms, sps, size, benchmark) < std::tie(o.sms, o.sps, o.size, o.benchmark);
  }
};

constexpr double kCyclesPerMs = 100e3;  // 100 MHz, MicroBlaze and GPGPU

struct KernelTimes {
  std::map<KernelCase, double> ms;
  std::map<std::string, unsigned> stack_depth;  // of each benchmark at size 256 on 8 SPs
  std::map<std::string, unsigned> operands;     // that an instruction of it has, at most
};

// One SM at all sizes, two at the largest.  Throws Error (model error) for wrong results.
KernelTimes kernel_times(const Tools& tools, const KernelSetting& setting);

// Times of one SM against the thesis's, uncertain figures left out.
ErrorSummary kernel_errors(const KernelTimes& times, const ThesisTables& thesis);

// Writes the tables of settings; returns the times of the nearest.
KernelTimes write_kernel_settings(Report& report, const ThesisTables& thesis, const Tools& tools);

}  // namespace gvp::fidelity
