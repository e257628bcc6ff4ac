// SPDX-License-Identifier: Apache-2.0
// A command line of the shell, for redirections and pipes.
#pragma once

#include <string>

#include "tests/end_to_end/program.h"
#include "tests/support/programs.h"

namespace gvp::test {

// $BIN is the folder of the programs.
inline Result shell(const std::string& command) {
  return run("/bin/sh", {"-c", "BIN='" + programs() + "'; " + command});
}

}  // namespace gvp::test
