// SPDX-License-Identifier: Apache-2.0
// Vector operations on 32-bit floats, conversions included.  Reciprocals, roots, powers,
// logarithms, sines and cosines, which the hardware approximates to about one unit in the last
// place, are the exact results, rounded.
#include <cmath>
#include <limits>

#include "models/gpgpu/southern_islands/float_to_integer.h"
#include "models/gpgpu/southern_islands/half.h"
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr float kMaximum = std::numeric_limits<float>::max();
constexpr double kTurn = 6.283185307179586476925;  // 2 pi
constexpr float kMostTurns = 256.0f;               // beyond, v_sin gives 0 and v_cos 1
constexpr int kScale = 64;                         // of v_div_scale, as a power of two

inline float as_result(uint32_t bits) { return as_float(bits); }
// A product that another operation goes on with: its denormals are zero, too.
inline float product(float a, float b) { return as_float(flushed(as_bits(a * b))); }
inline float legacy_product(float a, float b) {
  return a == 0.0f || b == 0.0f ? 0.0f : product(a, b);
}

inline uint32_t median(uint32_t a, uint32_t b, uint32_t c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return minimum(minimum(a, b), c);
  return maximum(minimum(a, b), minimum(maximum(a, b), c));
}

// v_cvt_rpi and v_cvt_flr: a NaN is the limit of its sign.
inline int32_t to_signed_or_limit(uint32_t bits, double offset) {
  if (is_nan(bits))
    return (bits & kSignBit) != 0 ? std::numeric_limits<int32_t>::min()
                                  : std::numeric_limits<int32_t>::max();
  return to_signed(std::floor(double{operand(bits)} + offset));
}
// To a normalised integer of 16 bits.
inline uint32_t to_norm(float value, float scale, float least) {
  if (value != value) return 0;
  const float scaled = std::nearbyint(value * scale);
  const float held = scaled < least ? least : scaled > scale ? scale : scaled;
  return static_cast<uint32_t>(static_cast<int32_t>(held)) & 0xffff;
}

inline float clamped_infinity(float value) {
  return std::isinf(value) ? std::copysign(kMaximum, value) : value;
}
inline float reciprocal_root(float a) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a)));
}
inline float legacy_infinity(float value, float zero) { return std::isinf(value) ? zero : value; }
inline float logarithm(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
inline int exponent_of(float value) { return static_cast<int>(as_bits(value) >> 23 & 0xff); }
inline bool is_denormal(double value) {
  return value != 0.0 && std::fabs(value) < static_cast<double>(std::numeric_limits<float>::min());
}
inline uint32_t with_sign_of(uint32_t bits, float a, float b) {
  return bits | ((as_bits(a) ^ as_bits(b)) & kSignBit);
}

}  // namespace

FUNCTION(VAddF32, float a, float b) { return a + b; }
FUNCTION(VSubF32, float a, float b) { return a - b; }
FUNCTION(VSubrevF32, float a, float b) { return b - a; }
FUNCTION(VMulF32, float a, float b) { return a * b; }
FUNCTION(VMulLegacyF32, float a, float b) { return legacy_product(a, b); }
FUNCTION(VMacF32, float a, float b, float sum) { return product(a, b) + sum; }
FUNCTION(VMacLegacyF32, float a, float b, float sum) {
  return a == 0.0f || b == 0.0f ? sum : product(a, b) + sum;
}
FUNCTION(VMadmkF32, float a, float k, float b) { return product(a, k) + b; }
FUNCTION(VMadakF32, float a, float b, float k) { return product(a, b) + k; }
FUNCTION(VMadF32, float a, float b, float c) { return product(a, b) + c; }
FUNCTION(VMadLegacyF32, float a, float b, float c) {
  return a == 0.0f || b == 0.0f ? c : product(a, b) + c;
}
FUNCTION(VFmaF32, float a, float b, float c) { return std::fma(a, b, c); }
FUNCTION(VMinLegacyF32, uint32_t a, uint32_t b) { return operand(a) < operand(b) ? a : b; }
FUNCTION(VMaxLegacyF32, uint32_t a, uint32_t b) { return operand(a) >= operand(b) ? a : b; }
FUNCTION(VMinF32, uint32_t a, uint32_t b) { return minimum(a, b); }
FUNCTION(VMaxF32, uint32_t a, uint32_t b) { return maximum(a, b); }
FUNCTION(VMin3F32, uint32_t a, uint32_t b, uint32_t c) { return minimum(minimum(a, b), c); }
FUNCTION(VMax3F32, uint32_t a, uint32_t b, uint32_t c) { return maximum(maximum(a, b), c); }
FUNCTION(VMed3F32, uint32_t a, uint32_t b, uint32_t c) { return median(a, b, c); }
FUNCTION(VLdexpF32, float a, int32_t b) { return std::ldexp(a, b); }

