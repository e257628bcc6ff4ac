// SPDX-License-Identifier: Apache-2.0
// Files with very many kernels, as instances of templates are: parts of clang's intermediate code
// that it can optimise at the same time.
#pragma once

#include <string>
#include <vector>

namespace gvp::kcc {

// Nothing tells which lines of the source the code comes from: a quarter less to do for LLVM, whose
// code is the same but for the label of a last line, which keeps a kernel's end apart.
std::string without_lines(const std::string& text);

// Whether functions of a text have numbers of double precision, of which there is something to say.
bool computes_in_doubles(const std::string& text);

// At most `count` parts of a text, each with some of the kernels, the functions that these call and
// all variables, which have to be public (with_shared_variables): LLVM takes a private one that
// nobody in its part writes for a constant.  Functions that no kernel calls are in none.
std::vector<std::string> parts_of(const std::string& text, unsigned count);

}  // namespace gvp::kcc
