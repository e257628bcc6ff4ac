// SPDX-License-Identifier: Apache-2.0
// The report as tables for a terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gvp::trace_report {

// Of what the page shows, too: {"runs": [...], "differences": [...]}.
std::string to_text(const nlohmann::json& report);

}  // namespace gvp::trace_report
