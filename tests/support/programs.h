// SPDX-License-Identifier: Apache-2.0
// Where a test finds the programs it runs: in the build's bin folder, or where GVP_PROGRAMS says (a
// mutant's, or an installation's).
#pragma once

#include <cstdlib>
#include <string>

namespace gvp::test {

inline std::string programs() {
  const char* elsewhere = std::getenv("GVP_PROGRAMS");
  return elsewhere != nullptr ? elsewhere : GVP_BINARY_DIR "/bin";
}

inline std::string program_path(const std::string& name) { return programs() + "/" + name; }

}  // namespace gvp::test
