// SPDX-License-Identifier: Apache-2.0
// Functions of the mathematical library that take more than a step or two of the special function
// unit.  Polynomials interpolate the function at the Chebyshev points of the interval that stands
// beside them, in double precision; what is left is the rounding of floats.
#pragma once

KCC_DEVICE float kcc_polynomial(float x, float last) { return last; }
template <typename... Rest>
KCC_DEVICE float kcc_polynomial(float x, float first, Rest... rest) {
  return first + x * kcc_polynomial(x, rest...);
}

// Polynomial for |x| <= tan(pi / 8); beyond, atan x = pi/4 + atan((x - 1) / (x + 1)), and from
// tan(3 pi / 8) on pi/2 - atan(1 / x).
KCC_DEVICE float atanf(float a) {
  const float x = fabsf(a);
  const bool far = x > 2.41421356f;
  const bool middle = x > 0.41421356f;
  float y = x;
  if (middle) y = (x - 1.0f) / (x + 1.0f);
  if (far) y = -1.0f / x;
  const float z = y * y;
  float result = y * kcc_polynomial(z, 1.0f, -0.333333069f, 0.199981830f, -0.142395327f,
                                    0.105698288f, -0.0602630524f);
  if (far) {
    result += 1.57079633f;
  } else if (middle) {
    result += 0.785398163f;
  }
  return copysignf(result, a);
}
KCC_DEVICE float atan2f(float y, float x) {
  const float ax = fabsf(x);
  const float ay = fabsf(y);
  const float large = fmaxf(ax, ay);
  const float small = fminf(ax, ay);
  float ratio = large == 0.0f ? 0.0f : small / large;
  if (ax == ay && large != 0.0f) ratio = 1.0f;  // infinities, too
  float angle = atanf(ratio);
  if (ay > ax) angle = 1.57079633f - angle;
  if (signbit(x)) angle = 3.14159265f - angle;
  return isnan(x) || isnan(y) ? x + y : copysignf(angle, y);
}

// For |x| <= 1/2; beyond, asin x = pi/2 - 2 asin(sqrt((1 - x) / 2)).
KCC_DEVICE float kcc_asin_small(float x) {
  const float z = x * x;
  return x * kcc_polynomial(z, 1.0f, 0.166666576f, 0.0750057138f, 0.0445087095f, 0.0318571888f,
                            0.0142952564f, 0.0376771379f);
}
KCC_DEVICE float asinf(float a) {
  const float x = fabsf(a);
  if (x <= 0.5f) return kcc_asin_small(a);
  if (!(x <= 1.0f)) return __builtin_nanf("");
  return copysignf(1.57079633f - 2.0f * kcc_asin_small(sqrtf(0.5f - 0.5f * x)), a);
}
KCC_DEVICE float acosf(float a) {
  const float x = fabsf(a);
  if (x <= 0.5f) return 1.57079633f - kcc_asin_small(a);
  if (!(x <= 1.0f)) return __builtin_nanf("");
  const float angle = 2.0f * kcc_asin_small(sqrtf(0.5f - 0.5f * x));
  return a < 0.0f ? 3.14159265f - angle : angle;
}

// For |x| <= 1/2.
KCC_DEVICE float expm1f(float a) {
  if (fabsf(a) > 0.5f) return expf(a) - 1.0f;
  return a * kcc_polynomial(a, 1.0f, 0.5f, 0.166666671f, 0.0416653042f, 0.00833318207f,
                            0.00139977734f, 0.000199621762f);
}
// For -0.3 <= x <= 0.42.
KCC_DEVICE float log1pf(float a) {
  if (!(a >= -0.3f && a <= 0.42f)) return logf(1.0f + a);
  return a * kcc_polynomial(a, 1.0f, -0.5f, 0.333332962f, -0.250000521f, 0.200029297f,
                            -0.166674558f, 0.142050378f, -0.123993730f, 0.119784059f, -0.117697331f,
                            0.0668501611f);
}

