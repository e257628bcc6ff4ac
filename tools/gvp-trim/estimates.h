// SPDX-License-Identifier: Apache-2.0
// What trimming saves, estimated: a linear fit to Fig. 6 of the SCRATCH paper (Duarte, Tomas,
// Falcao, MICRO-50, 2017), whose rows are figure6.h.  Percentages are of MIAOW2.0 with two clocks
// and prefetch memory on a Virtex-7 (XC7VX690T); power is in watts.  An estimate is no better than
// the fit: its standard deviation stands beside it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tools/gvp-trim/needs.h"

namespace gvp::trim {

struct Features {
  double scalar = 0;   // instructions of the scalar unit
  double integer = 0;  // of the vector integer unit
  bool float_unit = false;
  bool float_product = false;  // it multiplies or divides
};
Features features_of(const Needs& needs);

struct Estimate {
  double value = 0;
  double deviation = 0;  // standard deviation of the fit's residuals
};
struct Estimates {
  Estimate flip_flops;   // per cent saved
  Estimate tables;       // LUTs, likewise
  Estimate multipliers;  // DSP48, likewise
  Estimate memories;     // block RAMs, likewise
  Estimate dynamic_watts;
};
Estimates estimate(const Features& features);

// A fit, for people: "saved LUTs = a + b s + ...", over so many rows.
std::vector<std::string> fits_in_words();

// How many compute units of this area fit where the paper fits two or three.
struct Fit {
  unsigned compute_units = 1;
  unsigned integer_units = 1;  // of one compute unit
  unsigned float_units = 0;
};
Fit what_fits(const Features& features);
// Compute units, untrimmed, whose LUTs the device has: no less than the first, less than the
// second, from what the paper's rows fit.
std::pair<double, double> capacity();

}  // namespace gvp::trim
