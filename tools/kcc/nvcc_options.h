// SPDX-License-Identifier: Apache-2.0
// nvcc's spelling of options in kcc's: long names behind one dash, values behind '=', and lists for
// other programs, of which only what has a meaning here is taken.
#pragma once

#include <string>
#include <vector>

namespace gvp::kcc {

struct NvccOptions {
  std::vector<std::string> words;    // the command line as kcc takes it, without its own name
  std::vector<std::string> targets;  // of -arch and its like: "sm_12"
  bool cuda = false;                 // -x cu: the file is CUDA C whatever its name
};

// Throws gvp::Error for what would have to change the code and cannot.
NvccOptions from_nvcc(const std::vector<std::string>& words);

// What is to be said where one of the targets is not what the code is for; else empty.
std::string target_warning(const std::vector<std::string>& targets, bool device_extensions);

}  // namespace gvp::kcc
