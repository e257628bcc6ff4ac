// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/southern_islands/reference.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

namespace gvp::test {
namespace {

using In = ReferenceInput;
using Out = ReferenceOutput;

uint32_t u(uint64_t x) { return static_cast<uint32_t>(x); }
int64_t s(uint64_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x)); }
Out value(uint64_t x) { return {true, x, -1}; }
Out value(uint64_t x, bool flag) { return {true, x, flag ? 1 : 0}; }
Out nonzero(uint64_t x) { return {true, x, x != 0 ? 1 : 0}; }
Out nonzero32(uint64_t x) { return nonzero(u(x)); }
Out condition(bool holds) { return {true, 0, holds ? 1 : 0}; }

float number(uint64_t x) {
  const uint32_t bits = u(x);
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}
uint32_t pattern(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}
// Denormals are zero of the same sign.
float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
float input(uint64_t x) { return flush(number(x)); }

// The first NaN among the operands comes out quiet; without one, the negative quiet NaN.
Out real(float result, std::initializer_list<uint64_t> operands) {
  if (!std::isnan(result)) return value(pattern(flush(result)));
  for (const uint64_t x : operands)
    if (std::isnan(number(x))) return value(u(x) | 0x400000);
  return value(0xffc00000);
}
Out real(double result, std::initializer_list<uint64_t> operands) {
  return real(static_cast<float>(result), operands);
}
bool signalling(uint64_t x) { return std::isnan(number(x)) && (x & 0x400000) == 0; }

uint64_t extreme(uint64_t a, uint64_t b, bool least) {
  if (signalling(a)) return u(a) | 0x400000;
  if (signalling(b)) return u(b) | 0x400000;
  const float x = number(a), y = number(b);
  if (std::isnan(x)) return u(b);
  if (std::isnan(y)) return u(a);
  if (x == 0.0f && y == 0.0f) return std::signbit(x) == least ? u(a) : u(b);
  if (least) return x < y ? u(a) : u(b);
  return x > y ? u(a) : u(b);
}

uint64_t bit_count(uint64_t x) {
  uint64_t count = 0;
  for (; x != 0; x >>= 1) count += x & 1;
  return count;
}
uint64_t reverse(uint64_t x, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    if (x >> i & 1) result += uint64_t{1} << (bits - 1 - i);
  return result;
}
uint64_t first_from_below(uint64_t x, unsigned bits, bool wanted) {
  for (unsigned i = 0; i < bits; ++i)
    if ((x >> i & 1) == (wanted ? 1u : 0u)) return i;
  return 0xffffffff;
}
uint64_t first_from_above(uint64_t x, unsigned bits, bool wanted) {
  for (unsigned i = 0; i < bits; ++i)
    if ((x >> (bits - 1 - i) & 1) == (wanted ? 1u : 0u)) return i;
  return 0xffffffff;
}
// Bit by bit: bits [shift, shift + length) of x, the sign repeated.
uint64_t field(uint64_t x, unsigned shift, unsigned length, unsigned bits, bool with_sign) {
  uint64_t result = 0;
  unsigned taken = 0;
  for (; taken < length && shift + taken < bits; ++taken)
    if (x >> (shift + taken) & 1) result |= uint64_t{1} << taken;
  if (with_sign && taken != 0 && (result >> (taken - 1) & 1) != 0)
    for (unsigned i = taken; i < bits; ++i) result |= uint64_t{1} << i;
  return result;
}
uint64_t arithmetic_shift(uint64_t x, unsigned by, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    if (x >> (i + by < bits ? i + by : bits - 1) & 1) result |= uint64_t{1} << i;
  return result;
}
int64_t low24(uint64_t x, bool with_sign) {
  const auto bits = static_cast<int64_t>(x & 0xffffff);
  return with_sign && bits >= 0x800000 ? bits - 0x1000000 : bits;
}
template <typename T>
T clamp(T x, T least, T most) {
  return x < least ? least : x > most ? most : x;
}

uint64_t to_integer(double x, double least, double most) {
  if (std::isnan(x)) return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(clamp(std::trunc(x), least, most)));
}
constexpr double kLeast = -2147483648.0, kMost = 2147483647.0;
Out rounded_integer(const In& in, double offset) {
  const float x = number(in.a);
  if (std::isnan(x)) return value(std::signbit(x) ? 0x80000000 : 0x7fffffff);
  return value(u(to_integer(std::floor(static_cast<double>(flush(x)) + offset), kLeast, kMost)));
}

// By search: the half-precision number that rounding chooses among all of them.
double half_value(uint32_t h) {
  const int exponent = static_cast<int>(h >> 10 & 31);
  const double fraction = h & 0x3ff;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0 + fraction, exponent - 25);
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}
uint32_t to_half(uint64_t bits, bool towards_zero) {
  const float x = input(bits);
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return sign | 0x7e00 | (u(bits) >> 13 & 0x1ff);
  const double magnitude = std::fabs(static_cast<double>(x));
  if (std::isinf(x)) return sign | 0x7c00;
  uint32_t below = 0;  // the largest half that is not more
  for (uint32_t step = 0x4000; step != 0; step >>= 1)
    if (below + step < 0x7c00 && half_value(below + step) <= magnitude) below += step;
  if (towards_zero) return sign | below;
  const double next = below == 0x7bff ? 65536.0 : half_value(below + 1);
  const double up = next - magnitude, down = magnitude - half_value(below);
  const bool higher = up < down || (up == down && (below & 1) != 0);
  return sign | (below + (higher ? 1 : 0));
}
uint32_t from_half(uint64_t h) {
  const uint32_t exponent = h >> 10 & 31, fraction = h & 0x3ff;
  const uint32_t sign = (h & 0x8000) != 0 ? 0x80000000 : 0;
  if (exponent == 31) return sign | 0x7f800000 | (fraction != 0 ? 0x400000 | fraction << 13 : 0);
  return pattern(static_cast<float>(half_value(u(h))));
}
uint32_t norm16(uint64_t x, double scale, double least) {
  const float f = input(x);
  if (std::isnan(f)) return 0;
  const float product = f * static_cast<float>(scale);
  return u(static_cast<uint64_t>(
             static_cast<int64_t>(clamp(static_cast<double>(std::rint(product)), least, scale)))) &
         0xffff;
}
bool tiny(double x) { return x != 0.0 && std::fabs(x) < 1.17549435082228750797e-38; }
float no_infinity(float x) {
  return std::isinf(x) ? std::copysign(std::numeric_limits<float>::max(), x) : x;
}

