// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gvp::test {

// The statistics of a run with these arguments.
nlohmann::json statistics_of(std::vector<std::string> arguments);
// The part that must not depend on the machine: without wall_s, wall and host.mips.
nlohmann::json without_wall_clock(nlohmann::json statistics);

}  // namespace gvp::test
