// SPDX-License-Identifier: Apache-2.0
// What a checker of pins has seen, for the statistics of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gvp::axi::pins {

class Checker;

// {"transactions", "violations", "list": [{"rule", "section", "signal", "time_ns", "text"}, ..]}
nlohmann::ordered_json to_json(const Checker& checker);

}  // namespace gvp::axi::pins
