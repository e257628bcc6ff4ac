// SPDX-License-Identifier: Apache-2.0
// Unions that functions take and give by value, in LLVM's intermediate code as clang writes it.
#pragma once

#include <string>

namespace gvp::kcc {

// Clang keeps a union in its largest member, and LLVM passes what that one is: a double, which
// would become a float on its way, or a structure without its holes, in which other members have
// bytes. Such unions become arrays of integers of the same size and alignment.  All members but in
// constants are reached by pointers of their own types; where one is not, the union stays.
std::string with_unions_of_integers(const std::string& text);

}  // namespace gvp::kcc
