// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/models/gpgpu/southern_islands/reference_parts.h"

namespace gvp::test {
namespace {

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

}  // namespace

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

}  // namespace gvp::test
