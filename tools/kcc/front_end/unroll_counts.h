// SPDX-License-Identifier: Apache-2.0
// clang's preprocessor leaves the arguments of `#pragma unroll` as they are, so that in
// preprocessed text a count that is a macro has no meaning any more.
#pragma once

#include <string>

namespace gvp::kcc {

// Of text that clang preprocessed with -dD: macros in the counts of unrolled loops are expanded as
// they are defined there, and the definitions are left out.  Every line stays where it is.  Macros
// with parameters stay, which clang then refuses.
std::string with_unroll_counts(const std::string& preprocessed);

}  // namespace gvp::kcc
