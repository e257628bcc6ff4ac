// SPDX-License-Identifier: Apache-2.0
// The names without an f: for floats, for doubles, which kernels keep as floats (docs/kcc.md,
// "Double precision"), and for integers, which become floats.
#pragma once

template <typename Type>
struct kcc_real {};  // no number
template <>
struct kcc_real<float> {
  typedef float type;
};
template <>
struct kcc_real<double> {
  typedef double type;
};
#define KCC_WHOLE(name)   \
  template <>             \
  struct kcc_real<name> { \
    typedef float type;   \
    typedef float whole;  \
  };
KCC_WHOLE(char)
KCC_WHOLE(signed char)
KCC_WHOLE(unsigned char)
KCC_WHOLE(short)
KCC_WHOLE(unsigned short)
KCC_WHOLE(int)
KCC_WHOLE(unsigned)
KCC_WHOLE(long)
KCC_WHOLE(unsigned long)
KCC_WHOLE(long long)
KCC_WHOLE(unsigned long long)
#undef KCC_WHOLE
template <typename First, typename Second>
struct kcc_common {
  typedef decltype(typename kcc_real<First>::type() + typename kcc_real<Second>::type()) type;
};
template <>
struct kcc_common<float, float> {};
template <>
struct kcc_common<double, double> {};

