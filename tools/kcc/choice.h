// SPDX-License-Identifier: Apache-2.0
// From what the front end gives to kernels.
#pragma once

#include <string>

#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {

// Where the front end gives code as clang optimises it in two ways, each kernel comes from the one
// that takes fewer estimated cycles (estimate.h), or as many in less code, or with fewer registers.
// file_name stands in messages.  Throws gvp::Error.
g80::Result compile(const std::string& file_name, const FrontEndResult& front,
                    const g80::Options& options);

// The first with those of the other's kernels that are better so.  Nothing is exchanged unless both
// have the same kernels, with the same variables.
g80::Result cheaper_kernels(g80::Result first, g80::Result other);

}  // namespace gvp::kcc