using Table = std::map<std::string, std::function<Out(const In&)>>;

void add_scalar(Table& t) {
  t["s_add_u32"] = [](const In& i) { return value(u(i.a + i.b), i.a + i.b > 0xffffffff); };
  t["s_sub_u32"] = [](const In& i) { return value(u(i.a - i.b), i.b > i.a); };
  t["s_add_i32"] = [](const In& i) {
    const int64_t x = s(i.a) + s(i.b);
    return value(u(static_cast<uint64_t>(x)), x != s(static_cast<uint64_t>(x)));
  };
  t["s_sub_i32"] = [](const In& i) {
    const int64_t x = s(i.a) - s(i.b);
    return value(u(static_cast<uint64_t>(x)), x != s(static_cast<uint64_t>(x)));
  };
  t["s_addc_u32"] = [](const In& i) {
    const uint64_t x = i.a + i.b + i.flag;
    return value(u(x), x > 0xffffffff);
  };
  t["s_subb_u32"] = [](const In& i) { return value(u(i.a - i.b - i.flag), i.a < i.b + i.flag); };
  t["s_min_i32"] = [](const In& i) { return value(s(i.a) < s(i.b) ? i.a : i.b, s(i.a) < s(i.b)); };
  t["s_max_i32"] = [](const In& i) { return value(s(i.a) > s(i.b) ? i.a : i.b, s(i.a) > s(i.b)); };
  t["s_min_u32"] = [](const In& i) { return value(i.a < i.b ? i.a : i.b, i.a < i.b); };
  t["s_max_u32"] = [](const In& i) { return value(i.a > i.b ? i.a : i.b, i.a > i.b); };
  for (const char* w : {"b32", "b64"}) {
    const std::string n = w;
    const unsigned bits = n == "b32" ? 32 : 64;
    const auto cut = [bits](uint64_t x) { return bits == 32 ? x & 0xffffffff : x; };
    t["s_cselect_" + n] = [](const In& i) { return value(i.flag ? i.a : i.b); };
    t["s_and_" + n] = [cut](const In& i) { return nonzero(cut(i.a & i.b)); };
    t["s_or_" + n] = [cut](const In& i) { return nonzero(cut(i.a | i.b)); };
    t["s_xor_" + n] = [cut](const In& i) { return nonzero(cut(i.a ^ i.b)); };
    t["s_andn2_" + n] = [cut](const In& i) { return nonzero(cut(i.a & ~i.b)); };
    t["s_orn2_" + n] = [cut](const In& i) { return nonzero(cut(i.a | ~i.b)); };
    t["s_nand_" + n] = [cut](const In& i) { return nonzero(cut(~i.a | ~i.b)); };
    t["s_nor_" + n] = [cut](const In& i) { return nonzero(cut(~i.a & ~i.b)); };
    t["s_xnor_" + n] = [cut](const In& i) { return nonzero(cut(i.a ^ ~i.b)); };
    t["s_lshl_" + n] = [cut, bits](const In& i) { return nonzero(cut(i.a << (i.b % bits))); };
    t["s_lshr_" + n] = [bits](const In& i) { return nonzero(i.a >> (i.b % bits)); };
    t["s_mov_" + n] = [](const In& i) { return value(i.a); };
    t["s_cmov_" + n] = [](const In& i) { return value(i.flag ? i.a : i.old); };
    t["s_not_" + n] = [cut](const In& i) { return nonzero(cut(~i.a)); };
    t["s_brev_" + n] = [bits](const In& i) { return value(reverse(i.a, bits)); };
    t["s_bcnt0_i32_" + n] = [bits](const In& i) { return nonzero(bits - bit_count(i.a)); };
    t["s_bcnt1_i32_" + n] = [](const In& i) { return nonzero(bit_count(i.a)); };
    t["s_ff0_i32_" + n] = [bits](const In& i) { return value(first_from_below(i.a, bits, false)); };
    t["s_ff1_i32_" + n] = [bits](const In& i) { return value(first_from_below(i.a, bits, true)); };
    t["s_flbit_i32_" + n] = [bits](const In& i) {
      return value(first_from_above(i.a, bits, true));
    };
    t["s_bitset0_" + n] = [bits](const In& i) {
      return value(i.old & ~(uint64_t{1} << i.a % bits));
    };
    t["s_bitset1_" + n] = [bits](const In& i) { return value(i.old | uint64_t{1} << i.a % bits); };
    t["s_bitcmp0_" + n] = [bits](const In& i) { return condition((i.a >> i.b % bits & 1) == 0); };
    t["s_bitcmp1_" + n] = [bits](const In& i) { return condition((i.a >> i.b % bits & 1) == 1); };
    t["s_wqm_" + n] = [bits](const In& i) {
      uint64_t x = 0;
      for (unsigned q = 0; q < bits; q += 4)
        if (i.a >> q & 15) x |= uint64_t{15} << q;
      return nonzero(x);
    };
    t["s_quadmask_" + n] = [bits](const In& i) {
      uint64_t x = 0;
      for (unsigned q = 0; q < bits; q += 4)
        if (i.a >> q & 15) x |= uint64_t{1} << q / 4;
      return nonzero(x);
    };
  }
  t["s_bfm_b32"] = [](const In& i) {
    uint64_t x = 0;
    for (unsigned k = 0; k < i.a % 32; ++k) x |= uint64_t{1} << (k + i.b % 32);
    return value(u(x));
  };
  t["s_bfm_b64"] = [](const In& i) {
    uint64_t x = 0;
    for (unsigned k = 0; k < i.a % 64 && k + i.b % 64 < 64; ++k) x |= uint64_t{1} << (k + i.b % 64);
    return value(x);
  };
  t["s_ashr_i32"] = [](const In& i) { return nonzero(arithmetic_shift(i.a, i.b % 32, 32)); };
  t["s_ashr_i64"] = [](const In& i) { return nonzero(arithmetic_shift(i.a, i.b % 64, 64)); };
  t["s_mul_i32"] = [](const In& i) { return value(u(i.a * i.b)); };
  t["s_bfe_u32"] = [](const In& i) {
    return nonzero(field(i.a, i.b & 31, i.b >> 16 & 127, 32, false));
  };
  t["s_bfe_i32"] = [](const In& i) {
    return nonzero(field(i.a, i.b & 31, i.b >> 16 & 127, 32, true));
  };
  t["s_bfe_u64"] = [](const In& i) {
    return nonzero(field(i.a, i.b & 63, i.b >> 16 & 127, 64, false));
  };
  t["s_bfe_i64"] = [](const In& i) {
    return nonzero(field(i.a, i.b & 63, i.b >> 16 & 127, 64, true));
  };
  t["s_absdiff_i32"] = [](const In& i) {
    return nonzero32(static_cast<uint64_t>(std::llabs(s(static_cast<uint64_t>(s(i.a) - s(i.b))))));
  };
  t["s_abs_i32"] = [](const In& i) { return nonzero32(static_cast<uint64_t>(std::llabs(s(i.a)))); };
  t["s_flbit_i32"] = [](const In& i) { return value(first_from_above(i.a, 32, s(i.a) >= 0)); };
  t["s_flbit_i32_i64"] = [](const In& i) {
    return value(first_from_above(i.a, 64, i.a >> 63 == 0));
  };
  t["s_sext_i32_i8"] = [](const In& i) { return value(field(i.a, 0, 8, 32, true)); };
  t["s_sext_i32_i16"] = [](const In& i) { return value(field(i.a, 0, 16, 32, true)); };
  t["s_movk_i32"] = [](const In& i) { return value(i.a); };
  t["s_cmovk_i32"] = [](const In& i) { return value(i.flag ? i.a : i.old); };
  t["s_addk_i32"] = [](const In& i) {
    const int64_t x = s(i.a) + s(i.old);
    return value(u(static_cast<uint64_t>(x)), x > 2147483647 || x < -2147483648LL);
  };
  t["s_mulk_i32"] = [](const In& i) { return value(u(i.a * i.old)); };
}

