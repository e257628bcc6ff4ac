// SPDX-License-Identifier: Apache-2.0
// The report as one HTML page that needs nothing else: style, script, plotting library and data are
// in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gvp::trace_report {

// The files of page/ and Apache ECharts, as the build embedded them; kEcharts is empty where it
// could not be had.
extern const std::string_view kTemplate, kStyle, kScript, kEcharts;

// Throws Error (bad input) if the build had no plotting library.
std::string to_page(const nlohmann::json& report, const std::string& title);

}  // namespace gvp::trace_report
