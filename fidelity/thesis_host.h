// SPDX-License-Identifier: Apache-2.0
// Times of the thesis's benchmarks on the MicroBlaze, in the setting nearest to the thesis's.
#pragma once

#include <map>

#include "fidelity/host_runs.h"
#include "fidelity/report.h"
#include "fidelity/thesis_tables.h"

namespace gvp::fidelity {

using HostTimes = std::map<BenchmarkSize, double>;  // ms

// a n^3 + b n^2, the curve through (n1, t1) and (n2, t2).
double extrapolate_cubic(double n1, double t1, double n2, double t2, double n);

// Writes the table of settings and that of the times; returns the times of the nearest setting.
HostTimes write_host_times(Report& report, const ThesisTables& thesis, const HostProgram& program);

}  // namespace gvp::fidelity
