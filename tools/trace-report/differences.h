// SPDX-License-Identifier: Apache-2.0
// Two runs side by side: every figure that both have, or one of them, with its change.
#pragma once

#include <nlohmann/json.hpp>

namespace gvp::trace_report {

// Of two results of analyse_run: {group, name, figure, unit, first, second, change}, those that
// changed most first.  change: second / first - 1; null where one of them is missing or 0.
nlohmann::json differences(const nlohmann::json& first, const nlohmann::json& second);

}  // namespace gvp::trace_report
