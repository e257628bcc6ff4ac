// SPDX-License-Identifier: Apache-2.0
// --report: the statistics of a run that architects ask for first, as tables of at most 80 columns:
// where kernels' cycles went and what they moved, ports by command, memory by bank.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gvp::platform {

// statistics: as run_statistics() gives them.
std::string report_text(const nlohmann::ordered_json& statistics);

}  // namespace gvp::platform
