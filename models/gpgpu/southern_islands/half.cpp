// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/half.h"

namespace gvp::gpgpu::southern_islands {

uint32_t half_from_float(uint32_t bits, HalfRounding rounding) {
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00 | (magnitude >> 13 & 0x1ff);
  if (magnitude == 0x7f800000) return sign | 0x7c00;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent > 15) return sign | (rounding == HalfRounding::kTowardsZero ? 0x7bffu : 0x7c00u);
  if (exponent < -25) return sign;
  const uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
  // A result's last bit is 2^-10 of its exponent, but never below 2^-24.
  const auto shift = static_cast<unsigned>(exponent < -14 ? 13 + (-14 - exponent) : 13);
  uint32_t result =
      exponent < -14 ? fraction >> shift
                     : (static_cast<uint32_t>(exponent + 15) << 10) + ((fraction >> shift) - 0x400);
  const uint32_t rest = fraction & ((1u << shift) - 1);
  const uint32_t middle = 1u << (shift - 1);
  if (rounding == HalfRounding::kNearestEven &&
      (rest > middle || (rest == middle && (result & 1u) != 0)))
    ++result;  // a carry into the exponent is right, up to infinity
  return sign | result;
}

uint32_t float_from_half(uint32_t bits) {
  const uint32_t sign = (bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 0x1f;
  uint32_t fraction = bits & 0x3ff;
  if (exponent == 0x1f)
    return sign | 0x7f800000 | fraction << 13 | (fraction != 0 ? 0x400000u : 0u);
  if (exponent != 0) return sign | (exponent + 112) << 23 | fraction << 13;
  if (fraction == 0) return sign;
  uint32_t shifted = 113;
  for (; (fraction & 0x400) == 0; fraction <<= 1) --shifted;
  return sign | shifted << 23 | (fraction & 0x3ff) << 13;
}

}  // namespace gvp::gpgpu::southern_islands
