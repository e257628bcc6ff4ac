// SPDX-License-Identifier: Apache-2.0
// Names in messages as the user would write them: compilers write them another way.
#pragma once

#include <string>

namespace gvp::ptx {

// "operator new(unsigned int)" for "_Znwj": as the source has it.
std::string readable_name(const std::string& name);

// The name of a file below the current directory as one would type it there.
std::string shown_file(const std::string& name);

}  // namespace gvp::ptx
