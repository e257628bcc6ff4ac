// SPDX-License-Identifier: Apache-2.0
// What a checker of pins has seen, for the statistics of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace gvp::axi::pins {

class Checker;

// {"transactions", "violations", "list": [{"rule", "section", "signal", "time_ns", "text"}, ..]}
nlohmann::ordered_json to_json(const Checker& checker);
// The same of several together.
nlohmann::ordered_json to_json(const std::vector<const Checker*>& checkers);

}  // namespace gvp::axi::pins
