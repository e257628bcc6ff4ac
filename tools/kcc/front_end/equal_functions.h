// SPDX-License-Identifier: Apache-2.0
// Functions of intermediate code that say the same, as instances of templates do whose arguments
// make no difference to them.  Files with hundreds of kernels have each of their functions once per
// kernel, most of them alike.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gvp::kcc {

struct EqualFunctions {
  std::string text;  // one function of each kind is left: the first
  // All kernels in their order, each with the one whose code it has: itself, or one before it.
  std::vector<std::pair<std::string, std::string>> kernels;
};

// Of a text without lines.  Functions that the source does not want inlined stay apart: they have
// names that a user may look for.
EqualFunctions without_equal_functions(const std::string& text);

}  // namespace gvp::kcc
