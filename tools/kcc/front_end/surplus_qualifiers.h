// SPDX-License-Identifier: Apache-2.0
// `__device__ __shared__`, `__device__ __constant__` and `__device__ __global__`: the compilers of
// CUDA's first years took the first word, which says nothing more (CUDA C Programming Guide 3.2,
// B.2: "optionally used together with __device__").  Clang refuses it with variables of functions
// and with kernels.
#pragma once

#include <string>

namespace gvp::kcc {

// Preprocessed CUDA C without the `__device__` that stands beside one of these, and
// without such an `extern "C"`.
// Places stay what they are: spaces take its place.
std::string without_surplus_qualifiers(std::string preprocessed);

}  // namespace gvp::kcc
