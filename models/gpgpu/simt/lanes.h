// SPDX-License-Identifier: Apache-2.0
// Thirty-two lanes at once: masks, and the loops that apply one operation to a whole warp.  A
// register of a warp is one row of 32 words (structure of arrays), so that a compiler turns each
// loop here into a few vector instructions.  Results under a partial mask are loaded, blended
// and stored whole: masked stores are slower on the machines this was measured on.
#pragma once

#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace gvp::gpgpu::simt {

constexpr unsigned kWarpSize = 32;
using Mask = uint32_t;  // bit i: lane i
constexpr Mask kAllLanes = 0xffffffffu;

inline constexpr Mask first_lanes(unsigned count) {
  return count >= kWarpSize ? kAllLanes : (Mask{1} << count) - 1;
}
inline unsigned count_lanes(Mask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }
inline unsigned first_lane(Mask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

struct alignas(64) Lanes {
  uint32_t lane[kWarpSize];
  uint32_t& operator[](unsigned i) { return lane[i]; }
  uint32_t operator[](unsigned i) const { return lane[i]; }
};

// d[i] = f(i) in the lanes of the mask.  f may read the row d itself, but only lane i of it.
template <typename Function>
inline void for_lanes(Lanes& d, Mask mask, Function f) {
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) d.lane[i] = f(i);
    return;
  }
  Lanes result;
#pragma GCC ivdep
  for (unsigned i = 0; i < kWarpSize; ++i) result.lane[i] = f(i);
#pragma GCC ivdep
  for (unsigned i = 0; i < kWarpSize; ++i)
    d.lane[i] = (mask >> i & 1u) != 0 ? result.lane[i] : d.lane[i];
}

// The lanes whose word is not zero.
inline Mask nonzero_lanes(const Lanes& lanes) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_load_si512(&lanes.lane[0]);
  const __m512i high = _mm512_load_si512(&lanes.lane[16]);
  return static_cast<Mask>(_mm512_test_epi32_mask(low, low)) |
         static_cast<Mask>(_mm512_test_epi32_mask(high, high)) << 16;
#else
  Mask mask = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) mask |= static_cast<Mask>(lanes.lane[i] != 0) << i;
  return mask;
#endif
}

// The lanes for which f(i) holds.
template <typename Function>
inline Mask lanes_where(Function f) {
  Lanes holds;
#pragma GCC ivdep
  for (unsigned i = 0; i < kWarpSize; ++i) holds.lane[i] = f(i) ? 1u : 0u;
  return nonzero_lanes(holds);
}

}  // namespace gvp::gpgpu::simt