void add_integer(Table& t) {
  t["v_mov_b32"] = [](const In& i) { return value(i.a); };
  t["v_not_b32"] = [](const In& i) { return value(0xffffffff - i.a); };
  t["v_bfrev_b32"] = [](const In& i) { return value(reverse(i.a, 32)); };
  t["v_ffbh_u32"] = [](const In& i) { return value(first_from_above(i.a, 32, true)); };
  t["v_ffbl_b32"] = [](const In& i) { return value(first_from_below(i.a, 32, true)); };
  t["v_ffbh_i32"] = [](const In& i) { return value(first_from_above(i.a, 32, s(i.a) >= 0)); };
  t["v_cndmask_b32"] = [](const In& i) { return value(i.flag ? i.b : i.a); };
  t["v_mul_i32_i24"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(low24(i.a, true) * low24(i.b, true))));
  };
  t["v_mul_hi_i32_i24"] = [](const In& i) {
    return value(
        u(arithmetic_shift(static_cast<uint64_t>(low24(i.a, true) * low24(i.b, true)), 32, 64)));
  };
  t["v_mul_u32_u24"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(low24(i.a, false) * low24(i.b, false))));
  };
  t["v_mul_hi_u32_u24"] = [](const In& i) {
    return value(static_cast<uint64_t>(low24(i.a, false) * low24(i.b, false)) >> 32);
  };
  t["v_min_i32"] = [](const In& i) { return value(s(i.a) < s(i.b) ? i.a : i.b); };
  t["v_max_i32"] = [](const In& i) { return value(s(i.a) > s(i.b) ? i.a : i.b); };
  t["v_min_u32"] = [](const In& i) { return value(i.a < i.b ? i.a : i.b); };
  t["v_max_u32"] = [](const In& i) { return value(i.a > i.b ? i.a : i.b); };
  t["v_lshr_b32"] = [](const In& i) { return value(i.a >> i.b % 32); };
  t["v_lshrrev_b32"] = [](const In& i) { return value(i.b >> i.a % 32); };
  t["v_ashr_i32"] = [](const In& i) { return value(arithmetic_shift(i.a, i.b % 32, 32)); };
  t["v_ashrrev_i32"] = [](const In& i) { return value(arithmetic_shift(i.b, i.a % 32, 32)); };
  t["v_lshl_b32"] = [](const In& i) { return value(u(i.a << i.b % 32)); };
  t["v_lshlrev_b32"] = [](const In& i) { return value(u(i.b << i.a % 32)); };
  t["v_and_b32"] = [](const In& i) { return value(i.a & i.b); };
  t["v_or_b32"] = [](const In& i) { return value(i.a | i.b); };
  t["v_xor_b32"] = [](const In& i) { return value(i.a ^ i.b); };
  t["v_bfm_b32"] = [](const In& i) {
    return value(u(((uint64_t{1} << i.a % 32) - 1) << i.b % 32));
  };
  t["v_bcnt_u32_b32"] = [](const In& i) { return value(u(bit_count(i.a) + i.b)); };
  t["v_mbcnt_lo_u32_b32"] = [](const In& i) {
    uint64_t n = i.b;
    for (unsigned k = 0; k < 32 && k < i.lane; ++k) n += i.a >> k & 1;
    return value(u(n));
  };
  t["v_mbcnt_hi_u32_b32"] = [](const In& i) {
    uint64_t n = i.b;
    for (unsigned k = 32; k < i.lane; ++k) n += i.a >> (k - 32) & 1;
    return value(u(n));
  };
  t["v_add_i32"] = [](const In& i) { return value(u(i.a + i.b), i.a + i.b > 0xffffffff); };
  t["v_sub_i32"] = [](const In& i) { return value(u(i.a - i.b), i.a < i.b); };
  t["v_subrev_i32"] = [](const In& i) { return value(u(i.b - i.a), i.b < i.a); };
  t["v_addc_u32"] = [](const In& i) {
    return value(u(i.a + i.b + i.flag), i.a + i.b + i.flag > 0xffffffff);
  };
  t["v_subb_u32"] = [](const In& i) { return value(u(i.a - i.b - i.flag), i.a < i.b + i.flag); };
  t["v_subbrev_u32"] = [](const In& i) { return value(u(i.b - i.a - i.flag), i.b < i.a + i.flag); };
  t["v_cvt_pk_u16_u32"] = [](const In& i) {
    return value(clamp<uint64_t>(i.a, 0, 65535) + 65536 * clamp<uint64_t>(i.b, 0, 65535));
  };
  t["v_cvt_pk_i16_i32"] = [](const In& i) {
    const auto h = [](uint64_t x) {
      return static_cast<uint64_t>(clamp<int64_t>(s(x), -32768, 32767)) & 0xffff;
    };
    return value(h(i.a) + 65536 * h(i.b));
  };
  t["v_mad_i32_i24"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(low24(i.a, true) * low24(i.b, true)) + i.c));
  };
  t["v_mad_u32_u24"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(low24(i.a, false) * low24(i.b, false)) + i.c));
  };
  t["v_bfe_u32"] = [](const In& i) { return value(field(i.a, i.b & 31, i.c & 31, 32, false)); };
  t["v_bfe_i32"] = [](const In& i) { return value(field(i.a, i.b & 31, i.c & 31, 32, true)); };
  t["v_bfi_b32"] = [](const In& i) {
    uint64_t x = 0;
    for (unsigned k = 0; k < 32; ++k) x |= ((i.a >> k & 1) ? i.b >> k & 1 : i.c >> k & 1) << k;
    return value(x);
  };
  t["v_alignbit_b32"] = [](const In& i) { return value(u((i.a << 32 | i.b) >> i.c % 32)); };
  t["v_alignbyte_b32"] = [](const In& i) { return value(u((i.a << 32 | i.b) >> i.c % 4 * 8)); };
  t["v_min3_i32"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(std::min({s(i.a), s(i.b), s(i.c)}))));
  };
  t["v_max3_i32"] = [](const In& i) {
    return value(u(static_cast<uint64_t>(std::max({s(i.a), s(i.b), s(i.c)}))));
  };
  t["v_med3_i32"] = [](const In& i) {
    int64_t x[3] = {s(i.a), s(i.b), s(i.c)};
    std::sort(x, x + 3);
    return value(u(static_cast<uint64_t>(x[1])));
  };
  t["v_min3_u32"] = [](const In& i) { return value(std::min({i.a, i.b, i.c})); };
  t["v_max3_u32"] = [](const In& i) { return value(std::max({i.a, i.b, i.c})); };
  t["v_med3_u32"] = [](const In& i) {
    uint64_t x[3] = {i.a, i.b, i.c};
    std::sort(x, x + 3);
    return value(x[1]);
  };
  const auto sad = [](uint64_t a, uint64_t b, unsigned bits) {
    uint64_t n = 0;
    for (unsigned k = 0; k < 32; k += bits)
      n += static_cast<uint64_t>(std::llabs(static_cast<int64_t>(field(a, k, bits, 32, false)) -
                                            static_cast<int64_t>(field(b, k, bits, 32, false))));
    return n;
  };
  t["v_sad_u8"] = [sad](const In& i) { return value(u(sad(i.a, i.b, 8) + i.c)); };
  t["v_sad_hi_u8"] = [sad](const In& i) { return value(u(sad(i.a, i.b, 8) * 65536 + i.c)); };
  t["v_sad_u16"] = [sad](const In& i) { return value(u(sad(i.a, i.b, 16) + i.c)); };
  t["v_sad_u32"] = [sad](const In& i) { return value(u(sad(i.a, i.b, 32) + i.c)); };
  t["v_lshl_b64"] = [](const In& i) { return value(i.a << i.b % 64); };
  t["v_lshr_b64"] = [](const In& i) { return value(i.a >> i.b % 64); };
  t["v_ashr_i64"] = [](const In& i) { return value(arithmetic_shift(i.a, i.b % 64, 64)); };
  t["v_mul_lo_u32"] = t["v_mul_lo_i32"] = [](const In& i) { return value(u(i.a * i.b)); };
  t["v_mul_hi_u32"] = [](const In& i) { return value(i.a * i.b >> 32); };
  t["v_mul_hi_i32"] = [](const In& i) {
    return value(u(arithmetic_shift(static_cast<uint64_t>(s(i.a) * s(i.b)), 32, 64)));
  };
}

