// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fidelity/command.h"
#include "fidelity/csv.h"
#include "fidelity/sections.h"

namespace gvp::fidelity {

void ddr3_rtl_section(Report& report, const std::string& tool, const std::string& work_folder) {
  report.text(R"(### The model against the controller as RTL

The same traffic on the approximately timed controller and on `rtl/ddr3/`: clock cycles of the SDRAM
(ML605's module, 400 MHz) for all transactions, of which so many are in flight at a time, one request a
clock at most (`gvp-ddr3-compare`). With one in flight both give every command in the same cycle; why they
differ with several, [ddr3.md](ddr3.md) says.

)");
  const std::string file = work_folder + "/ddr3_rtl.csv";
  write_file(file, output_of({tool}));
  const Csv csv(file);
  std::vector<std::vector<std::string>> rows{
      {"traffic", "in flight", "transactions", "model", "RTL", "difference"}};
  ErrorSummary errors;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const double model = csv.number(row, "model"), rtl = csv.number(row, "rtl");
    rows.push_back({csv.cell(row, "pattern"), csv.cell(row, "in_flight"),
                    csv.cell(row, "transactions"), fmt::format("{:.0f}", model),
                    fmt::format("{:.0f}", rtl), fmt::format("{:+.1f} %", 100 * (model / rtl - 1))});
    errors.add(model, rtl);
    report.figure("ddr3_rtl", csv.cell(row, "pattern"), model, rtl, "cycles");
  }
  report.table(rows);
  report.text(fmt::format("{} figures: typically off by {:.1f} %, at worst by {:.1f} %.\n\n",
                          errors.count(), 100 * (errors.typical_factor() - 1),
                          100 * (errors.worst_factor() - 1)));
}

}  // namespace gvp::fidelity
