// SPDX-License-Identifier: Apache-2.0
// Thirty-two lanes at once: masks, and the loops that apply one operation to a whole warp.  A
// register of a warp is one row of 32 words (structure of arrays), so that a compiler turns each
// loop here into a few vector instructions.  Results under a partial mask are loaded, blended
// and stored whole: masked stores are slower on the machines this was measured on.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

// Before a loop over lanes: one lane's result does not depend on another's.  Clang has no such
// pragma that does not also demand what it cannot always do.
#if defined(__clang__)
#define GVP_EACH_LANE
#else
#define GVP_EACH_LANE _Pragma("GCC ivdep")
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
    GVP_EACH_LANE
    for (unsigned i = 0; i < kWarpSize; ++i) d.lane[i] = f(i);
    return;
  }
  Lanes result;
  GVP_EACH_LANE
  for (unsigned i = 0; i < kWarpSize; ++i) result.lane[i] = f(i);
  GVP_EACH_LANE
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
  GVP_EACH_LANE
  for (unsigned i = 0; i < kWarpSize; ++i) holds.lane[i] = f(i) ? 1u : 0u;
  return nonzero_lanes(holds);
}

// word[i] = the 32-bit word at base + offsets[i] bytes, in the lanes of the mask; offsets below
// 2^31.
inline void gather_words(Lanes& words, Mask mask, const uint8_t* base, const Lanes& offsets) {
#if defined(__AVX512F__)
  for (unsigned half = 0; half < kWarpSize; half += 16) {
    const __m512i index = _mm512_load_si512(&offsets.lane[half]);
    const __m512i old = _mm512_load_si512(&words.lane[half]);
    const auto lanes = static_cast<__mmask16>(mask >> half);
    _mm512_store_si512(&words.lane[half], _mm512_mask_i32gather_epi32(old, lanes, index, base, 1));
  }
#else
  for (unsigned i = 0; i < kWarpSize; ++i)
    if ((mask >> i & 1u) != 0)
      std::memcpy(&words.lane[i], base + offsets.lane[i], sizeof(uint32_t));
#endif
}

// How the lanes of an address row relate, for the accesses that need no gathering.
enum class Pattern : uint8_t { kScattered, kConsecutiveWords, kUniform };
inline Pattern pattern_of(const Lanes& addresses) {
  const uint32_t first = addresses.lane[0];
  Lanes uneven;
  Lanes different;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    different.lane[i] = addresses.lane[i] ^ first;
    uneven.lane[i] = (addresses.lane[i] - first) ^ (4 * i);
  }
  if (nonzero_lanes(uneven) == 0) return Pattern::kConsecutiveWords;
  return nonzero_lanes(different) == 0 ? Pattern::kUniform : Pattern::kScattered;
}

}  // namespace gvp::gpgpu::simt
