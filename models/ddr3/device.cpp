// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/base/error.h"

namespace gvp::ddr3 {
namespace {

// Rounds up, forgiving the last picosecond: 13.125 ns at 533.33 MHz is 7 cycles, not 8.
unsigned cycles(double ns, double tck, unsigned at_least = 0) {
  return std::max(at_least, static_cast<unsigned>(std::ceil(ns / tck - 1e-3)));
}

const SpeedGrade& grade_at(const Device& device, double tck) {
  constexpr double kTolerance = 1e-3;  // ns
  for (const SpeedGrade& grade : device.speeds)
    if (tck >= grade.tck_min - kTolerance && tck < grade.tck_max - kTolerance) return grade;
  std::string ranges;
  for (const SpeedGrade& grade : device.speeds)
    ranges += fmt::format("{}{}..{} ns", ranges.empty() ? "" : ", ", grade.tck_min, grade.tck_max);
  throw bad_input(
      fmt::format("DDR3 device {} cannot run with a clock period of {:.4g} ns", device.name, tck),
      {device.file}, "its clock periods are " + ranges);
}

// With less time between refreshes it is always time for the next one, and no access is served.
void require_time_for_accesses(const Device& device, const Timing& t) {
  const uint64_t refresh =
      uint64_t{t.tras} + t.cl + t.cwl + t.burst + t.twr + t.trtp + t.trp + t.trfc;
  const uint64_t access =
      uint64_t{t.trc} + t.trp + t.trcd + t.trrd + t.tfaw + t.tccd + t.cl + t.cwl + t.burst + t.twtr;
  if (refresh + access <= t.trefi) return;
  throw bad_input(
      fmt::format("DDR3 device {}: a refresh and one access take up to {} of the {} clock cycles "
                  "from refresh to refresh (tREFI)",
                  device.name, refresh + access, t.trefi),
      {device.file},
      "raise timing.trefi of the device, or lower timing.trfc or what else is so long");
}

}  // namespace

Timing timing_at(const Device& device, double clock_hz) {
  if (!(clock_hz > 0)) throw bad_input("the DDR3 clock must be above 0 Hz");
  const double tck = 1e9 / clock_hz;
  const SpeedGrade& grade = grade_at(device, tck);
  Timing timing;
  timing.cl = grade.cl;
  timing.cwl = grade.cwl;
  timing.burst = device.burst_length / 2;
  timing.trcd = cycles(device.trcd, tck);
  timing.trp = cycles(device.trp, tck);
  timing.tras = cycles(device.tras, tck);
  timing.trc = cycles(device.trc, tck);
  timing.trrd = cycles(device.trrd, tck, device.trrd_cycles);
  timing.tfaw = cycles(device.tfaw, tck);
  timing.twr = cycles(device.twr, tck);
  timing.twtr = cycles(device.twtr, tck, device.twtr_cycles);
  timing.trtp = cycles(device.trtp, tck, device.trtp_cycles);
  timing.tccd = device.tccd_cycles;
  timing.trfc = cycles(device.trfc, tck);
  timing.trefi = static_cast<unsigned>(device.trefi / tck + 1e-3);  // an upper bound: rounds down
  require_time_for_accesses(device, timing);
  return timing;
}

}  // namespace gvp::ddr3
