// SPDX-License-Identifier: Apache-2.0
// OpenCL C to objects for Southern Islands: clang 14 with libclc, target amdgcn-- (no operating
// system), Tahiti.  The object also has the kernels' arguments, in a section of ours.
#pragma once

#include <string>
#include <vector>

namespace gvp::oclc {

struct Options {
  std::string optimise = "2";          // 1, 2, 3 or s
  std::vector<std::string> arguments;  // for clang: -I, -D, -cl-... and the like
};

struct Compiled {
  std::string intermediate;  // LLVM's text, not optimised
  std::string assembly;      // with the section of arguments
  std::string object;
};

// Clang's messages go to stderr.  source: the text where file is "-".  Throws Error (bad input)
// when clang or libclc is missing, when clang refuses the source, and for kernels that need what is
// not modelled.
Compiled compile(const std::string& file, const std::string& source, const Options& options);

}  // namespace gvp::oclc
