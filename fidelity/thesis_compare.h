// SPDX-License-Identifier: Apache-2.0
// How a figure stands beside the thesis's.
#pragma once

#include <string>

#include "fidelity/report.h"
#include "fidelity/thesis_tables.h"

namespace gvp::fidelity {

// "12.3 / 45.6 (0.27)", a tilde before a reference that is uncertain.  Writes the figure for the
// CSV and counts it among the group's errors, unless uncertain.
std::string compare(Report& report, ErrorSummary& errors, const std::string& group,
                    const std::string& what, double ours, const Printed& reference,
                    const char* unit);

// The sentence below a table.
std::string summary(const ErrorSummary& errors);

}  // namespace gvp::fidelity
