// SPDX-License-Identifier: Apache-2.0
// Launches whose brackets a formatter of C++ has taken apart: "k << <1, 32 >> >(p)".
#pragma once

#include <string>

namespace gvp::kcc {

// The same text with the brackets of its launches in one piece.  Nothing else moves: not what
// stands between them, nor lines.  "<< <" and ">> >" mean other things only behind "operator" and
// where no launch has begun.
std::string with_whole_launch_brackets(std::string text);

}  // namespace gvp::kcc
