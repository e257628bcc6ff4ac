// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fidelity/command.h"
#include "fidelity/csv.h"
#include "fidelity/sections.h"

namespace gvp::fidelity {

void bus_rtl_section(Report& report, const std::string& tool, const std::string& work_folder) {
  report.text(R"(## The interconnect against the crossbar as RTL

The same traffic on the approximately timed interconnect and on `rtl/axi_crossbar.sv`, both 32 bits wide
with their default latencies, to targets that answer at once: clock cycles a transaction, of which each
master has so many in flight, one request a clock at most (`gvp-bus-compare`). Over AXI4-Lite the RTL has
`rtl/axi_lite_bridge.sv` behind the crossbar, the model a region with `lite_cycles`.

)");
  const std::string file = work_folder + "/bus_rtl.csv";
  write_file(file, output_of({tool}));
  const Csv csv(file);
  std::vector<std::vector<std::string>> rows{
      {"traffic", "masters", "in flight", "model", "RTL", "RTL - model"}};
  ErrorSummary errors;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const double transactions = csv.number(row, "transactions");
    const double model = csv.number(row, "model") / transactions;
    const double rtl = csv.number(row, "rtl") / transactions;
    const std::string what =
        fmt::format("{} (masters: {}; in flight: {})", csv.cell(row, "traffic"),
                    csv.cell(row, "masters"), csv.cell(row, "in_flight"));
    rows.push_back({csv.cell(row, "traffic"), csv.cell(row, "masters"), csv.cell(row, "in_flight"),
                    fmt::format("{:.2f}", model), fmt::format("{:.2f}", rtl),
                    fmt::format("{:+.2f}", rtl - model)});
    errors.add(model, rtl);
    report.figure("bus_rtl", what, model, rtl, "cycles a transaction");
  }
  report.table(rows);
  report.text(percentages(errors));
  report.text(
      R"(Alone, a read takes two cycles more in the RTL and a write three: the handshakes at the two ports take an edge
each, which the model's latencies do not have, and a write's data follow its address. With several in flight
that is hidden, and both give a beat a cycle at each port. But how fast a target gives its read data is its own
affair in the model, and this one gives all at once, so that the model's masters read bursts of one target
side by side; at its port in the RTL they get them one after the other. (The DDR3 controller has a data bus of its
own in both.) Over AXI4-Lite the bridge sends each word of a burst when the one before has been answered, with
the handshakes of both of its sides; the model takes `lite_cycles` for a word, which is an assumption.

)");
}

}  // namespace gvp::fidelity
