// SPDX-License-Identifier: Apache-2.0
// What CUDA C needs beyond the language: kcc includes this file before each source.  It follows
// the names of the CUDA C Programming Guide (built-in types and variables, qualifiers, the single
// precision functions).  Not there, because the machine has none of it: double precision,
// textures, atomics, warp votes and shuffles, device-side printf and malloc.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __KCC__ 1

struct uint3 {
  unsigned int x, y, z;
};
struct dim3 {
  unsigned int x, y, z;
};
#include <__clang_cuda_builtin_vars.h>

#define KCC_VECTOR(type, name)                  \
  struct name##2 {                              \
    type x, y;                                  \
  };                                            \
  struct name##3 {                              \
    type x, y, z;                               \
  };                                            \
  struct __attribute__((aligned(16))) name##4 { \
    type x, y, z, w;                            \
  };
KCC_VECTOR(int, int)
KCC_VECTOR(float, float)
#undef KCC_VECTOR

#define KCC_DEVICE static __device__ __forceinline__

KCC_DEVICE void __threadfence() { __nvvm_membar_gl(); }
KCC_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }

// Integers.
KCC_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
KCC_DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
KCC_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
KCC_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
KCC_DEVICE int abs(int a) { return a < 0 ? -a : a; }
KCC_DEVICE int min(int a, int b) { return a < b ? a : b; }
KCC_DEVICE int max(int a, int b) { return a > b ? a : b; }
KCC_DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
KCC_DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

// Bits of floats.
KCC_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
KCC_DEVICE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
KCC_DEVICE float __int2float_rn(int a) { return (float)a; }
KCC_DEVICE int __float2int_rz(float a) { return (int)a; }

// Single precision.
KCC_DEVICE float fabsf(float a) { return __builtin_fabsf(a); }
KCC_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
KCC_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
KCC_DEVICE float floorf(float a) { return __nvvm_floor_f(a); }
KCC_DEVICE float ceilf(float a) { return __nvvm_ceil_f(a); }
KCC_DEVICE float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
KCC_DEVICE float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
KCC_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
KCC_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
KCC_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
KCC_DEVICE float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
KCC_DEVICE float __logf(float a) { return __log2f(a) * 0.69314718f; }
KCC_DEVICE float exp2f(float a) { return __nvvm_ex2_approx_f(a); }
KCC_DEVICE float __expf(float a) { return exp2f(a * 1.44269504f); }
KCC_DEVICE float __powf(float a, float b) { return exp2f(b * __log2f(a)); }
// The functions of the mathematical library, as exact as the special function unit is.
KCC_DEVICE float sinf(float a) { return __sinf(a); }
KCC_DEVICE float cosf(float a) { return __cosf(a); }
KCC_DEVICE float logf(float a) { return __logf(a); }
KCC_DEVICE float log2f(float a) { return __log2f(a); }
KCC_DEVICE float expf(float a) { return __expf(a); }
KCC_DEVICE float powf(float a, float b) { return __powf(a, b); }

#undef KCC_DEVICE