// Sums and products of floats are exact in double but for the last rounding, which to float is the
// same as computing in float (double has more than twice the bits).
Out mad(uint64_t a, uint64_t b, uint64_t c, bool legacy) {
  const float x = input(a), y = input(b), z = input(c);
  if (legacy && (x == 0.0f || y == 0.0f)) return real(z, {a, b, c});
  const float product = flush(static_cast<float>(static_cast<double>(x) * static_cast<double>(y)));
  return real(static_cast<double>(product) + static_cast<double>(z), {a, b, c});
}

void add_float(Table& t) {
  const auto d = [](uint64_t x) { return static_cast<double>(input(x)); };
  t["v_add_f32"] = [d](const In& i) { return real(d(i.a) + d(i.b), {i.a, i.b}); };
  t["v_sub_f32"] = [d](const In& i) { return real(d(i.a) - d(i.b), {i.a, i.b}); };
  t["v_subrev_f32"] = [d](const In& i) { return real(d(i.b) - d(i.a), {i.a, i.b}); };
  t["v_mul_f32"] = [d](const In& i) { return real(d(i.a) * d(i.b), {i.a, i.b}); };
  t["v_mul_legacy_f32"] = [d](const In& i) {
    return d(i.a) == 0 || d(i.b) == 0 ? value(0) : real(d(i.a) * d(i.b), {i.a, i.b});
  };
  t["v_mac_f32"] = [](const In& i) { return mad(i.a, i.b, i.old, false); };
  t["v_mac_legacy_f32"] = [](const In& i) { return mad(i.a, i.b, i.old, true); };
  t["v_mad_f32"] = t["v_madmk_f32"] =
      t["v_madak_f32"] = [](const In& i) { return mad(i.a, i.b, i.c, false); };
  t["v_mad_legacy_f32"] = [](const In& i) { return mad(i.a, i.b, i.c, true); };
  t["v_fma_f32"] = [](const In& i) {
    return real(std::fma(input(i.a), input(i.b), input(i.c)), {i.a, i.b, i.c});
  };
  t["v_min_legacy_f32"] = [d](const In& i) { return value(d(i.a) < d(i.b) ? i.a : i.b); };
  t["v_max_legacy_f32"] = [d](const In& i) { return value(d(i.a) >= d(i.b) ? i.a : i.b); };
  t["v_min_f32"] = [](const In& i) { return value(extreme(i.a, i.b, true)); };
  t["v_max_f32"] = [](const In& i) { return value(extreme(i.a, i.b, false)); };
  t["v_min3_f32"] = [](const In& i) { return value(extreme(extreme(i.a, i.b, true), i.c, true)); };
  t["v_max3_f32"] = [](const In& i) {
    return value(extreme(extreme(i.a, i.b, false), i.c, false));
  };
  t["v_med3_f32"] = [](const In& i) {
    const uint64_t least = extreme(extreme(i.a, i.b, true), i.c, true);
    if (std::isnan(number(i.a)) || std::isnan(number(i.b)) || std::isnan(number(i.c)))
      return value(least);
    // What the largest of the three is, is left out.
    const uint64_t most = extreme(extreme(i.a, i.b, false), i.c, false);
    if (most == i.a) return value(extreme(i.b, i.c, false));
    if (most == i.b) return value(extreme(i.a, i.c, false));
    return value(extreme(i.a, i.b, false));
  };
  t["v_ldexp_f32"] = [d](const In& i) {
    return real(std::ldexp(d(i.a), static_cast<int>(clamp<int64_t>(s(i.b), -2000, 2000))), {i.a});
  };
  t["v_cvt_f32_i32"] = [](const In& i) { return value(pattern(static_cast<float>(s(i.a)))); };
  t["v_cvt_f32_u32"] = [](const In& i) { return value(pattern(static_cast<float>(i.a))); };
  t["v_cvt_u32_f32"] = [d](const In& i) { return value(u(to_integer(d(i.a), 0.0, 4294967295.0))); };
  t["v_cvt_i32_f32"] = [d](const In& i) { return value(u(to_integer(d(i.a), kLeast, kMost))); };
  t["v_cvt_rpi_i32_f32"] = [](const In& i) { return rounded_integer(i, 0.5); };
  t["v_cvt_flr_i32_f32"] = [](const In& i) { return rounded_integer(i, 0.0); };
  t["v_cvt_f16_f32"] = [](const In& i) { return value(to_half(i.a, false)); };
  t["v_cvt_f32_f16"] = [](const In& i) { return value(from_half(i.a & 0xffff)); };
  t["v_cvt_pkrtz_f16_f32"] = [](const In& i) {
    return value(to_half(i.a, true) + uint64_t{65536} * to_half(i.b, true));
  };
  t["v_cvt_off_f32_i4"] = [](const In& i) {
    return value(pattern(
        static_cast<float>(static_cast<int>(i.a % 16 < 8 ? i.a % 16 : i.a % 16 - 16)) / 16.0f));
  };
  for (unsigned n = 0; n < 4; ++n)
    t["v_cvt_f32_ubyte" + std::to_string(n)] = [n](const In& i) {
      return value(pattern(static_cast<float>(i.a / (1u << 8 * n) % 256)));
    };
  t["v_cvt_pknorm_i16_f32"] = [](const In& i) {
    return value(norm16(i.a, 32767, -32767) + uint64_t{65536} * norm16(i.b, 32767, -32767));
  };
  t["v_cvt_pknorm_u16_f32"] = [](const In& i) {
    return value(norm16(i.a, 65535, 0) + uint64_t{65536} * norm16(i.b, 65535, 0));
  };
  t["v_cvt_pk_u8_f32"] = [d](const In& i) {
    const uint64_t at = i.b % 4 * 8;
    return value((i.c & ~(uint64_t{255} << at)) | to_integer(std::rint(d(i.a)), 0, 255) << at);
  };
  t["v_fract_f32"] = [d](const In& i) { return real(d(i.a) - std::floor(d(i.a)), {i.a}); };
  t["v_trunc_f32"] = [d](const In& i) { return real(std::trunc(d(i.a)), {i.a}); };
  t["v_ceil_f32"] = [d](const In& i) { return real(std::ceil(d(i.a)), {i.a}); };
  t["v_rndne_f32"] = [d](const In& i) { return real(std::rint(d(i.a)), {i.a}); };
  t["v_floor_f32"] = [d](const In& i) { return real(std::floor(d(i.a)), {i.a}); };
  t["v_exp_f32"] = [d](const In& i) {
    return d(i.a) < -126.0 ? value(0) : real(std::exp2(d(i.a)), {i.a});
  };
  t["v_log_f32"] = [d](const In& i) { return real(std::log2(d(i.a)), {i.a}); };
  t["v_log_clamp_f32"] = [d](const In& i) {
    return real(no_infinity(static_cast<float>(std::log2(d(i.a)))), {i.a});
  };
  t["v_rcp_f32"] = t["v_rcp_iflag_f32"] = [d](const In& i) { return real(1.0 / d(i.a), {i.a}); };
  t["v_rcp_clamp_f32"] = [d](const In& i) {
    return real(no_infinity(static_cast<float>(1.0 / d(i.a))), {i.a});
  };
  t["v_rcp_legacy_f32"] = [d](const In& i) {
    return d(i.a) == 0.0 ? value(i.a & 0x80000000) : real(1.0 / d(i.a), {i.a});
  };
  t["v_rsq_f32"] = [d](const In& i) { return real(1.0 / std::sqrt(d(i.a)), {i.a}); };
  t["v_rsq_clamp_f32"] = [d](const In& i) {
    return real(no_infinity(static_cast<float>(1.0 / std::sqrt(d(i.a)))), {i.a});
  };
  t["v_rsq_legacy_f32"] = [d](const In& i) {
    return d(i.a) == 0.0 ? value(0) : real(1.0 / std::sqrt(d(i.a)), {i.a});
  };
  t["v_sqrt_f32"] = [d](const In& i) { return real(std::sqrt(d(i.a)), {i.a}); };
  const double pi = 3.14159265358979323846;
  t["v_sin_f32"] = [d, pi](const In& i) {
    return std::isinf(d(i.a))        ? value(0xffc00000)
           : std::fabs(d(i.a)) > 256 ? value(0)
                                     : real(std::sin(2 * pi * d(i.a)), {i.a});
  };
  t["v_cos_f32"] = [d, pi](const In& i) {
    return std::isinf(d(i.a))        ? value(0xffc00000)
           : std::fabs(d(i.a)) > 256 ? value(0x3f800000)
                                     : real(std::cos(2 * pi * d(i.a)), {i.a});
  };
  t["v_frexp_exp_i32_f32"] = [d](const In& i) {
    if (!std::isfinite(d(i.a))) return value(0xffffffff);
    return value(
        d(i.a) == 0 ? 0 : u(static_cast<uint64_t>(static_cast<int64_t>(std::ilogb(d(i.a)) + 1))));
  };
  t["v_frexp_mant_f32"] = [d](const In& i) {
    if (!std::isfinite(d(i.a))) return real(std::nan(""), {i.a});
    return real(d(i.a) == 0 ? d(i.a) : std::ldexp(d(i.a), -std::ilogb(d(i.a)) - 1), {i.a});
  };
  t["v_div_scale_f32"] = [d](const In& i) {
    const double den = d(i.b), num = d(i.c), x = d(i.a);
    const auto exponent = [](double v) {
      return v == 0 ? 0 : std::isfinite(v) ? std::ilogb(v) + 127 : 255;
    };
    const auto scaled = [&](double by, bool flag) {
      Out o = real(std::ldexp(x, static_cast<int>(by)), {i.a});
      o.flag = flag ? 1 : 0;
      return o;
    };
    if (std::isnan(x)) return value(u(i.a) | 0x400000, false);
    if (num == 0 || den == 0) return value(0xffc00000, false);
    if (exponent(num) - exponent(den) >= 96) return scaled(x == den ? 64 : 0, true);
    if (tiny(1 / den) && tiny(num / den)) return scaled(x == den ? -64 : 0, true);
    if (tiny(1 / den)) return scaled(-64, false);
    if (tiny(num / den)) return scaled(x == num ? 64 : 0, true);
    return scaled(exponent(num) <= 23 ? 64 : 0, false);
  };
  t["v_div_fmas_f32"] = [](const In& i) {
    const float x = std::fma(input(i.a), input(i.b), input(i.c));
    const bool large = std::fabs(input(i.c)) >= 2;
    const double factor = !i.flag ? 1 : large ? 0x1p64 : 0x1p-64;
    return real(static_cast<double>(x) * factor, {i.a, i.b, i.c});
  };
  t["v_div_fixup_f32"] = [d](const In& i) {
    const bool negative = std::signbit(d(i.b)) != std::signbit(d(i.c));
    const uint64_t sign = negative ? 0x80000000 : 0;
    if (std::isnan(d(i.c))) return value(u(i.c) | 0x400000);
    if (std::isnan(d(i.b))) return value(u(i.b) | 0x400000);
    if (std::isnan(d(i.c) / d(i.b))) return value(0xffc00000);
    if (std::isinf(d(i.c) / d(i.b)) && (d(i.b) == 0 || std::isinf(d(i.c))))
      return value(sign | 0x7f800000);
    if (d(i.c) == 0 || std::isinf(d(i.b))) return value(sign);
    return value(sign | (std::isnan(number(i.a)) ? 0x7f800000 : i.a & 0x7fffffff));
  };
}

