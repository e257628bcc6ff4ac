// SPDX-License-Identifier: Apache-2.0
// Conversions from and to 64-bit and 16-bit numbers, and the names that functions had before they
// got their underscores (CUDA 1.x to 5).
#pragma once

#define KCC_TO_64(ending, round)                                                                \
  KCC_DEVICE long long __float2ll_##ending(float a) { return (long long)round(a); }             \
  KCC_DEVICE unsigned long long __float2ull_##ending(float a) {                                 \
    return (unsigned long long)round(a);                                                        \
  }                                                                                             \
  KCC_DEVICE long long __double2ll_##ending(double a) { return __float2ll_##ending(float(a)); } \
  KCC_DEVICE unsigned long long __double2ull_##ending(double a) {                               \
    return __float2ull_##ending(float(a));                                                      \
  }
KCC_TO_64(rn, rintf)
KCC_TO_64(rz, truncf)
KCC_TO_64(rd, floorf)
KCC_TO_64(ru, ceilf)
#undef KCC_TO_64
KCC_DEVICE float __ll2float_rn(long long a) { return (float)a; }
KCC_DEVICE float __ull2float_rn(unsigned long long a) { return (float)a; }
KCC_DEVICE double __ll2double_rn(long long a) { return (float)a; }
KCC_DEVICE double __ull2double_rn(unsigned long long a) { return (float)a; }

// IEEE 754's binary16, to nearest, ties to even; its denormal numbers are normal floats.
KCC_DEVICE unsigned short __float2half_rn(float a) {
  const unsigned bits = __float_as_uint(a);
  const unsigned sign = bits >> 16 & 0x8000u;
  const unsigned size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return (unsigned short)(sign | 0x7fffu);
  if (size >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);  // 65520 and more
  if (size >= 0x38800000u) {                                         // 2^-14
    const unsigned rounded = size + 0xfffu + (size >> 13 & 1u);
    return (unsigned short)(sign | (rounded - 0x38000000u) >> 13);
  }
  // In units of 2^-24: adding 2^23 rounds to them.
  const float units = __uint_as_float(size) * 16777216.0f + 8388608.0f;
  return (unsigned short)(sign | (__float_as_uint(units) & 0x7fffu));
}
KCC_DEVICE float __half2float(unsigned short a) {
  const unsigned sign = (a & 0x8000u) << 16;
  const unsigned size = a & 0x7fffu;
  if (size >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | size << 13);
  if (size >= 0x400u) return __uint_as_float(sign | ((size << 13) + 0x38000000u));
  return __uint_as_float(sign | __float_as_uint((float)size * (1.0f / 16777216.0f)));
}

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#define KCC_ROUNDED(type, name, function)                             \
  KCC_DEVICE type name(float a, cudaRoundMode mode = cudaRoundZero) { \
    return mode == cudaRoundNearest  ? function##_rn(a)               \
           : mode == cudaRoundPosInf ? function##_ru(a)               \
           : mode == cudaRoundMinInf ? function##_rd(a)               \
                                     : function##_rz(a);              \
  }
KCC_ROUNDED(int, float2int, __float2int)
KCC_ROUNDED(unsigned, float2uint, __float2uint)
#undef KCC_ROUNDED
KCC_DEVICE float int2float(int a) { return __int2float_rn(a); }
KCC_DEVICE float uint2float(unsigned a) { return __uint2float_rn(a); }
KCC_DEVICE int float_as_int(float a) { return __float_as_int(a); }
KCC_DEVICE float int_as_float(int a) { return __int_as_float(a); }
KCC_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
KCC_DEVICE unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
KCC_DEVICE unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
// Until toolkit 4; programs of later ones have their own.
template <int kAfterFunctionsOfPrograms = 0>
KCC_DEVICE float saturate(float a) {
  return __saturatef(a);
}
KCC_DEVICE int __finitef(float a) { return isfinite(a); }
KCC_DEVICE int __isnanf(float a) { return isnan(a); }
KCC_DEVICE int __isinff(float a) { return isinf(a); }
KCC_DEVICE int __signbitf(float a) { return signbit(a); }
KCC_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
KCC_DEVICE double nan(const char*) { return __builtin_nanf(""); }

// The bits of a double are those of the value that is kept of it.
KCC_DEVICE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
KCC_DEVICE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
KCC_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
KCC_DEVICE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
KCC_DEVICE int __double2loint(double a) { return (int)__double_as_longlong(a); }
