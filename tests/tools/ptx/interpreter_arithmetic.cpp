// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/tools/ptx/interpreter.h"

namespace gvp::ptx {
namespace {

float as_float(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
uint32_t as_bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Denormals are zero, of the same sign.
uint32_t flushed(uint32_t bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }
bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

int64_t sign_extended(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

// A product or integer, which double precision holds exactly, rounded towards zero.
float towards_zero(double exact) {
  float rounded = static_cast<float>(exact);
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(exact)) {
    rounded = std::nextafter(rounded, 0.0F);
  }
  return rounded;
}

float sum(float a, float b, bool chop) {
  // volatile: the compiler must not add in the other rounding mode.
  volatile float x = a;
  volatile float y = b;
  const int before = std::fegetround();
  if (chop) std::fesetround(FE_TOWARDZERO);
  volatile float result = x + y;
  std::fesetround(before);
  return result;
}

// NaN and negative zero become zero.
double saturated(double value) { return value > 0 ? std::min(value, 1.0) : 0.0; }

double rounded_to_integer(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kZero:
      return std::trunc(value);
    case Rounding::kDown:
      return std::floor(value);
    case Rounding::kUp:
      return std::ceil(value);
    default:
      return std::nearbyint(value);
  }
}

}  // namespace

uint64_t Interpreter::integer(const Instruction& in, uint64_t a, uint64_t b, uint64_t c) const {
  const unsigned width = bits(in.type);
  const bool is_s = is_signed(in.type);
  const int64_t sa = sign_extended(a, width);
  const int64_t sb = sign_extended(b, width);
  switch (in.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub: {
      if (!in.saturate) return in.opcode == Opcode::kAdd ? a + b : a - b;
      const int64_t sum = in.opcode == Opcode::kAdd ? sa + sb : sa - sb;
      return static_cast<uint64_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
    }
    case Opcode::kMul:
    case Opcode::kMad: {
      if (in.half != Half::kHigh) {
        const uint64_t product =
            is_s ? static_cast<uint64_t>(sa) * static_cast<uint64_t>(sb) : a * b;
        return in.opcode == Opcode::kMad ? product + c : product;
      }
      if (width > 32) fail(in, "not interpreted");
      const uint64_t part = is_s ? static_cast<uint64_t>((sa * sb) >> width) : (a * b) >> width;
      return in.opcode == Opcode::kMad ? part + c : part;
    }
    case Opcode::kMul24:
    case Opcode::kMad24: {
      const int64_t x = is_s ? sign_extended(a, 24) : static_cast<int64_t>(a & 0xffffff);
      const int64_t y = is_s ? sign_extended(b, 24) : static_cast<int64_t>(b & 0xffffff);
      const auto product = static_cast<uint64_t>(x * y);
      if (in.saturate) {
        const int64_t sum = (x * y >> 16) + sign_extended(c, 32);
        return static_cast<uint64_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
      }
      return (in.half == Half::kHigh ? product >> 16 : product) +
             (in.opcode == Opcode::kMad24 ? c : 0);
    }
    case Opcode::kDiv:
      if (b == 0) return ~uint64_t{0};
      return is_s ? static_cast<uint64_t>(sa / sb) : a / b;
    case Opcode::kRem:
      if (b == 0) return a;
      return is_s ? static_cast<uint64_t>(sa % sb) : a % b;
    case Opcode::kMin:
      return is_s ? static_cast<uint64_t>(std::min(sa, sb)) : std::min(a, b);
    case Opcode::kMax:
      return is_s ? static_cast<uint64_t>(std::max(sa, sb)) : std::max(a, b);
    case Opcode::kAnd:
      return a & b;
    case Opcode::kOr:
      return a | b;
    case Opcode::kXor:
      return a ^ b;
    case Opcode::kNot:
      return ~a;
    case Opcode::kCnot:
      return a == 0 ? 1 : 0;
    case Opcode::kNeg:
      return 0 - a;
    case Opcode::kAbs:
      return static_cast<uint64_t>(sa < 0 ? -sa : sa);
    case Opcode::kShl:
      return b >= width ? 0 : a << b;
    case Opcode::kShr:
      if (is_s) return static_cast<uint64_t>(sa >> std::min<uint64_t>(b, width - 1));
      return b >= width ? 0 : a >> b;
    case Opcode::kSad:
      return c + static_cast<uint64_t>(
                     is_s ? std::abs(sa - sb)
                          : (a > b ? static_cast<int64_t>(a - b) : static_cast<int64_t>(b - a)));
    case Opcode::kBfe: {
      const uint64_t begin = b & 0xff;
      const uint64_t length = c & 0xff;
      const uint64_t last = std::min<uint64_t>(begin + length - 1, width - 1);
      uint64_t result = 0;
      const bool sign = is_s && length != 0 && (a >> last & 1) != 0;
      for (uint64_t i = 0; i < width; ++i) {
        const bool bit = i < length && begin + i < width ? (a >> (begin + i) & 1) != 0 : sign;
        result |= static_cast<uint64_t>(bit) << i;
      }
      return result;
    }
    case Opcode::kPopc:
      return static_cast<uint64_t>(__builtin_popcountll(a));
    case Opcode::kClz: {
      uint64_t count = 0;
      while (count < width && (a >> (width - 1 - count) & 1) == 0) ++count;
      return count;
    }
    case Opcode::kBrev: {
      uint64_t result = 0;
      for (unsigned i = 0; i < width; ++i) result |= (a >> i & 1) << (width - 1 - i);
      return result;
    }
    case Opcode::kPrmt: {
      const uint64_t bytes = a | b << 32;
      uint64_t result = 0;
      for (unsigned i = 0; i < 4; ++i) {
        const uint64_t selector = c >> (4 * i) & 0xf;
        uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
        if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
        result |= byte << (8 * i);
      }
      return result;
    }
    default:
      fail(in, "not interpreted");
  }
}

uint64_t Interpreter::insert_field(uint64_t field, uint64_t into, uint64_t begin, uint64_t length,
                                   unsigned width) {
  begin &= 0xff;
  length &= 0xff;
  for (uint64_t i = 0; i < length && begin + i < width; ++i) {
    const uint64_t bit = uint64_t{1} << (begin + i);
    into = (field >> i & 1) != 0 ? into | bit : into & ~bit;
  }
  return into;
}

uint32_t Interpreter::real(const Instruction& in, uint32_t a, uint32_t b, uint32_t c) const {
  if (in.opcode == Opcode::kNeg) return a ^ 0x80000000;
  if (in.opcode == Opcode::kAbs) return a & 0x7fffffff;
  const float x = as_float(flushed(a));
  const float y = as_float(flushed(b));
  const float z = as_float(flushed(c));
  const bool chop = in.rounding == Rounding::kZero;
  const auto product = [&]() {
    const double exact = static_cast<double>(x) * static_cast<double>(y);
    return as_float(flushed(as_bits(chop ? towards_zero(exact) : static_cast<float>(exact))));
  };
  float result = 0;
  switch (in.opcode) {
    case Opcode::kAdd:
      result = sum(x, y, chop);
      break;
    case Opcode::kSub:
      result = sum(x, -y, chop);
      break;
    case Opcode::kMul:
      result = product();
      break;
    case Opcode::kMad:
    case Opcode::kFma:
      result = product() + z;
      break;
    // A NaN gives way to a number.
    case Opcode::kMin:
      result = is_nan(a) ? y : is_nan(b) ? x : std::fmin(x, y);
      break;
    case Opcode::kMax:
      result = is_nan(a) ? y : is_nan(b) ? x : std::fmax(x, y);
      break;
    case Opcode::kDiv:
      result = static_cast<float>(static_cast<double>(x) / y);
      break;
    case Opcode::kRcp:
      result = static_cast<float>(1.0 / x);
      break;
    case Opcode::kSqrt:
      result = static_cast<float>(std::sqrt(static_cast<double>(x)));
      break;
    case Opcode::kRsqrt:
      result = static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
      break;
    case Opcode::kEx2:
      result = static_cast<float>(std::exp2(static_cast<double>(x)));
      break;
    case Opcode::kLg2:
      result = static_cast<float>(std::log2(static_cast<double>(x)));
      break;
    case Opcode::kSin:
      result = static_cast<float>(std::sin(static_cast<double>(x)));
      break;
    case Opcode::kCos:
      result = static_cast<float>(std::cos(static_cast<double>(x)));
      break;
    default:
      fail(in, "not interpreted");
  }
  if (in.saturate) result = static_cast<float>(saturated(result));
  return flushed(as_bits(result));
}

bool Interpreter::compare(const Instruction& in, Type type, uint64_t a, uint64_t b) const {
  const Compare how = in.opcode == Opcode::kSlct ? Compare::kGe : in.compare;
  if (is_float(type)) {
    const auto wide_a = static_cast<uint32_t>(a);
    const auto wide_b = static_cast<uint32_t>(b);
    const float x = as_float(flushed(wide_a));
    const float y = as_float(flushed(wide_b));
    const bool unordered = is_nan(wide_a) || is_nan(wide_b);
    switch (how) {
      case Compare::kEq:
        return x == y;
      case Compare::kNe:
        return !unordered && x != y;
      case Compare::kLt:
        return x < y;
      case Compare::kLe:
        return x <= y;
      case Compare::kGt:
        return x > y;
      case Compare::kGe:
        return x >= y;
      case Compare::kEqu:
        return unordered || x == y;
      case Compare::kNeu:
        return unordered || x != y;
      case Compare::kLtu:
        return unordered || x < y;
      case Compare::kLeu:
        return unordered || x <= y;
      case Compare::kGtu:
        return unordered || x > y;
      case Compare::kGeu:
        return unordered || x >= y;
      case Compare::kNum:
        return !unordered;
      case Compare::kNan:
        return unordered;
      default:
        fail(in, "no comparison of floats");
    }
  }
  const int64_t sa = sign_extended(a, bits(type));
  const int64_t sb = sign_extended(b, bits(type));
  const bool less = is_signed(type) ? sa < sb : a < b;
  switch (how) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return less;
    case Compare::kGe:
      return !less;
    case Compare::kLe:
      return less || a == b;
    case Compare::kGt:
      return !less && a != b;
    case Compare::kLo:
      return a < b;
    case Compare::kLs:
      return a <= b;
    case Compare::kHi:
      return a > b;
    case Compare::kHs:
      return a >= b;
    default:
      fail(in, "no comparison of integers");
  }
}

