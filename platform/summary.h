// SPDX-License-Identifier: Apache-2.0
// The table at the end of a run, for people: how it ended, what it cost, each kernel.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/run_control.h"

namespace gvp::platform {

// statistics: as run_statistics() makes them; colours: with ANSI escape sequences; columns: of the
// terminal, at least 80 (a kernel's name that does not fit its column has a line of its own).
std::string summary_text(const nlohmann::ordered_json& statistics, const Outcome& outcome,
                         bool colours, size_t columns = 80);

}  // namespace gvp::platform