// For |x| <= 1.
KCC_DEVICE float sinhf(float a) {
  if (fabsf(a) <= 1.0f) {
    return a * kcc_polynomial(a * a, 1.0f, 0.166666664f, 0.00833335321f, 0.000198357121f,
                              0.00000281901881f);
  }
  const float half = expf(fabsf(a) - 0.693147181f);  // of the exponential, which may be too large
  return copysignf(half - 0.25f / half, a);
}
KCC_DEVICE float coshf(float a) {
  const float half = expf(fabsf(a) - 0.693147181f);
  return half + 0.25f / half;
}
KCC_DEVICE float tanhf(float a) {
  if (fabsf(a) > 0.25f) return 1.0f - __fdividef(2.0f, __expf(2.0f * a) + 1.0f);
  const float twice = expm1f(2.0f * a);
  return twice / (twice + 2.0f);
}
// For |x| <= 1/2.
KCC_DEVICE float asinhf(float a) {
  const float x = fabsf(a);
  if (x <= 0.5f) {
    return a * kcc_polynomial(a * a, 1.0f, -0.166666646f, 0.0749986445f, -0.0446096296f,
                              0.0299877220f, -0.0198964777f, 0.00906215793f);
  }
  const float large = x > 1e18f ? 2.0f : 1.0f + sqrtf(1.0f + 1.0f / (x * x));
  return copysignf(logf(x) + logf(large), a);
}
KCC_DEVICE float acoshf(float a) {
  if (a < 1.0f) return __builtin_nanf("");
  const float t = a - 1.0f;
  if (a > 1e18f) return logf(a) + 0.693147181f;
  return log1pf(t + sqrtf(2.0f * t + t * t));
}
// For |x| <= 1/2.
KCC_DEVICE float atanhf(float a) {
  const float x = fabsf(a);
  if (x <= 0.5f) {
    return a * kcc_polynomial(a * a, 1.0f, 0.333333371f, 0.199996870f, 0.142955566f, 0.109608983f,
                              0.103128705f, 0.0237805136f, 0.176674024f);
  }
  if (!(x <= 1.0f)) return __builtin_nanf("");
  return copysignf(0.5f * logf((1.0f + x) / (1.0f - x)), a);
}

// erf for |x| <= 1; erfc(x) exp(x^2) / t with t = 2 / (2 + x) for 1 <= x <= 10.
KCC_DEVICE float kcc_erf_small(float x) {
  return x * kcc_polynomial(x * x, 1.12837917f, -0.376126267f, 0.112835947f, -0.0268542120f,
                            0.00518908742f, -0.000801686428f, 0.0000787587505f);
}
KCC_DEVICE float kcc_erfc_scaled(float x) {
  const float t = 2.0f / (2.0f + x);
  return t * kcc_polynomial(t, 0.282082385f, 0.282428759f, 0.242977296f, 0.201289901f,
                            -0.0157214760f, 0.244403143f, -0.433380304f, 0.240556578f,
                            -0.0444822086f);
}
KCC_DEVICE float kcc_erfc_large(float x) {
  return x > 10.0f ? 0.0f : expf(-x * x) * kcc_erfc_scaled(x);
}
KCC_DEVICE float erff(float a) {
  const float x = fabsf(a);
  if (isnan(a)) return a;
  return x <= 1.0f ? kcc_erf_small(a) : copysignf(1.0f - kcc_erfc_large(x), a);
}
KCC_DEVICE float erfcf(float a) {
  const float x = fabsf(a);
  if (isnan(a)) return a;
  if (x <= 1.0f) return 1.0f - kcc_erf_small(a);
  return a < 0.0f ? 2.0f - kcc_erfc_large(x) : kcc_erfc_large(x);
}

