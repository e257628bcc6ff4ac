// SPDX-License-Identifier: Apache-2.0
// Runs the project's own command-line tools.
#pragma once

#include <string>
#include <vector>

namespace gvp::fidelity {

// What a command prints to standard output; throws Error (model error) when it does not succeed.
std::string output_of(const std::vector<std::string>& command);

}  // namespace gvp::fidelity
