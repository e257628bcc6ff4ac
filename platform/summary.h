// SPDX-License-Identifier: Apache-2.0
// The table at the end of a run, for people: how it ended, what it cost, each kernel.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/run_control.h"

namespace gvp::platform {

// statistics: as run_statistics() makes them; colours: with ANSI escape sequences.
std::string summary_text(const nlohmann::ordered_json& statistics, const Outcome& outcome,
                         bool colours);

}  // namespace gvp::platform
