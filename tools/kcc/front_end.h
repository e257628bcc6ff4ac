// SPDX-License-Identifier: Apache-2.0
// CUDA C to PTX by clang, without anything of NVIDIA's.  Which clang: $KCC_CLANG, else clang-14
// or clang from the path.  The header that stands in for NVIDIA's is looked for beside the
// executable (../share/gpgpu-vp/kcc), where building and installing put it.
#pragma once

#include <string>
#include <vector>

namespace gvp::kcc {

struct FrontEndOptions {
  unsigned optimise = 2;
  std::vector<std::string> arguments;  // -I, -D and the like, passed on
};

// Messages of clang go to stderr.  Throws gvp::Error when clang is missing or refuses the file.
std::string compile_cuda(const std::string& file, const FrontEndOptions& options);

}  // namespace gvp::kcc