FUNCTION(VCvtF32I32, int32_t a) { return static_cast<float>(a); }
FUNCTION(VCvtF32U32, uint32_t a) { return static_cast<float>(a); }
FUNCTION(VCvtU32F32, float a) { return to_unsigned(static_cast<double>(a)); }
FUNCTION(VCvtI32F32, float a) { return to_signed(static_cast<double>(a)); }
FUNCTION(VCvtRpiI32F32, uint32_t a) { return to_signed_or_limit(a, 0.5); }
FUNCTION(VCvtFlrI32F32, uint32_t a) { return to_signed_or_limit(a, 0.0); }
FUNCTION(VCvtF16F32, uint32_t a) { return half_from_float(flushed(a), HalfRounding::kNearestEven); }
FUNCTION(VCvtF32F16, uint32_t a) { return float_from_half(a & 0xffff); }
FUNCTION(VCvtOffF32I4, uint32_t a) { return static_cast<float>((a & 0xf) ^ 8) / 16.0f - 0.5f; }
FUNCTION(VCvtF32Ubyte0, uint32_t a) { return static_cast<float>(a & 0xff); }
FUNCTION(VCvtF32Ubyte1, uint32_t a) { return static_cast<float>(a >> 8 & 0xff); }
FUNCTION(VCvtF32Ubyte2, uint32_t a) { return static_cast<float>(a >> 16 & 0xff); }
FUNCTION(VCvtF32Ubyte3, uint32_t a) { return static_cast<float>(a >> 24); }
FUNCTION(VCvtPknormI16F32, float a, float b) {
  return to_norm(a, 32767.0f, -32767.0f) | to_norm(b, 32767.0f, -32767.0f) << 16;
}
FUNCTION(VCvtPknormU16F32, float a, float b) {
  return to_norm(a, 65535.0f, 0.0f) | to_norm(b, 65535.0f, 0.0f) << 16;
}
FUNCTION(VCvtPkrtzF16F32, uint32_t a, uint32_t b) {
  return half_from_float(flushed(a), HalfRounding::kTowardsZero) |
         half_from_float(flushed(b), HalfRounding::kTowardsZero) << 16;
}
FUNCTION(VCvtPkU8F32, float a, uint32_t b, uint32_t c) {
  const uint32_t shift = (b & 3) * 8;
  const uint32_t byte = to_unsigned(static_cast<double>(std::nearbyint(a)));
  return (c & ~(0xffu << shift)) | (byte > 255 ? 255 : byte) << shift;
}

