// SPDX-License-Identifier: Apache-2.0
// Two runs side by side: every figure that both have, or one of them, with its change.
#pragma once

#include <nlohmann/json.hpp>

namespace gvp::trace_report {

// Of two results of analyse_run: {group, name, figure, unit, first, second, change, judgement},
// those that changed most first and those that only one run has last.
//   first, second  null where the run has no such figure
//   change         second / first - 1; null where that is no number
//   judgement      "same" (by less than 5 %), "better" or "worse" where less or fewer is better,
//                  "changed" elsewhere; "first only" or "second only" for what one run has
nlohmann::json differences(const nlohmann::json& first, const nlohmann::json& second);

}  // namespace gvp::trace_report