#define KCC_FUNCTION(name)                                       \
  KCC_DEVICE float name(float a) { return name##f(a); }          \
  KCC_DEVICE double name(double a) { return name##f((float)a); } \
  template <typename Type>                                       \
  KCC_DEVICE typename kcc_real<Type>::whole name(Type a) {       \
    return name##f((float)a);                                    \
  }
KCC_FUNCTION(acos)
KCC_FUNCTION(acosh)
KCC_FUNCTION(asin)
KCC_FUNCTION(asinh)
KCC_FUNCTION(atan)
KCC_FUNCTION(atanh)
KCC_FUNCTION(cbrt)
KCC_FUNCTION(ceil)
KCC_FUNCTION(cos)
KCC_FUNCTION(cosh)
KCC_FUNCTION(cospi)
KCC_FUNCTION(erf)
KCC_FUNCTION(erfc)
KCC_FUNCTION(erfcinv)
KCC_FUNCTION(erfcx)
KCC_FUNCTION(erfinv)
KCC_FUNCTION(exp)
KCC_FUNCTION(exp10)
KCC_FUNCTION(exp2)
KCC_FUNCTION(expm1)
KCC_FUNCTION(fabs)
KCC_FUNCTION(floor)
KCC_FUNCTION(lgamma)
KCC_FUNCTION(log)
KCC_FUNCTION(log10)
KCC_FUNCTION(log1p)
KCC_FUNCTION(log2)
KCC_FUNCTION(logb)
KCC_FUNCTION(nearbyint)
KCC_FUNCTION(rcbrt)
KCC_FUNCTION(rint)
KCC_FUNCTION(round)
KCC_FUNCTION(rsqrt)
KCC_FUNCTION(sin)
KCC_FUNCTION(sinh)
KCC_FUNCTION(sinpi)
KCC_FUNCTION(sqrt)
KCC_FUNCTION(tan)
KCC_FUNCTION(tanh)
KCC_FUNCTION(tgamma)
KCC_FUNCTION(trunc)
#undef KCC_FUNCTION

#define KCC_FUNCTION(name)                                                           \
  KCC_DEVICE float name(float a, float b) { return name##f(a, b); }                  \
  KCC_DEVICE double name(double a, double b) { return name##f((float)a, (float)b); } \
  template <typename First, typename Second>                                         \
  KCC_DEVICE typename kcc_common<First, Second>::type name(First a, Second b) {      \
    return name##f((float)a, (float)b);                                              \
  }
KCC_FUNCTION(atan2)
KCC_FUNCTION(copysign)
KCC_FUNCTION(fdim)
KCC_FUNCTION(fmax)
KCC_FUNCTION(fmin)
KCC_FUNCTION(fmod)
KCC_FUNCTION(hypot)
KCC_FUNCTION(nextafter)
KCC_FUNCTION(pow)
KCC_FUNCTION(remainder)
#undef KCC_FUNCTION

KCC_DEVICE float ldexp(float a, int exponent) { return ldexpf(a, exponent); }
KCC_DEVICE double ldexp(double a, int exponent) { return ldexpf((float)a, exponent); }
KCC_DEVICE float scalbn(float a, int exponent) { return ldexpf(a, exponent); }
KCC_DEVICE double scalbn(double a, int exponent) { return ldexpf((float)a, exponent); }
KCC_DEVICE float scalbln(float a, long exponent) { return ldexpf(a, (int)exponent); }
KCC_DEVICE double scalbln(double a, long exponent) { return ldexpf((float)a, (int)exponent); }
KCC_DEVICE float frexp(float a, int* exponent) { return frexpf(a, exponent); }
KCC_DEVICE double frexp(double a, int* exponent) { return frexpf((float)a, exponent); }
KCC_DEVICE int ilogb(float a) { return ilogbf(a); }
KCC_DEVICE int ilogb(double a) { return ilogbf((float)a); }
KCC_DEVICE float modf(float a, float* whole) { return modff(a, whole); }
KCC_DEVICE double modf(double a, double* whole) {
  float part;
  const float rest = modff((float)a, &part);
  *whole = part;
  return rest;
}
KCC_DEVICE void sincos(float a, float* sine, float* cosine) { sincosf(a, sine, cosine); }
KCC_DEVICE void sincos(double a, double* sine, double* cosine) {
  *sine = sinf((float)a);
  *cosine = cosf((float)a);
}
KCC_DEVICE void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
KCC_DEVICE void sincospi(double a, double* sine, double* cosine) {
  *sine = sinpif((float)a);
  *cosine = cospif((float)a);
}
KCC_DEVICE float remquo(float a, float b, int* quotient) { return remquof(a, b, quotient); }
KCC_DEVICE double remquo(double a, double b, int* quotient) {
  return remquof((float)a, (float)b, quotient);
}
KCC_DEVICE double normcdf(double a) { return normcdff((float)a); }
KCC_DEVICE double fdivide(double a, double b) { return a / b; }
KCC_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
KCC_DEVICE double fma(double a, double b, double c) { return fmaf((float)a, (float)b, (float)c); }
KCC_DEVICE int lrint(float a) { return lrintf(a); }
KCC_DEVICE int lrint(double a) { return lrintf((float)a); }
KCC_DEVICE int lround(float a) { return lroundf(a); }
KCC_DEVICE int lround(double a) { return lroundf((float)a); }
KCC_DEVICE long long llrint(float a) { return llrintf(a); }
KCC_DEVICE long long llrint(double a) { return llrintf((float)a); }
KCC_DEVICE long long llround(float a) { return llroundf(a); }
KCC_DEVICE long long llround(double a) { return llroundf((float)a); }
KCC_DEVICE int isnan(double a) { return isnan((float)a); }
KCC_DEVICE int isinf(double a) { return isinf((float)a); }
KCC_DEVICE int isfinite(double a) { return isfinite((float)a); }
KCC_DEVICE int signbit(double a) { return signbit((float)a); }
KCC_DEVICE float abs(float a) { return fabsf(a); }
KCC_DEVICE double abs(double a) { return fabsf((float)a); }

KCC_DEVICE float min(float a, float b) { return fminf(a, b); }
KCC_DEVICE float max(float a, float b) { return fmaxf(a, b); }
KCC_DEVICE double min(double a, double b) { return fminf((float)a, (float)b); }
KCC_DEVICE double max(double a, double b) { return fmaxf((float)a, (float)b); }
KCC_DEVICE double min(float a, double b) { return min((double)a, b); }
KCC_DEVICE double max(float a, double b) { return max((double)a, b); }
KCC_DEVICE double min(double a, float b) { return min(a, (double)b); }
KCC_DEVICE double max(double a, float b) { return max(a, (double)b); }

// The device's own names for double precision.
KCC_DEVICE double __dadd_rn(double a, double b) { return a + b; }
KCC_DEVICE double __dmul_rn(double a, double b) { return a * b; }
KCC_DEVICE double __ddiv_rn(double a, double b) { return a / b; }
KCC_DEVICE double __dsqrt_rn(double a) { return sqrtf((float)a); }
KCC_DEVICE double __drcp_rn(double a) { return 1.0 / a; }
KCC_DEVICE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
KCC_DEVICE int __double2int_rn(double a) { return __float2int_rn((float)a); }
KCC_DEVICE int __double2int_rz(double a) { return __float2int_rz((float)a); }
KCC_DEVICE int __double2int_rd(double a) { return __float2int_rd((float)a); }
KCC_DEVICE int __double2int_ru(double a) { return __float2int_ru((float)a); }
KCC_DEVICE unsigned __double2uint_rn(double a) { return __float2uint_rn((float)a); }
KCC_DEVICE unsigned __double2uint_rz(double a) { return __float2uint_rz((float)a); }
KCC_DEVICE float __double2float_rn(double a) { return (float)a; }
KCC_DEVICE float __double2float_rz(double a) { return (float)a; }
KCC_DEVICE double __int2double_rn(int a) { return (float)a; }
KCC_DEVICE double __uint2double_rn(unsigned a) { return (float)a; }
