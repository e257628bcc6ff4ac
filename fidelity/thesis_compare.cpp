// SPDX-License-Identifier: Apache-2.0
#include "fidelity/thesis_compare.h"

#include <fmt/format.h>

namespace gvp::fidelity {

std::string compare(Report& report, ErrorSummary& errors, const std::string& group,
                    const std::string& what, double ours, const Printed& reference,
                    const char* unit) {
  report.figure(group, what, ours, reference.value, unit);
  if (reference.certain()) errors.add(ours, reference.value);
  return fmt::format("{:.3g} / {}{:.3g} ({:.2f})", ours, reference.certain() ? "" : "~",
                     reference.value, ours / reference.value);
}

std::string summary(const ErrorSummary& e) {
  return fmt::format(
      "{} figures counted: geometric mean of ours / thesis {:.2f}; typically off by a factor of "
      "{:.2f}, at worst {:.2f}.\n\n",
      e.count(), e.geometric_mean(), e.typical_factor(), e.worst_factor());
}

}  // namespace gvp::fidelity