// Scaled by exp(x^2); from 10 on the asymptotic series.
KCC_DEVICE float erfcxf(float a) {
  if (a < 1.0f) return expf(a * a) * erfcf(a);
  if (a <= 10.0f) return kcc_erfc_scaled(a);
  const float inverse = 1.0f / a;
  return 0.564189584f * inverse * kcc_polynomial(inverse * inverse, 1.0f, -0.5f, 0.75f);
}
// The argument x with erf x = a, by w = -log(1 - a^2): x / a for w in [0, 5], and by the square
// root of w in [5^(1/2), 4.5] and [4.5, 9.5].
KCC_DEVICE float kcc_erf_inverse(float a, float one_minus_square) {
  if (one_minus_square == 0.0f) return copysignf(__builtin_inff(), a);
  const float w = -logf(one_minus_square);
  const float root = sqrtf(w);
  if (w < 5.0f) {
    return a * kcc_polynomial(w - 2.5f, 1.50140935f, 0.246640766f, -0.00417734652f, -0.00125375888f,
                              0.000218312980f, -0.00000438034671f, -0.00000345477951f,
                              3.42224709e-7f, 2.26059777e-8f);
  }
  if (root < 4.5f) {
    return a * kcc_polynomial(root - 3.0f, 2.83297691f, 1.00168120f, 0.00943725795f,
                              -0.00770871887f, 0.00577763891f, -0.00340474920f, 0.00118314933f,
                              -0.000144010755f, -0.0000145478620f);
  }
  return a * kcc_polynomial(root - 6.5f, 6.36459405f, 1.00910893f, -0.000513523349f,
                            -0.00000960575408f, 0.0000131399542f, -0.00000362769962f,
                            4.28554305e-7f);
}
KCC_DEVICE float erfinvf(float a) { return kcc_erf_inverse(a, (1.0f - a) * (1.0f + a)); }
KCC_DEVICE float erfcinvf(float a) { return kcc_erf_inverse(1.0f - a, a * (2.0f - a)); }

KCC_DEVICE float normcdff(float a) { return 0.5f * erfcf(-0.707106781f * a); }

// Parts of a number.
KCC_DEVICE float ldexpf(float a, int exponent) {
  const int first = min(max(exponent, -126), 127);
  const int rest = min(max(exponent - first, -126), 127);
  return a * __int_as_float((first + 127) << 23) * __int_as_float((rest + 127) << 23);
}
KCC_DEVICE float scalbnf(float a, int exponent) { return ldexpf(a, exponent); }
KCC_DEVICE float scalblnf(float a, long exponent) { return ldexpf(a, (int)exponent); }
KCC_DEVICE float frexpf(float a, int* exponent) {
  const int bits = __float_as_int(a);
  const int field = bits >> 23 & 0xff;
  if (field == 0 || field == 0xff) {  // zero (denormal numbers are zero here), infinity, NaN
    *exponent = 0;
    return a;
  }
  *exponent = field - 126;
  return __int_as_float((bits & 0x807fffff) | 0x3f000000);
}
KCC_DEVICE int ilogbf(float a) {
  const int field = __float_as_int(a) >> 23 & 0xff;
  return field == 0xff ? 0x7fffffff : field == 0 ? -0x7fffffff - 1 : field - 127;
}
KCC_DEVICE float logbf(float a) {
  const int field = __float_as_int(a) >> 23 & 0xff;
  if (field == 0xff) return a * a;
  return field == 0 ? -__builtin_inff() : (float)(field - 127);
}
KCC_DEVICE float modff(float a, float* whole) {
  *whole = truncf(a);
  return copysignf(isinf(a) ? 0.0f : a - *whole, a);
}
KCC_DEVICE float nextafterf(float a, float towards) {
  if (isnan(a) || isnan(towards)) return a + towards;
  if (a == towards) return towards;
  if (a == 0.0f) return copysignf(__int_as_float(1), towards);
  const bool outwards = (a < towards) == (a > 0.0f);
  return __int_as_float(__float_as_int(a) + (outwards ? 1 : -1));
}
// Exact: a division of the mantissas, one bit at a time.
KCC_DEVICE float fmodf(float a, float b) {
  const unsigned x = __float_as_uint(a) & 0x7fffffff;
  const unsigned y = __float_as_uint(b) & 0x7fffffff;
  if (y < 0x00800000 || x >= 0x7f800000 || y > 0x7f800000) return __builtin_nanf("");
  if (x < y) return a;
  int exponent = (int)(x >> 23);
  const int least = (int)(y >> 23);
  unsigned rest = (x & 0x7fffff) | 0x800000;
  const unsigned divisor = (y & 0x7fffff) | 0x800000;
  for (; exponent > least; --exponent) {
    if (rest >= divisor) rest -= divisor;
    rest <<= 1;
  }
  if (rest >= divisor) rest -= divisor;
  // The rest is below 2^24, so that it is a float without rounding.
  return copysignf((float)rest * 1.1920929e-7f * __int_as_float(least << 23), a);
}
KCC_DEVICE float remainderf(float a, float b) {
  const float y = fabsf(b);
  if (isinf(b) && isfinite(a)) return a;
  float x = y < 1e38f ? fmodf(a, 2.0f * y) : a;
  if (isnan(x)) return x;
  const float sign = x;
  x = fabsf(x);
  if (x > 0.5f * y) {
    x -= y;
    if (x >= 0.5f * y) x -= y;
  }
  return signbit(sign) ? -x : x;
}
// The last bits of the quotient, and its sign, in *quotient.
KCC_DEVICE float remquof(float a, float b, int* quotient) {
  const float rest = remainderf(a, b);
  *quotient = 0;
  if (isfinite(rest) && isfinite(b)) {
    const float few = fabsf(b) < 4e37f ? fmodf(a, 8.0f * b) : a;
    *quotient = __float2int_rn((few - rest) / b);
  }
  return rest;
}
KCC_DEVICE int lrintf(float a) { return __float2int_rn(a); }
KCC_DEVICE int lroundf(float a) { return (int)roundf(a); }
KCC_DEVICE long long llrintf(float a) { return (long long)rintf(a); }
KCC_DEVICE long long llroundf(float a) { return (long long)roundf(a); }