double double_number(uint64_t bits) {
  double result;
  std::memcpy(&result, &bits, 8);
  return result;
}
uint64_t double_pattern(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, 8);
  return bits;
}
constexpr uint64_t kDoubleQuiet = 0x0008000000000000, kDoubleSign = uint64_t{1} << 63;
Out real64(double result, std::initializer_list<uint64_t> operands) {
  if (!std::isnan(result)) return value(double_pattern(result));
  for (const uint64_t x : operands)
    if (std::isnan(double_number(x))) return value(x | kDoubleQuiet);
  return value(0xfff8000000000000);
}
double no_infinity64(double x) { return std::isinf(x) ? std::copysign(DBL_MAX, x) : x; }
uint64_t extreme64(uint64_t a, uint64_t b, bool least) {
  const double x = double_number(a), y = double_number(b);
  if (std::isnan(x) && (a & kDoubleQuiet) == 0) return a | kDoubleQuiet;
  if (std::isnan(y) && (b & kDoubleQuiet) == 0) return b | kDoubleQuiet;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? b : a;
  if (x == 0.0 && y == 0.0) return std::signbit(x) == least ? a : b;
  return (least ? x < y : x > y) ? a : b;
}
// Positive numbers of any length: floor(2^1201 * 2 / pi), pi by Machin's formula.
boost::multiprecision::cpp_int two_over_pi_digits() {
  using boost::multiprecision::cpp_int;
  const cpp_int unit = cpp_int(1) << 1400;
  const auto arc_tangent_of_inverse = [&unit](unsigned n) {
    cpp_int term = unit / n, sum = term;
    for (unsigned k = 3; term != 0; k += 2) {
      term /= n * n;
      sum += k % 4 == 3 ? -cpp_int(term / k) : cpp_int(term / k);
    }
    return sum;
  };
  const cpp_int pi = 4 * (4 * arc_tangent_of_inverse(5) - arc_tangent_of_inverse(239));
  return (unit << 1202) / pi;
}

