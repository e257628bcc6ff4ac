// SPDX-License-Identifier: Apache-2.0
// All that is to be said of one run, from its trace, its statistics or both, as JSON: what --json
// prints, what the page shows and what the tables are made of (docs/trace-report.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/trace-report/spans.h"

namespace gvp::trace_report {

// files: a trace, statistics or one of each, told apart by their contents.  Throws Error (bad
// input) that names the file.
nlohmann::json analyse_run(const std::vector<std::string>& files, const KernelChoice& kernel);

// Throws Error (bad input) that says for each run why it has no warps of the kernel (--kernel, ""
// where that was not given) if none of them has.
void check_kernel(const nlohmann::json& runs, const std::string& kernel);

}  // namespace gvp::trace_report
