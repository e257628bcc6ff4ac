// SPDX-License-Identifier: Apache-2.0
// What the small command-line tools share: one place that turns errors into text and exit code,
// files or "-" for the standard streams, colours only where somebody sees them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gvp::tools {

// Runs a tool's main part.  gvp::Error becomes "NAME: error: ..." on stderr and its exit code; a
// wrong command line 126; anything else 125.
int run_guarded(std::string_view name, const std::function<int()>& body);

bool stdout_has_colours();  // a terminal, TERM is not "dumb" and NO_COLOR is not set
bool stderr_has_colours();

std::string read_input(const std::string& path);
void write_output(const std::string& path, std::string_view contents);

}  // namespace gvp::tools
