// SPDX-License-Identifier: Apache-2.0
#include "fidelity/ddr3_reference.h"

#include "fidelity/csv.h"
#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

Idle idle_kind(const std::string& text) {
  if (text == "hit") return Idle::kRowHit;
  if (text == "closed") return Idle::kClosed;
  if (text == "conflict") return Idle::kConflict;
  if (text == "write_hit") return Idle::kWriteHit;
  throw bad_input("unknown kind of DDR3 figure \"" + text + "\"");
}

}  // namespace

std::vector<Ddr3Figure> read_ddr3_figures(const std::string& data_folder) {
  const Csv csv(data_folder + "/ddr3/reference.csv");
  std::vector<Ddr3Figure> figures;
  for (size_t row = 0; row < csv.rows(); ++row) {
    Ddr3Figure figure;
    figure.what = csv.cell(row, "what");
    figure.idle = csv.cell(row, "kind") != "bandwidth";
    if (figure.idle) figure.kind = idle_kind(csv.cell(row, "kind"));
    figure.traffic.device = csv.cell(row, "device");
    figure.traffic.clock_hz = csv.number(row, "clock_hz");
    figure.traffic.outstanding = static_cast<unsigned>(csv.number(row, "outstanding"));
    figure.traffic.random = csv.number(row, "random") != 0;
    figure.traffic.write_share = csv.number(row, "write_share");
    figure.traffic.mapping = csv.cell(row, "mapping");
    figure.traffic.stride = static_cast<uint64_t>(csv.number(row, "stride"));
    figure.reference = csv.number(row, "reference");
    figure.unit = csv.cell(row, "unit");
    figures.push_back(figure);
  }
  return figures;
}

double measure(const Ddr3Figure& figure) {
  const ClosedLoop& traffic = figure.traffic;
  if (figure.idle)
    return static_cast<double>(idle_latency(traffic.device, traffic.clock_hz, figure.kind));
  return run(traffic).gigabytes_per_second;
}

}  // namespace gvp::fidelity