// Roots and lengths.
KCC_DEVICE float cbrtf(float a) {
  const float x = fabsf(a);
  if (x == 0.0f || !isfinite(a)) return a;
  float root = exp2f(0.333333333f * __log2f(x));
  root -= (root - x / (root * root)) * 0.333333333f;
  return copysignf(root, a);
}
KCC_DEVICE float rcbrtf(float a) { return 1.0f / cbrtf(a); }
KCC_DEVICE float hypotf(float a, float b) {
  const float large = fmaxf(fabsf(a), fabsf(b));
  const float small = fminf(fabsf(a), fabsf(b));
  if (large == 0.0f || isinf(large)) return large;
  const float ratio = small / large;
  return large * sqrtf(1.0f + ratio * ratio);
}

// Multiples of pi, reduced exactly.
KCC_DEVICE float sinpif(float a) {
  const float rest = a - 2.0f * rintf(0.5f * a);
  return sinf(3.14159265f * rest);
}
KCC_DEVICE float cospif(float a) {
  const float rest = a - 2.0f * rintf(0.5f * a);
  return cosf(3.14159265f * rest);
}
KCC_DEVICE void sincospif(float a, float* sine, float* cosine) {
  *sine = sinpif(a);
  *cosine = cospif(a);
}

// Stirling's series from 8 on; below, the recurrence leads there.
KCC_DEVICE float kcc_log_gamma(float x) {
  float product = 1.0f;
  while (x < 8.0f) {
    product *= x;
    x += 1.0f;
  }
  const float inverse = 1.0f / x;
  const float z = inverse * inverse;
  const float series = inverse * kcc_polynomial(z, 0.0833333333f, -0.00277777778f, 0.000793650794f);
  return (x - 0.5f) * logf(x) - x + 0.918938533f + series - logf(product);
}
KCC_DEVICE float lgammaf(float a) {
  if (isnan(a)) return a;
  if (isinf(a)) return __builtin_inff();
  if (a > 0.0f) return kcc_log_gamma(a);
  if (a == truncf(a)) return __builtin_inff();
  return 1.14472989f - logf(fabsf(sinpif(a))) - kcc_log_gamma(1.0f - a);
}
KCC_DEVICE float tgammaf(float a) {
  if (isnan(a)) return a;
  if (a == 0.0f) return copysignf(__builtin_inff(), a);
  if (a > 0.0f) return a > 36.0f ? __builtin_inff() : expf(kcc_log_gamma(a));
  if (a == truncf(a)) return __builtin_nanf("");
  return 3.14159265f / (sinpif(a) * expf(kcc_log_gamma(1.0f - a)));
}
