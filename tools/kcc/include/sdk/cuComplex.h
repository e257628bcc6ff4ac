// SPDX-License-Identifier: Apache-2.0
// For sources that include <cuComplex.h>: complex numbers of single and of double precision.
#pragma once

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

// A quotient divides by the size of the divisor first, whose square may be beyond all numbers.
#define KCC_COMPLEX(complex, real, suffix, size)                                           \
  KCC_BOTH complex make_##complex(real x, real y) { return {x, y}; }                       \
  KCC_BOTH real cuCreal##suffix(complex a) { return a.x; }                                 \
  KCC_BOTH real cuCimag##suffix(complex a) { return a.y; }                                 \
  KCC_BOTH complex cuConj##suffix(complex a) { return {a.x, -a.y}; }                       \
  KCC_BOTH complex cuCadd##suffix(complex a, complex b) { return {a.x + b.x, a.y + b.y}; } \
  KCC_BOTH complex cuCsub##suffix(complex a, complex b) { return {a.x - b.x, a.y - b.y}; } \
  KCC_BOTH complex cuCmul##suffix(complex a, complex b) {                                  \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                 \
  }                                                                                        \
  KCC_BOTH complex cuCfma##suffix(complex a, complex b, complex c) {                       \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                     \
  }                                                                                        \
  KCC_BOTH complex cuCdiv##suffix(complex a, complex b) {                                  \
    const real scale = 1 / (size(b.x) + size(b.y));                                        \
    const complex first = {a.x * scale, a.y * scale}, second = {b.x * scale, b.y * scale}; \
    const real square = 1 / (second.x * second.x + second.y * second.y);                   \
    return {(first.x * second.x + first.y * second.y) * square,                            \
            (first.y * second.x - first.x * second.y) * square};                           \
  }
KCC_COMPLEX(cuFloatComplex, float, f, fabsf)
KCC_COMPLEX(cuDoubleComplex, double, , fabs)
#undef KCC_COMPLEX
KCC_DEVICE float cuCabsf(cuFloatComplex a) { return hypotf(a.x, a.y); }
KCC_DEVICE double cuCabs(cuDoubleComplex a) { return hypot(a.x, a.y); }

KCC_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
KCC_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
KCC_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}
