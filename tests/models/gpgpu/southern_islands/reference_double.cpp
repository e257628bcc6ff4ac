// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cfloat>

#include "tests/models/gpgpu/southern_islands/reference_parts.h"

namespace gvp::test {
namespace {

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

}  // namespace

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

}  // namespace gvp::test
