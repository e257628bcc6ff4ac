// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "tests/models/gpgpu/southern_islands/reference_parts.h"

namespace gvp::test {
namespace {

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

// Sums and products of floats are exact in double but for the last rounding, which to float is the
// same as computing in float (double has more than twice the bits).
Out mad(uint64_t a, uint64_t b, uint64_t c, bool legacy) {
  const float x = input(a), y = input(b), z = input(c);
  if (legacy && (x == 0.0f || y == 0.0f)) return real(z, {a, b, c});
  const float product = flush(static_cast<float>(static_cast<double>(x) * static_cast<double>(y)));
  return real(static_cast<double>(product) + static_cast<double>(z), {a, b, c});
}

}  // namespace

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

}  // namespace gvp::test
