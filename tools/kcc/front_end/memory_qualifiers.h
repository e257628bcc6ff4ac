// SPDX-License-Identifier: Apache-2.0
// `__device__ __shared__` and `__device__ __constant__`: the compilers of CUDA's first years took
// the first word, which says nothing more, with variables of functions, too (CUDA C Programming
// Guide 3.2, B.2: "optionally used together with __device__").  Clang refuses it there.
#pragma once

#include <string>

namespace gvp::kcc {

// Preprocessed CUDA C without the `__device__` that stands beside `__shared__` or `__constant__`.
// Places stay what they are: spaces take its place.
std::string with_one_memory(std::string preprocessed);

}  // namespace gvp::kcc
