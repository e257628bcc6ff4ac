// SPDX-License-Identifier: Apache-2.0
// The DDR3 figures of a published simulator (tests/data/ddr3/reference.csv) and the same measured
// on our controller.
#pragma once

#include <string>
#include <vector>

#include "fidelity/ddr3_closed_loop.h"

namespace gvp::fidelity {

struct Ddr3Figure {
  std::string what;
  bool idle = false;  // a latency of an idle memory; else a bandwidth
  Idle kind = Idle::kRowHit;
  ClosedLoop traffic;  // device and clock, and for bandwidths the pattern
  double reference = 0;
  std::string unit;  // "cycles", "GB/s"
};

// Throws Error (bad input) when the table cannot be read.
std::vector<Ddr3Figure> read_ddr3_figures(const std::string& data_folder);
double measure(const Ddr3Figure& figure);

}  // namespace gvp::fidelity
