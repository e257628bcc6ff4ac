// SPDX-License-Identifier: Apache-2.0
// What CUDA C needs beyond the language: kcc includes this file before each source.  It follows
// the names of the CUDA C Programming Guide (built-in types and variables, qualifiers, integer
// and single precision functions).  What compute capability 1.0 lacks (atomics, votes, shuffles,
// printf) is declared so that its use is an error that says so; the host's side of CUDA, so that
// host code can be read.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

#define __KCC__ 1
#define __CUDACC__ 1
// __CUDA_ARCH__ is kcc's command line's: 100, with device extensions 120.

// Programs that can do without atomic operations ask for these.
#ifndef KCC_DEVICE_EXTENSIONS
#define CUDA_NO_SM_11_ATOMIC_INTRINSICS 1
#define CUDA_NO_SM_12_ATOMIC_INTRINSICS 1
#endif

// As CUDA 3.2 has it, the last version whose every program ran on this compute capability.
#define CUDART_VERSION 3020

#include <float.h>
#include <limits.h>
#include <stddef.h>
typedef long clock_t;
// Of <math.h> and <stdlib.h>, which nvcc includes by itself.
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

struct uint3 {
  unsigned int x, y, z;
};
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
  __host__ __device__ constexpr dim3(uint3 a) : x(a.x), y(a.y), z(a.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
#include <__clang_cuda_builtin_vars.h>
// Clang declares these conversions and leaves them to its own CUDA headers.
#define KCC_CONVERSIONS(variable)                                           \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const {  \
    return dim3(variable.x, variable.y, variable.z);                        \
  }                                                                         \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { \
    return {variable.x, variable.y, variable.z};                            \
  }
KCC_CONVERSIONS(threadIdx)
KCC_CONVERSIONS(blockIdx)
KCC_CONVERSIONS(blockDim)
KCC_CONVERSIONS(gridDim)
#undef KCC_CONVERSIONS

// What clang calls for kernel<<<grid, block>>>(...), so that launches in a file are no error; code
// for the host is not compiled.
__host__ int cudaConfigureCall(dim3, dim3, size_t = 0, void* = 0);

#define KCC_DEVICE static __device__ __forceinline__
#define KCC_BOTH static __host__ __device__ __forceinline__
// Each needs those before it.
// clang-format off
#include "kcc_unavailable.h"
#include "kcc_integer_functions.h"
#include "kcc_math_functions.h"
#include "kcc_conversions.h"
#include "kcc_vector_types.h"
#include "kcc_texture.h"
#include "kcc_unavailable_textures.h"
#include "kcc_host.h"
#include "kcc_host_math.h"
// clang-format on
