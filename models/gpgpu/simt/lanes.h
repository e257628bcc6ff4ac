// SPDX-License-Identifier: Apache-2.0
// All lanes of a warp at once: masks, and the loops that apply one operation to a whole warp.  A
// register of a warp is one row of words (structure of arrays), so that a compiler turns each loop
// here into a few vector instructions.  Results under a partial mask are loaded, blended and
// stored whole: masked stores are slower on the machines this was measured on.  Where instructions
// are named they take 256 bits, as compilers do by themselves: a load of 512 bits that were just
// stored in two halves waits until these have got to the cache.
//
// How many lanes a warp has is an instruction set's affair: everything is there for 32 and for 64,
// as a template argument, so that neither pays for the other.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/gpgpu/simt/warp_size.h"

#if defined(__AVX512VL__)
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

// The mask of a warp of so many lanes; bit i: lane i.
template <unsigned kWidth>
struct MaskFor;
template <>
struct MaskFor<32> {
  using Type = uint32_t;
};
template <>
struct MaskFor<64> {
  using Type = uint64_t;
};
template <unsigned kWidth>
using MaskOf = typename MaskFor<kWidth>::Type;
template <unsigned kWidth>
inline constexpr MaskOf<kWidth> kAllLanesOf = ~MaskOf<kWidth>{0};

template <unsigned kWidth>
inline constexpr MaskOf<kWidth> first_lanes_of(unsigned count) {
  return count >= kWidth ? kAllLanesOf<kWidth> : (MaskOf<kWidth>{1} << count) - 1;
}
inline unsigned count_lanes(uint32_t mask) {
  return static_cast<unsigned>(__builtin_popcount(mask));
}
inline unsigned count_lanes(uint64_t mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}
// Of a mask that is not empty.
inline unsigned first_lane(uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }
inline unsigned first_lane(uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

template <unsigned kWidth>
struct alignas(64) LanesOf {
  uint32_t lane[kWidth];
  uint32_t& operator[](unsigned i) { return lane[i]; }
  uint32_t operator[](unsigned i) const { return lane[i]; }
};

// d[i] = f(i) in the lanes of the mask.  f may read the row d itself, but only lane i of it.
template <unsigned kWidth, typename Function>
inline void for_lanes(LanesOf<kWidth>& d, MaskOf<kWidth> mask, Function f) {
  if (mask == kAllLanesOf<kWidth>) {
    GVP_EACH_LANE
    for (unsigned i = 0; i < kWidth; ++i) d.lane[i] = f(i);
    return;
  }
  LanesOf<kWidth> result;
  GVP_EACH_LANE
  for (unsigned i = 0; i < kWidth; ++i) result.lane[i] = f(i);
  GVP_EACH_LANE
  for (unsigned i = 0; i < kWidth; ++i)
    d.lane[i] = (mask >> i & 1u) != 0 ? result.lane[i] : d.lane[i];
}

// The lanes whose word is not zero.
template <unsigned kWidth>
inline MaskOf<kWidth> nonzero_lanes(const LanesOf<kWidth>& lanes) {
  MaskOf<kWidth> mask = 0;
#if defined(__AVX512VL__)
  for (unsigned part = 0; part < kWidth; part += 8) {
    const __m256i words = _mm256_load_si256(reinterpret_cast<const __m256i*>(&lanes.lane[part]));
    mask |= static_cast<MaskOf<kWidth>>(_mm256_test_epi32_mask(words, words)) << part;
  }
#else
  for (unsigned i = 0; i < kWidth; ++i)
    mask |= static_cast<MaskOf<kWidth>>(lanes.lane[i] != 0) << i;
#endif
  return mask;
}

// The lanes for which f(i) holds.
template <unsigned kWidth, typename Function>
inline MaskOf<kWidth> lanes_where(Function f) {
  LanesOf<kWidth> holds;
  GVP_EACH_LANE
  for (unsigned i = 0; i < kWidth; ++i) holds.lane[i] = f(i) ? 1u : 0u;
  return nonzero_lanes(holds);
}

// word[i] = the 32-bit word at base + offsets[i] bytes, in the lanes of the mask; offsets below
// 2^31.
template <unsigned kWidth>
inline void gather_words(LanesOf<kWidth>& words, MaskOf<kWidth> mask, const uint8_t* base,
                         const LanesOf<kWidth>& offsets) {
#if defined(__AVX512VL__)
  for (unsigned part = 0; part < kWidth; part += 8) {
    const auto* const index = reinterpret_cast<const __m256i*>(&offsets.lane[part]);
    auto* const row = reinterpret_cast<__m256i*>(&words.lane[part]);
    const auto lanes = static_cast<__mmask8>(mask >> part);
    _mm256_store_si256(row, _mm256_mmask_i32gather_epi32(_mm256_load_si256(row), lanes,
                                                         _mm256_load_si256(index), base, 1));
  }
#else
  for (unsigned i = 0; i < kWidth; ++i)
    if ((mask >> i & 1u) != 0)
      std::memcpy(&words.lane[i], base + offsets.lane[i], sizeof(uint32_t));
#endif
}

// How the lanes of an address row relate, for the accesses that need no gathering.
enum class Pattern : uint8_t { kScattered, kConsecutiveWords, kUniform };
template <unsigned kWidth>
inline Pattern pattern_of(const LanesOf<kWidth>& addresses) {
  const uint32_t first = addresses.lane[0];
  LanesOf<kWidth> uneven;
  LanesOf<kWidth> different;
  for (unsigned i = 0; i < kWidth; ++i) {
    different.lane[i] = addresses.lane[i] ^ first;
    uneven.lane[i] = (addresses.lane[i] - first) ^ (4 * i);
  }
  if (nonzero_lanes(uneven) == 0) return Pattern::kConsecutiveWords;
  return nonzero_lanes(different) == 0 ? Pattern::kUniform : Pattern::kScattered;
}

// The usual width goes by short names.
using Mask = MaskOf<kWarpSize>;
using Lanes = LanesOf<kWarpSize>;
constexpr Mask kAllLanes = kAllLanesOf<kWarpSize>;
inline constexpr Mask first_lanes(unsigned count) { return first_lanes_of<kWarpSize>(count); }
template <typename Function>
inline Mask lanes_where(Function f) {
  return lanes_where<kWarpSize>(f);
}

}  // namespace gvp::gpgpu::simt
