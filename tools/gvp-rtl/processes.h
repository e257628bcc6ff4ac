// SPDX-License-Identifier: Apache-2.0
// The programs that gvp-rtl runs.  POSIX.
#pragma once

#include <string>
#include <vector>

namespace gvp::tools::rtl {

struct Finished {
  int exit_code = 0;   // 127 where there is no such program
  std::string output;  // what it has written to both of its streams
};

// Throws Error (model error) where no process can be made.
Finished run(const std::vector<std::string>& command);

}  // namespace gvp::tools::rtl
