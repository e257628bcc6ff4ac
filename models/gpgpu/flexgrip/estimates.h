// SPDX-License-Identifier: Apache-2.0
// Power and FPGA area of a FlexGrip device, from the thesis's tables for a Virtex-6 VLX240T: area
// of tables 2 and 6, power of table 3 (XPower estimates at 100 MHz), trimmed devices of table 10.
//
// Configurations between and beyond the tables follow rules, each stated where it is applied and
// named in `notes`; `extrapolated` says that a figure is not one of the thesis's; `exceeded` says
// what the thesis's FPGA has less of, which goes for some rows of its tables too.  Floating-point
// and special-function units, which the thesis's device does not have, are not included.
#pragma once

#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"

namespace gvp::gpgpu::flexgrip {

struct Area {
  double luts = 0;
  double flip_flops = 0;
  double block_rams = 0;
  double dsps = 0;
};

struct Estimates {
  double dynamic_watts = 0;  // while a kernel runs
  double static_watts = 0;
  Area area;
  bool extrapolated = false;
  std::vector<std::string> notes;     // the rules that were applied
  std::vector<std::string> exceeded;  // "LUTs: 231436, the XC6VLX240T has 150720"
};

Estimates estimate(const Configuration& configuration);

// Dynamic energy of so many busy cycles, in millijoules (thesis 3.6.3: dynamic power times time).
double energy_mj(const Estimates& estimates, const Configuration& configuration, uint64_t cycles);

}  // namespace gvp::gpgpu::flexgrip
