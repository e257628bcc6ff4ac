// SPDX-License-Identifier: Apache-2.0
// How much code there would be if all calls were inlined.
#pragma once

#include <cstddef>
#include <string>

namespace gvp::kcc {

// Of LLVM's intermediate code: instructions of the largest function with those of all that it
// calls, once for each call.
size_t largest_when_inlined(const std::string& text);

}  // namespace gvp::kcc