FUNCTION(VFractF32, float a) { return a - std::floor(a); }
FUNCTION(VTruncF32, float a) { return std::trunc(a); }
FUNCTION(VCeilF32, float a) { return std::ceil(a); }
FUNCTION(VRndneF32, float a) { return std::nearbyint(a); }
FUNCTION(VFloorF32, float a) { return std::floor(a); }
FUNCTION(VExpF32, float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
FUNCTION(VLogF32, float a) { return logarithm(a); }
FUNCTION(VLogClampF32, float a) { return clamped_infinity(logarithm(a)); }
FUNCTION(VRcpF32, float a) { return 1.0f / a; }
FUNCTION(VRcpIflagF32, float a) { return 1.0f / a; }
FUNCTION(VRcpClampF32, float a) { return clamped_infinity(1.0f / a); }
FUNCTION(VRcpLegacyF32, float a) { return legacy_infinity(1.0f / a, std::copysign(0.0f, a)); }
FUNCTION(VRsqF32, float a) { return reciprocal_root(a); }
FUNCTION(VRsqClampF32, float a) { return clamped_infinity(reciprocal_root(a)); }
FUNCTION(VRsqLegacyF32, float a) { return legacy_infinity(reciprocal_root(a), 0.0f); }
FUNCTION(VSqrtF32, float a) { return std::sqrt(a); }
FUNCTION(VSinF32, float a) {
  if (std::isinf(a)) return as_result(kInvalid);
  return std::fabs(a) > kMostTurns ? 0.0f
                                   : static_cast<float>(std::sin(static_cast<double>(a) * kTurn));
}
FUNCTION(VCosF32, float a) {
  if (std::isinf(a)) return as_result(kInvalid);
  return std::fabs(a) > kMostTurns ? 1.0f
                                   : static_cast<float>(std::cos(static_cast<double>(a) * kTurn));
}
FUNCTION(VFrexpExpI32F32, float a) {
  if (!std::isfinite(a)) return -1;
  int exponent = 0;
  std::frexp(a, &exponent);
  return exponent;
}
FUNCTION(VFrexpMantF32, float a) {
  if (!std::isfinite(a)) return as_result(kInvalid);
  int exponent = 0;
  return std::frexp(a, &exponent);
}

// The three steps of a division that is rounded correctly (AMD's "Vega Instruction Set
// Architecture" has their pseudo-code; that of Southern Islands names their purpose only).  Two
// signs differ from that manual's, with which quotients of some exponents would not come out right:
// a denominator whose inverse is tiny is scaled down, and v_div_fmas scales down small quotients.
FUNCTION(VDivScaleF32, float a, float denominator, float numerator) {
  const auto scaled = [&](bool scale, int power, bool flag) {
    return WithCarry{flushed(as_bits(scale ? std::ldexp(a, power) : a)), flag};
  };
  const double quotient = static_cast<double>(numerator) / static_cast<double>(denominator);
  const bool tiny_inverse = is_denormal(1.0 / static_cast<double>(denominator));
  if (is_nan(as_bits(a))) return WithCarry{quieted(as_bits(a)), false};
  if (numerator == 0.0f || denominator == 0.0f) return WithCarry{kInvalid, false};
  if (exponent_of(numerator) - exponent_of(denominator) >= 96)
    return scaled(a == denominator, kScale, true);
  if (tiny_inverse && is_denormal(quotient)) return scaled(a == denominator, -kScale, true);
  if (tiny_inverse) return scaled(true, -kScale, false);
  if (is_denormal(quotient)) return scaled(a == numerator, kScale, true);
  return scaled(exponent_of(numerator) <= 23, kScale, false);
}
// c is near the scaled quotient, whose size tells whether denominator or numerator was scaled
// (CLRX; the Vega manual has a factor of 2^32).
FUNCTION(VDivFmasF32, float a, float b, float c, bool scale) {
  const float sum = std::fma(a, b, c);
  if (!scale) return sum;
  return std::ldexp(sum, std::fabs(c) >= 2.0f ? kScale : -kScale);
}
FUNCTION(VDivFixupF32, uint32_t quotient, float denominator, float numerator) {
  if (is_nan(as_bits(numerator))) return quieted(as_bits(numerator));
  if (is_nan(as_bits(denominator))) return quieted(as_bits(denominator));
  if ((denominator == 0.0f && numerator == 0.0f) ||
      (std::isinf(denominator) && std::isinf(numerator)))
    return kInvalid;
  if (denominator == 0.0f || std::isinf(numerator))
    return with_sign_of(kInfinity, denominator, numerator);
  if (std::isinf(denominator) || numerator == 0.0f) return with_sign_of(0, denominator, numerator);
  if (is_nan(quotient)) return with_sign_of(kInfinity, denominator, numerator);
  return with_sign_of(quotient & ~kSignBit, denominator, numerator);
}

Execute float_function(Operation operation) {
  static constexpr FunctionsOf<Group::kFloat, VectorOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