void add_double(Table& t) {
  const auto d = double_number;
  t["v_add_f64"] = [d](const In& i) { return real64(d(i.a) + d(i.b), {i.a, i.b}); };
  t["v_mul_f64"] = [d](const In& i) { return real64(d(i.a) * d(i.b), {i.a, i.b}); };
  t["v_fma_f64"] = [d](const In& i) {
    return real64(std::fma(d(i.a), d(i.b), d(i.c)), {i.a, i.b, i.c});
  };
  t["v_min_f64"] = [](const In& i) { return value(extreme64(i.a, i.b, true)); };
  t["v_max_f64"] = [](const In& i) { return value(extreme64(i.a, i.b, false)); };
  t["v_ldexp_f64"] = [d](const In& i) {
    return real64(std::ldexp(d(i.a), static_cast<int>(clamp<int64_t>(s(i.b), -5000, 5000))), {i.a});
  };
  t["v_cvt_f64_i32"] = [](const In& i) { return real64(static_cast<double>(s(i.a)), {}); };
  t["v_cvt_f64_u32"] = [](const In& i) { return real64(static_cast<double>(u(i.a)), {}); };
  t["v_cvt_i32_f64"] = [d](const In& i) { return value(u(to_integer(d(i.a), kLeast, kMost))); };
  t["v_cvt_u32_f64"] = [d](const In& i) { return value(u(to_integer(d(i.a), 0.0, 4294967295.0))); };
  t["v_cvt_f32_f64"] = [d](const In& i) {
    if (std::isnan(d(i.a)))
      return value((i.a >> 32 & 0x80000000) | 0x7fc00000 | (i.a >> 29 & 0x3fffff));
    return value(pattern(flush(static_cast<float>(d(i.a)))));
  };
  t["v_cvt_f64_f32"] = [](const In& i) {
    if (!std::isnan(number(i.a))) return real64(static_cast<double>(input(i.a)), {});
    return value(i.a >> 31 << 63 | 0x7ff8000000000000 | (i.a & 0x3fffff) << 29);
  };
  t["v_fract_f64"] = [d](const In& i) { return real64(d(i.a) - std::floor(d(i.a)), {i.a}); };
  t["v_rcp_f64"] = [d](const In& i) { return real64(1.0 / d(i.a), {i.a}); };
  t["v_rcp_clamp_f64"] = [d](const In& i) { return real64(no_infinity64(1.0 / d(i.a)), {i.a}); };
  const auto inverse_root = [d](uint64_t x) {
    return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(d(x))));
  };
  t["v_rsq_f64"] = [inverse_root](const In& i) { return real64(inverse_root(i.a), {i.a}); };
  t["v_rsq_clamp_f64"] = [inverse_root](const In& i) {
    return real64(no_infinity64(inverse_root(i.a)), {i.a});
  };
  t["v_sqrt_f64"] = [d](const In& i) { return real64(std::sqrt(d(i.a)), {i.a}); };
  t["v_frexp_exp_i32_f64"] = [d](const In& i) {
    if (!std::isfinite(d(i.a))) return value(0xffffffff);
    return value(d(i.a) == 0 ? 0 : u(static_cast<uint64_t>(int64_t{std::ilogb(d(i.a)) + 1})));
  };
  t["v_frexp_mant_f64"] = [d](const In& i) {
    if (!std::isfinite(d(i.a))) return real64(std::nan(""), {i.a});
    return real64(d(i.a) == 0 ? d(i.a) : std::ldexp(d(i.a), -std::ilogb(d(i.a)) - 1), {});
  };
  t["v_div_scale_f64"] = [d](const In& i) {
    const double den = d(i.b), num = d(i.c), x = d(i.a);
    const auto exponent = [](uint64_t bits) { return static_cast<int>(bits << 1 >> 53); };
    // By logarithms: a quotient may be too small for a denormal.
    const auto denormal = [](double n, double v) {
      if (std::isinf(v) || std::isnan(v) || !std::isfinite(n)) return false;
      int a = 0, b = 0;
      const double above = std::frexp(std::fabs(n), &a), below = std::frexp(std::fabs(v), &b);
      return a - b + (above < below ? 0 : 1) <= -1022;
    };
    const auto scaled = [&](int by, bool flag) {
      Out o = real64(std::ldexp(x, by), {i.a});
      o.flag = flag ? 1 : 0;
      return o;
    };
    if (std::isnan(x)) return value(i.a | kDoubleQuiet, false);
    if (num == 0 || den == 0) return value(0xfff8000000000000, false);
    if (exponent(i.c) - exponent(i.b) >= 768) return scaled(x == den ? 128 : 0, true);
    if (denormal(den, 1)) return scaled(128, false);
    if (denormal(1, den) && denormal(num, den)) return scaled(x == den ? -128 : 0, true);
    if (denormal(1, den)) return scaled(-128, false);
    if (denormal(num, den)) return scaled(x == num ? 128 : 0, true);
    return scaled(exponent(i.c) <= 53 ? 128 : 0, false);
  };
  t["v_div_fmas_f64"] = [d](const In& i) {
    const double x = std::fma(d(i.a), d(i.b), d(i.c));
    return real64(!i.flag ? x : x * (std::fabs(d(i.c)) >= 2 ? 0x1p128 : 0x1p-128), {i.a, i.b, i.c});
  };
  t["v_div_fixup_f64"] = [d](const In& i) {
    const uint64_t sign = (i.b ^ i.c) & kDoubleSign;
    if (std::isnan(d(i.c))) return value(i.c | kDoubleQuiet);
    if (std::isnan(d(i.b))) return value(i.b | kDoubleQuiet);
    if (std::isnan(d(i.c) / d(i.b))) return value(0xfff8000000000000);
    if (d(i.b) == 0 || std::isinf(d(i.c))) return value(sign | 0x7ff0000000000000);
    if (d(i.c) == 0 || std::isinf(d(i.b))) return value(sign);
    return value(sign | (std::isnan(d(i.a)) ? 0x7ff0000000000000 : i.a & ~kDoubleSign));
  };
  t["v_trig_preop_f64"] = [d, digits = two_over_pi_digits()](const In& i) {
    if (std::isnan(d(i.a))) return value(i.a | kDoubleQuiet);
    const int exponent = static_cast<int>(i.a << 1 >> 53);
    const int shift = static_cast<int>(i.b % 32 * 53) + std::max(0, exponent - 1077);
    // Bits of the digits whose weights are 2^-(shift + 1) to 2^-(shift + 53).
    const boost::multiprecision::cpp_int wanted = (digits << 2000) >> (2000 + 1201 - shift - 53);
    const auto segment = static_cast<uint64_t>(wanted & ((uint64_t{1} << 53) - 1));
    return real64(
        std::ldexp(static_cast<double>(segment), -53 - shift + (exponent >= 1968 ? 128 : 0)), {});
  };
}

