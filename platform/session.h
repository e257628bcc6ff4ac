// SPDX-License-Identifier: Apache-2.0
// One run of gpgpu-vp from a parsed command line: build, load, simulate, report.
#pragma once

#include "platform/command_line.h"

namespace gvp::platform {

// Returns the process's exit code; throws Error for bad input and simulator errors.
int run_session(const CommandLine& line);

// The whole program: parses, acts, turns errors into messages and exit codes.
int run_program(int argc, const char* const argv[]);

}  // namespace gvp::platform
