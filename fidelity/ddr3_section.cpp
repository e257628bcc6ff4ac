// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fidelity/ddr3_reference.h"
#include "fidelity/sections.h"

namespace gvp::fidelity {
namespace {

// Two figures may be of the same accesses, but not of the same traffic.
std::string label(const Ddr3Figure& figure) {
  if (figure.idle) return figure.what;
  return fmt::format("{} ({} in flight; {})", figure.what, figure.traffic.outstanding,
                     figure.traffic.mapping);
}

}  // namespace

void ddr3_section(Report& report, const std::string& data_folder) {
  report.text(R"(## DDR3

Reference: DRAMSys v5.1 for the ML605's module, without front end and PHY
(`tests/data/ddr3/reference.csv`); ours is the approximately timed controller. Latencies are from the
arrival of a request at an idle controller to its last data, in SDRAM clock cycles; bandwidths are of
100,000 bursts, so many of them in flight at a time, with row, bank and column taken from an address
in the order named, highest bits first.

)");
  std::vector<std::vector<std::string>> rows{
      {"figure", "device", "MHz", "ours", "reference", "unit", "difference"}};
  ErrorSummary errors;
  for (const Ddr3Figure& figure : read_ddr3_figures(data_folder)) {
    const double ours = measure(figure);
    rows.push_back({label(figure), figure.traffic.device,
                    fmt::format("{:.0f}", figure.traffic.clock_hz / 1e6),
                    fmt::format("{:.3g}", ours), fmt::format("{:.3g}", figure.reference),
                    figure.unit, fmt::format("{:+.1f} %", 100 * (ours / figure.reference - 1))});
    errors.add(ours, figure.reference);
    report.figure("ddr3", label(figure) + ' ' + figure.traffic.device, ours, figure.reference,
                  figure.unit);
  }
  report.table(rows);
  report.text(fmt::format("{} figures: typically off by {:.1f} %, at worst by {:.1f} %.\n\n",
                          errors.count(), 100 * (errors.typical_factor() - 1),
                          100 * (errors.worst_factor() - 1)));
}

}  // namespace gvp::fidelity