template <typename Real>
bool compare_reals(const std::string& name, Real x, Real y) {
  const bool unordered = std::isnan(x) || std::isnan(y);
  if (name == "f") return false;
  if (name == "tru") return true;
  if (name == "o") return !unordered;
  if (name == "u") return unordered;
  if (name[0] == 'n') return unordered || !compare_reals(name.substr(1), x, y);
  if (unordered) return false;
  if (name == "lt") return x < y;
  if (name == "eq") return x == y;
  if (name == "le") return x <= y;
  if (name == "gt") return x > y;
  return name == "lg" ? x != y : x >= y;
}
template <typename T>
bool compare_integers(const std::string& name, T x, T y) {
  if (name == "f" || name == "t") return name == "t";
  if (name == "lt") return x < y;
  if (name == "eq") return x == y;
  if (name == "le") return x <= y;
  if (name == "gt") return x > y;
  return name == "ne" || name == "lg" ? x != y : x >= y;
}
bool in_class(uint64_t bits, uint64_t classes) {
  const float x = number(bits);
  unsigned place = 0;
  if (std::isnan(x)) {
    place = signalling(bits) ? 0 : 1;
  } else {
    const int kind = std::fpclassify(x);
    const unsigned size = kind == FP_INFINITE    ? 3
                          : kind == FP_NORMAL    ? 2
                          : kind == FP_SUBNORMAL ? 1
                                                 : 0;
    place = std::signbit(x) ? 5 - size : 6 + size;
  }
  return (classes >> place & 1) != 0;
}

