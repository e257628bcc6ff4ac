// SPDX-License-Identifier: Apache-2.0
// CUDA C to PTX by clang, without anything of NVIDIA's: the headers that stand in for NVIDIA's are
// kcc's own, host code is read and left out.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gvp::kcc {

struct FrontEndOptions {
  unsigned optimise = 2;
  bool fast_math = false;
  // Kernels with errors are left out instead of the whole file.
  bool keep_going = false;
  // Atomic operations and votes are what the header says, and not refused.
  bool device_extensions = false;
  // Functions are left as they are, as at level 0, for calls of them.
  bool separate_functions = false;
  // Says what was left out of the host's code.
  bool verbose = false;
  // Large files are compiled in parts at a time, and without lines (FrontEndResult::with_lines) if
  // nothing is to be said of them and `lines` does not ask for them.
  bool in_parts = false;
  bool lines = false;
  // At level 2, of files that are not large: FrontEndResult::gentler.
  bool both_ways = false;
  std::vector<std::string> arguments;  // -I, -D and the like, passed on
};

struct FrontEndResult {
  std::string ptx;
  // The same as clang optimises it at level 1, which is better for some kernels.  Empty where it
  // was not asked for, or is no other.
  std::string gentler;
  // Where the PTX does not tell which lines of the source it comes from: gives the same that does.
  std::function<std::string()> with_lines;
  // Kernels that clang refused; their errors went to stderr.
  std::vector<std::string> refused_kernels;
  // What was taken out of the host's code, and why: "k.cu:12: unknown type name 'Window'".
  std::vector<std::string> left_out;
};

// Messages go to stderr.  Throws gvp::Error when clang is missing or refuses the file.
FrontEndResult compile_cuda_file(const std::string& file, const FrontEndOptions& options);
// Its PTX.
std::string compile_cuda(const std::string& file, const FrontEndOptions& options);

}  // namespace gvp::kcc
