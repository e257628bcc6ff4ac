// SPDX-License-Identifier: Apache-2.0
// Statements of a host part in CUDA C as C (host_wrapper.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tools/kcc/source_tokens.h"

namespace gvp::kcc {

// The tokens from `begin` to before `end` with all that is between them, launches of `kernels`
// replaced by calls.  Throws gvp::Error with the place of what only C++ has.
std::string host_text(const std::string& file, const std::string& source,
                      const std::vector<Token>& tokens, size_t begin, size_t end,
                      const std::set<std::string>& kernels);

}  // namespace gvp::kcc
