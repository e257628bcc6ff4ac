// SPDX-License-Identifier: Apache-2.0
// A scenario as files that gpgpu-run takes: PATH.asm, and PATH.hex where it has data in global
// memory; with accesses or launches, which gpgpu-run does not do, also PATH.txt, which gvp-cosim
// takes
// (--replay).
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-cosim/scenario.h"

namespace gvp::cosim {

// Throws Error (bad input) for a folder that cannot be written to.  Returns gpgpu-run's arguments.
// device: that the comparison is of ("gpgpu=at,rtl"); options: that made the board.  remark: what
// differs.
std::vector<std::string> write_test(const Scenario& scenario, const std::string& path,
                                    const std::string& comparison,
                                    const std::vector<std::string>& options,
                                    const std::string& remark);
// As a shell takes it.
std::string command_line(const std::vector<std::string>& words);

}  // namespace gvp::cosim