bool in_class_of_doubles(uint64_t bits, uint64_t classes) {
  const double x = double_number(bits);
  if (std::isnan(x)) return (classes >> (bits >> 51 & 1) & 1) != 0;
  const int order[] = {FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO};
  unsigned place = 0;
  while (order[place] != std::fpclassify(x)) ++place;
  return (classes >> (std::signbit(x) ? 2 + place : 9 - place) & 1) != 0;
}

// v_cmp_lt_f32, s_cmp_lg_i32, s_cmpk_ge_u32...: unit, kind, what, type.
Out comparison(const std::string& name, const In& in) {
  const std::size_t first = name.find('_', 2), last = name.rfind('_');
  const std::string kind = name.substr(2, first - 2);
  if (kind.substr(0, 3) != "cmp" || first == last) return {};
  const std::string what = name.substr(first + 1, last - first - 1), type = name.substr(last + 1);
  const uint64_t a = kind == "cmpk" ? in.old : in.a, b = kind == "cmpk" ? in.a : in.b;
  if (what == "class") return condition(type == "f64" ? in_class_of_doubles(a, b) : in_class(a, b));
  if (type == "f64") return condition(compare_reals(what, double_number(a), double_number(b)));
  if (type == "f32") return condition(compare_reals(what, input(a), input(b)));
  if (type == "i32") return condition(compare_integers(what, s(a), s(b)));
  if (type == "u32") return condition(compare_integers(what, u(a), u(b)));
  if (type == "i64")
    return condition(compare_integers(what, static_cast<int64_t>(a), static_cast<int64_t>(b)));
  return condition(compare_integers(what, a, b));
}

}  // namespace

ReferenceOutput reference(const std::string& mnemonic, const ReferenceInput& in) {
  static const Table table = [] {
    Table t;
    add_scalar(t);
    add_integer(t);
    add_float(t);
    add_double(t);
    return t;
  }();
  const auto found = table.find(mnemonic);
  return found != table.end() ? found->second(in) : comparison(mnemonic, in);
}

}  // namespace gvp::test
