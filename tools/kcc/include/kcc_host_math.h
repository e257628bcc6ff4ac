// SPDX-License-Identifier: Apache-2.0
// <math.h> for host code, which nvcc includes by itself; nothing here has a body.  Types count, as
// arguments of launches choose instances of templates.
#pragma once

// The type of a function's result.  What programs and the standard's headers declare under the
// same name is more special than a template with a pack behind its parameters, and is called.
template <typename Type, typename... None>
struct kcc_host_real {};
template <>
struct kcc_host_real<float> {
  typedef float type;
  typedef bool truth;
};
template <>
struct kcc_host_real<double> {
  typedef double type;
  typedef bool truth;
};
template <typename Type, typename... None>
struct kcc_host_float {};
template <>
struct kcc_host_float<float> {
  typedef float type;
};

#define KCC_HOST(name)                       \
  extern "C" double name(double) noexcept;   \
  extern "C" float name##f(float) noexcept;  \
  template <typename Type, typename... None> \
  typename kcc_host_float<Type, None...>::type name(Type, None...);
KCC_HOST(acos)
KCC_HOST(acosh)
KCC_HOST(asin)
KCC_HOST(asinh)
KCC_HOST(atan)
KCC_HOST(atanh)
KCC_HOST(cbrt)
KCC_HOST(ceil)
KCC_HOST(cos)
KCC_HOST(cosh)
KCC_HOST(erf)
KCC_HOST(erfc)
KCC_HOST(exp)
KCC_HOST(exp2)
KCC_HOST(expm1)
KCC_HOST(fabs)
KCC_HOST(floor)
KCC_HOST(lgamma)
KCC_HOST(log)
KCC_HOST(log10)
KCC_HOST(log1p)
KCC_HOST(log2)
KCC_HOST(logb)
KCC_HOST(nearbyint)
KCC_HOST(rint)
KCC_HOST(round)
KCC_HOST(sin)
KCC_HOST(sinh)
KCC_HOST(sqrt)
KCC_HOST(tan)
KCC_HOST(tanh)
KCC_HOST(tgamma)
KCC_HOST(trunc)
#undef KCC_HOST

#define KCC_HOST(name)                             \
  extern "C" double name(double, double) noexcept; \
  extern "C" float name##f(float, float) noexcept; \
  template <typename Type, typename... None>       \
  typename kcc_host_float<Type, None...>::type name(Type, Type, None...);
KCC_HOST(atan2)
KCC_HOST(copysign)
KCC_HOST(fdim)
KCC_HOST(fmax)
KCC_HOST(fmin)
KCC_HOST(fmod)
KCC_HOST(hypot)
KCC_HOST(nextafter)
KCC_HOST(pow)
KCC_HOST(remainder)
#undef KCC_HOST

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
long long llround(double) noexcept;
long long llroundf(float) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
double remquo(double, double, int*) noexcept;
float remquof(float, float, int*) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
int abs(int) noexcept;
}
template <typename Type, typename... None>
typename kcc_host_real<Type, None...>::type abs(Type, None...);
#define KCC_HOST(name)                       \
  template <typename Type, typename... None> \
  typename kcc_host_real<Type, None...>::truth name(Type, None...);
KCC_HOST(isfinite)
KCC_HOST(isinf)
KCC_HOST(isnan)
KCC_HOST(signbit)
#undef KCC_HOST

// What CUDA has besides, for the host, too.
#define KCC_HOST(name)                                         \
  template <typename First, typename Second, typename... None> \
  decltype(typename kcc_host_real<First, None...>::type() +    \
           typename kcc_host_real<Second>::type())             \
  name(First, Second, None...);
KCC_HOST(max)
KCC_HOST(min)
#undef KCC_HOST
#define KCC_HOST(name)                                             \
  template <typename Type, typename... None>                       \
  typename kcc_host_real<Type, None...>::type name(Type, None...); \
  template <int kAfterFunctionsOfPrograms = 0>                     \
  float name##f(float);
KCC_HOST(cospi)
KCC_HOST(erfcinv)
KCC_HOST(erfcx)
KCC_HOST(erfinv)
KCC_HOST(exp10)
KCC_HOST(rcbrt)
KCC_HOST(rsqrt)
KCC_HOST(sinpi)
#undef KCC_HOST
