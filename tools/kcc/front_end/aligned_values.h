// SPDX-License-Identifier: Apache-2.0
// Packed structures that functions take by value, in LLVM's intermediate code as clang writes it.
#pragma once

#include <string>

namespace gvp::kcc {

// LLVM 14 reads what it passes by value as if it were aligned to words at least, and passes what a
// temporary was copied from in its place, which need not be: members of packed structures.  So
// temporaries of structures with numbers that are longer than these are aligned get aligned to
// words and are passed as such, which LLVM minds.
std::string with_aligned_values(const std::string& text);

}  // namespace gvp::kcc