uint64_t Interpreter::convert(const Instruction& in, uint64_t value) const {
  const bool from_real = is_float(in.source_type);
  const bool to_real = is_float(in.type);
  const unsigned from_width = bits(in.source_type);
  if (!from_real && !to_real) {
    uint64_t wide =
        is_signed(in.source_type) ? static_cast<uint64_t>(sign_extended(value, from_width)) : value;
    if (in.saturate) {
      const unsigned kept = bits(in.type) - (is_signed(in.type) ? 1 : 0);
      const int64_t highest = (int64_t{1} << kept) - 1;
      const int64_t lowest = is_signed(in.type) ? -highest - 1 : 0;
      return static_cast<uint64_t>(std::clamp(static_cast<int64_t>(wide), lowest, highest));
    }
    return wide;
  }
  if (!from_real) {
    const double exact = is_signed(in.source_type)
                             ? static_cast<double>(sign_extended(value, from_width))
                             : static_cast<double>(value);
    if (in.rounding == Rounding::kZero) return as_bits(towards_zero(exact));
    return as_bits(static_cast<float>(exact));
  }
  const auto real_bits = flushed(static_cast<uint32_t>(value));
  const double real_value = static_cast<double>(as_float(real_bits));
  if (to_real) {
    double result = real_value;
    if (in.to_integer) result = rounded_to_integer(real_value, in.rounding);
    if (in.saturate) result = saturated(result);
    if (!in.to_integer && !in.saturate) return static_cast<uint32_t>(value);
    return as_bits(static_cast<float>(result));
  }
  if (std::isnan(real_value)) return 0;
  const double whole = rounded_to_integer(real_value, in.rounding);
  const unsigned width = bits(in.type);
  const double low = is_signed(in.type) ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
  const double high = std::ldexp(1.0, static_cast<int>(width) - (is_signed(in.type) ? 1 : 0)) - 1;
  return static_cast<uint64_t>(static_cast<int64_t>(std::clamp(whole, low, high)));
}

}  // namespace gvp::ptx
