// SPDX-License-Identifier: Apache-2.0
// Single precision.  The functions of the mathematical library are as exact as the special
// function unit that computes them; docs/kcc.md says how exact that is.
#pragma once

// Conversions, with the rounding in the name: to nearest, towards zero, down, up.
KCC_DEVICE int __float2int_rn(float a) { return __nvvm_f2i_rn(a); }
KCC_DEVICE int __float2int_rz(float a) { return __nvvm_f2i_rz(a); }
KCC_DEVICE int __float2int_rd(float a) { return __nvvm_f2i_rm(a); }
KCC_DEVICE int __float2int_ru(float a) { return __nvvm_f2i_rp(a); }
KCC_DEVICE unsigned __float2uint_rn(float a) { return __nvvm_f2ui_rn(a); }
KCC_DEVICE unsigned __float2uint_rz(float a) { return __nvvm_f2ui_rz(a); }
KCC_DEVICE unsigned __float2uint_rd(float a) { return __nvvm_f2ui_rm(a); }
KCC_DEVICE unsigned __float2uint_ru(float a) { return __nvvm_f2ui_rp(a); }
KCC_DEVICE float __int2float_rn(int a) { return __nvvm_i2f_rn(a); }
KCC_DEVICE float __int2float_rz(int a) { return __nvvm_i2f_rz(a); }
KCC_DEVICE float __int2float_rd(int a) { return __nvvm_i2f_rm(a); }
KCC_DEVICE float __int2float_ru(int a) { return __nvvm_i2f_rp(a); }
KCC_DEVICE float __uint2float_rn(unsigned a) { return __nvvm_ui2f_rn(a); }
KCC_DEVICE float __uint2float_rz(unsigned a) { return __nvvm_ui2f_rz(a); }
KCC_DEVICE float __uint2float_rd(unsigned a) { return __nvvm_ui2f_rm(a); }
KCC_DEVICE float __uint2float_ru(unsigned a) { return __nvvm_ui2f_rp(a); }

// Arithmetic with a rounding; the machine has nearest and towards zero.
KCC_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
KCC_DEVICE float __fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
KCC_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
KCC_DEVICE float __fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
KCC_DEVICE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
KCC_DEVICE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
KCC_DEVICE float __fmaf_rz(float a, float b, float c) { return __fadd_rz(__fmul_rz(a, b), c); }
KCC_DEVICE float __saturatef(float a) { return __nvvm_saturate_f(a); }
KCC_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
KCC_DEVICE float fdividef(float a, float b) { return __fdividef(a, b); }
KCC_DEVICE float __fdiv_rn(float a, float b) { return a / b; }
KCC_DEVICE float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
KCC_DEVICE float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }

// Signs, order, whole numbers: exact.
KCC_DEVICE float fabsf(float a) { return __builtin_fabsf(a); }
KCC_DEVICE float copysignf(float a, float sign) {
  return __uint_as_float((__float_as_uint(a) & 0x7fffffff) | (__float_as_uint(sign) & 0x80000000));
}
KCC_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
KCC_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
KCC_DEVICE float fdimf(float a, float b) { return a > b ? a - b : 0.0f; }
KCC_DEVICE float floorf(float a) { return __nvvm_floor_f(a); }
KCC_DEVICE float ceilf(float a) { return __nvvm_ceil_f(a); }
KCC_DEVICE float truncf(float a) { return __nvvm_trunc_f(a); }
KCC_DEVICE float rintf(float a) { return __builtin_rintf(a); }
KCC_DEVICE float nearbyintf(float a) { return rintf(a); }
KCC_DEVICE float roundf(float a) {  // halves away from zero
  const float whole = truncf(a);
  return fabsf(a - whole) >= 0.5f ? whole + copysignf(1.0f, a) : whole;
}
KCC_DEVICE int isnan(float a) { return a != a; }
KCC_DEVICE int isinf(float a) { return fabsf(a) == __builtin_inff(); }
KCC_DEVICE int isfinite(float a) { return fabsf(a) < __builtin_inff(); }
KCC_DEVICE int signbit(float a) { return __float_as_int(a) < 0; }

// The special function unit.
KCC_DEVICE float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
KCC_DEVICE float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
KCC_DEVICE float __frsqrt_rn(float a) { return rsqrtf(a); }
KCC_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
KCC_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
KCC_DEVICE float __tanf(float a) { return __fdividef(__sinf(a), __cosf(a)); }
KCC_DEVICE void __sincosf(float a, float* sine, float* cosine) {
  *sine = __sinf(a);
  *cosine = __cosf(a);
}
KCC_DEVICE float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
KCC_DEVICE float __logf(float a) { return __log2f(a) * 0.69314718f; }
KCC_DEVICE float __log10f(float a) { return __log2f(a) * 0.30103f; }
KCC_DEVICE float exp2f(float a) { return __nvvm_ex2_approx_f(a); }
KCC_DEVICE float __expf(float a) { return exp2f(a * 1.44269504f); }
KCC_DEVICE float __exp10f(float a) { return exp2f(a * 3.32192809f); }
KCC_DEVICE float __powf(float a, float b) { return exp2f(b * __log2f(a)); }

KCC_DEVICE float sinf(float a) { return __sinf(a); }
KCC_DEVICE float cosf(float a) { return __cosf(a); }
KCC_DEVICE float tanf(float a) { return __tanf(a); }
KCC_DEVICE void sincosf(float a, float* sine, float* cosine) { __sincosf(a, sine, cosine); }
KCC_DEVICE float logf(float a) { return __logf(a); }
KCC_DEVICE float log2f(float a) { return __log2f(a); }
KCC_DEVICE float log10f(float a) { return __log10f(a); }
KCC_DEVICE float expf(float a) { return __expf(a); }
KCC_DEVICE float exp10f(float a) { return __exp10f(a); }
// Negative bases have powers with whole exponents only.
KCC_DEVICE float powf(float a, float b) {
  if (b == 0.0f) return 1.0f;
  const float power = __powf(fabsf(a), b);
  if (!(a < 0.0f)) return power;
  if (truncf(b) != b) return __builtin_nanf("");
  const float half = 0.5f * b;
  return truncf(half) != half ? -power : power;
}

// clang-format off
#include "kcc_math_library.h"
#include "kcc_double_functions.h"
// clang-format on
