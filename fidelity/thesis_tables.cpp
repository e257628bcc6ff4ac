// SPDX-License-Identifier: Apache-2.0
#include "fidelity/thesis_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

// `value` rounded to multiples of `unit`.
Printed printed(double value, double unit) { return {value, value - unit / 2, value + unit / 2}; }

Printed quotient(const Printed& a, const Printed& b) {
  return {a.value / b.value, a.low / b.high, a.high / b.low};
}

// Two printed forms of one number; the value is the first's.
Printed both(const Printed& a, const Printed& b) {
  return {a.value, std::max(a.low, b.low), std::min(a.high, b.high)};
}

}  // namespace

ThesisTables::ThesisTables(const std::string& folder)
    : table4_(folder + "/papers/flexgrip_table4_exec_energy_1sm_256.csv"),
      table7_(folder + "/papers/flexgrip_table7_times.csv"),
      table8_(folder + "/papers/flexgrip_table8_2sm_over_1sm.csv"),
      table10_(folder + "/papers/flexgrip_table10_optimised.csv") {}

Printed ThesisTables::host_ms(const std::string& benchmark, uint32_t size) const {
  return printed(table7_.number(row7(size, "uBlaze"), benchmark + "_ms"), 1);
}

Printed ThesisTables::kernel_ms(const std::string& benchmark, uint32_t size, unsigned sps) const {
  if (size == 256)
    return printed(
        table4_.number(row_of(table4_, "benchmark", benchmark), fmt::format("sp{}_ms", sps)), 0.01);
  const Printed time =
      printed(table7_.number(row7(size, fmt::format("{}SP", sps)), benchmark + "_ms"), 0.1);
  if (time.value >= 1) return time;
  return both(quotient(host_ms(benchmark, size), printed_speed_up(benchmark, size, sps)), time);
}

Printed ThesisTables::speed_up(const std::string& benchmark, uint32_t size, unsigned sps) const {
  const Printed host = host_ms(benchmark, size);
  if (size == 256) return quotient(host, kernel_ms(benchmark, size, sps));
  const Printed ratio = printed_speed_up(benchmark, size, sps);
  return {ratio.value, ratio.low * host.low / host.value, ratio.high * host.high / host.value};
}

Printed ThesisTables::printed_speed_up(const std::string& benchmark, uint32_t size,
                                       unsigned sps) const {
  return printed(table7_.number(row7(size, fmt::format("{}SP", sps)), benchmark + "_x"), 0.1);
}

double ThesisTables::two_sms(const std::string& benchmark, unsigned sps) const {
  return table8_.number(row_of(table8_, "benchmark", benchmark), fmt::format("sp{}", sps));
}

double ThesisTables::energy_mj(const std::string& benchmark) const {
  return table4_.number(row_of(table4_, "benchmark", benchmark), "sp8_mj");
}

double ThesisTables::energy_saved(const std::string& benchmark) const {
  return table4_.number(row_of(table4_, "benchmark", benchmark), "sp8_red");
}

unsigned ThesisTables::stack_depth(const std::string& benchmark) const {
  const std::string variant = benchmark == "bitonic" ? "bitonic_3op" : benchmark;
  return static_cast<unsigned>(
      table10_.number(row_of(table10_, "variant", variant), "warp_stack_depth"));
}

unsigned ThesisTables::operands(const std::string& benchmark) const {
  const std::string variant = benchmark == "bitonic" ? "bitonic_2op" : benchmark;
  return static_cast<unsigned>(table10_.number(row_of(table10_, "variant", variant), "operands"));
}

size_t ThesisTables::row7(uint32_t size, const std::string& config) const {
  for (size_t row = 0; row < table7_.rows(); ++row)
    if (table7_.cell(row, "size") == std::to_string(size) && table7_.cell(row, "config") == config)
      return row;
  throw bad_input(fmt::format("table 7 has no row for size {} and {}", size, config));
}

size_t ThesisTables::row_of(const Csv& table, const std::string& column,
                            const std::string& name) const {
  for (size_t row = 0; row < table.rows(); ++row)
    if (table.cell(row, column) == name) return row;
  throw bad_input("a table of the thesis has no row for " + name);
}

}  // namespace gvp::fidelity
