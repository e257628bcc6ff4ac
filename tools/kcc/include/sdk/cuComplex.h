// SPDX-License-Identifier: Apache-2.0
// For sources that include <cuComplex.h>: complex numbers of single precision.
#pragma once

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

KCC_BOTH cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
KCC_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
KCC_BOTH float cuCrealf(cuFloatComplex a) { return a.x; }
KCC_BOTH float cuCimagf(cuFloatComplex a) { return a.y; }
KCC_BOTH cuFloatComplex cuConjf(cuFloatComplex a) { return {a.x, -a.y}; }
KCC_BOTH cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x + b.x, a.y + b.y};
}
KCC_BOTH cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x - b.x, a.y - b.y};
}
KCC_BOTH cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
KCC_BOTH cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (b.x * b.x + b.y * b.y);
  return {(a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale};
}
KCC_DEVICE float cuCabsf(cuFloatComplex a) { return hypotf(a.x, a.y); }
