// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fidelity/csv.h"
#include "fidelity/sections.h"
#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

struct Resource {
  const char *name, *ours, *thesis6, *thesis10;
};
// LUTs that are a RAM count as LUTs, as in the thesis's tables.
constexpr std::array<Resource, 4> kResources = {{{"LUTs", "luts", "luts", "luts"},
                                                 {"flip-flops", "flip_flops", "ffs", "ffs"},
                                                 {"block RAMs", "block_rams", "bram", "bram"},
                                                 {"DSPs", "dsps", "dsp48e", "dsp"}}};

// The row of a table that has these numbers.
std::optional<size_t> row_with(const Csv& table,
                               const std::vector<std::pair<std::string, double>>& numbers) {
  for (size_t row = 0; row < table.rows(); ++row) {
    bool all = true;
    for (const auto& [column, number] : numbers) all &= table.number(row, column) == number;
    if (all) return row;
  }
  return std::nullopt;
}

double ours(const Csv& area, size_t row, const Resource& resource) {
  const double value = area.number(row, resource.ours);
  return std::string(resource.ours) == "luts" ? value + area.number(row, "lut_rams") : value;
}

std::string cell(double number) { return fmt::format("{:.10g}", number); }

}  // namespace

void area_section(Report& report, const std::string& data_folder, const std::string& area_file) {
  const Csv area(area_file);
  const Csv table6(data_folder + "/papers/flexgrip_table6_area.csv");
  const Csv table10(data_folder + "/papers/flexgrip_table10_optimised.csv");
  if (area.rows() == 0) throw bad_input("there is no configuration", {area_file});
  report.text(fmt::format(R"(## FlexGrip's area against the thesis

What `rtl/flexgrip/` takes of a Virtex-6 ({}, `./dev synthesize`) beside the thesis's tables 2, 6 and 10: ours / the
thesis's (ratio). Yosys counts what it maps to, before anything is placed: no LUT holds two functions, none is taken
for routing, RAM in LUTs counts as LUTs, a block RAM of 18 Kbit as half of one. Modules are synthesised one by one, with
the inputs tied that `flexgrip_thesis.toml` chooses, and counted as often as there are instances; logic is not made smaller
across them. Memories for code, constants, global and local data are not in ours: they lie outside, at its ports.

)",
                          area.cell(0, "tool")));
  std::vector<std::vector<std::string>> rows{{"SMs", "SPs", "stack", "operands", "table"}};
  for (const Resource& resource : kResources) rows[0].emplace_back(resource.name);
  for (size_t row = 0; row < area.rows(); ++row) {
    if (area.number(row, "floating_point") != 0) continue;
    const double operands = area.number(row, "three_operands") != 0 ? 3 : 2;
    const double depth = area.number(row, "stack_depth");
    const bool is_baseline = depth == 32 && operands == 3;
    const Csv& table = is_baseline ? table6 : table10;
    const double sms = area.number(row, "sms"), sps = area.number(row, "sps");
    const auto found =
        is_baseline ? row_with(table6, {{"sms", sms}, {"sps", sps}})
                    : row_with(table10, {{"operands", operands}, {"warp_stack_depth", depth}});
    if (!found || (!is_baseline && (sms != 1 || sps != 8)))  // those of table 10
      throw bad_input(fmt::format("the thesis has no {}", area.cell(row, "configuration")),
                      {area_file});
    rows.push_back({area.cell(row, "sms"), area.cell(row, "sps"), area.cell(row, "stack_depth"),
                    cell(operands), is_baseline ? "2, 6" : "10"});
    for (const Resource& resource : kResources) {
      const double mine = ours(area, row, resource);
      const double thesis =
          table.number(*found, is_baseline ? resource.thesis6 : resource.thesis10);
      rows.back().push_back(
          fmt::format("{} / {} ({:.2f})", cell(mine), cell(thesis), mine / thesis));
      report.figure("area", fmt::format("{} {}", area.cell(row, "configuration"), resource.name),
                    mine, thesis, resource.name);
    }
  }
  report.table(rows);
  for (size_t row = 0; row < area.rows(); ++row) {
    if (area.number(row, "floating_point") == 0) continue;
    report.text(fmt::format(
        "With floating point and special functions, which the thesis's FlexGrip has not, {} "
        "SM of {} SPs takes {} LUTs, {} flip-flops, {} block RAMs and {} DSPs.\n\n",
        area.cell(row, "sms"), area.cell(row, "sps"), cell(ours(area, row, kResources[0])),
        cell(ours(area, row, kResources[1])), cell(ours(area, row, kResources[2])),
        cell(ours(area, row, kResources[3]))));
  }
}

}  // namespace gvp::fidelity
