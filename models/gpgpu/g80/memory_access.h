// SPDX-License-Identifier: Apache-2.0
// Accesses of a whole warp to a stretch of memory, in 8 to 128 bits: what s[], c[], l[] and g[]
// have in common.  An access is checked for all its lanes before the first byte moves, so a
// faulting instruction has no effect.  Lanes store in ascending order: of two that write the same
// byte, the higher one wins.
//
// The common patterns of a full warp (consecutive words, one word for all) need no gathering.
#pragma once

#include <cstring>

#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {

using simt::Lanes;
using simt::Mask;

inline uint32_t read_extended(const uint8_t* from, Type access) {
  switch (access) {
    case Type::kU8:
      return *from;
    case Type::kS8:
      return static_cast<uint32_t>(static_cast<int8_t>(*from));
    case Type::kU16:
    case Type::kB16: {
      uint16_t half;
      std::memcpy(&half, from, sizeof half);
      return half;
    }
    case Type::kS16: {
      int16_t half;
      std::memcpy(&half, from, sizeof half);
      return static_cast<uint32_t>(half);
    }
    default: {
      uint32_t word;
      std::memcpy(&word, from, sizeof word);
      return word;
    }
  }
}

// A stretch of memory as an instruction sees it: addresses are relative to it.
struct Space {
  uint8_t* data;
  uint64_t bytes;
  FaultCause out_of_range;
};

// False, with the fault recorded, unless every lane's access is aligned and inside.
inline bool check(Warp& warp, const Op& op, Mask lanes, const Lanes& addresses, unsigned bytes,
                  uint64_t space_bytes, FaultCause out_of_range) {
  // Spaces are smaller than 2^32 bytes, so the last valid address fits a word.
  const uint32_t end = space_bytes >= bytes ? static_cast<uint32_t>(space_bytes - bytes) : 0;
  const Mask outside = space_bytes < bytes ? lanes : lanes & simt::lanes_where([&](unsigned i) {
                                                       return addresses.lane[i] > end;
                                                     });
  const uint32_t low_bits = bytes - 1;
  const Mask misaligned =
      lanes & simt::lanes_where([&](unsigned i) { return (addresses.lane[i] & low_bits) != 0; });
  const Mask bad = outside | misaligned;
  if (bad == 0) return true;
  const unsigned lane = simt::first_lane(bad);
  const bool is_misaligned = (misaligned >> lane & 1u) != 0;
  fault(warp, op, is_misaligned ? FaultCause::kMisaligned : out_of_range, lane,
        addresses.lane[lane]);
  return false;
}

// One 32-bit word per lane: the access that matters for speed.  True when done (or faulted).
inline bool load_pattern(Lanes& words, const Lanes& addresses, const Space& space) {
  const uint32_t first = addresses.lane[0];
  if (first % 4 != 0) return false;
  switch (simt::pattern_of(addresses)) {
    case simt::Pattern::kConsecutiveWords:
      if (uint64_t{first} + sizeof(Lanes) > space.bytes) return false;
      std::memcpy(&words, space.data + first, sizeof(Lanes));
      return true;
    case simt::Pattern::kUniform: {
      if (uint64_t{first} + sizeof(uint32_t) > space.bytes) return false;
      uint32_t word;
      std::memcpy(&word, space.data + first, sizeof word);
      simt::for_lanes(words, simt::kAllLanes, [word](unsigned) { return word; });
      return true;
    }
    case simt::Pattern::kScattered:
      break;
  }
  return false;
}

// Bytes and halves, out of the words around them; the space is a whole number of words.
inline void load_narrow(Lanes& values, Mask lanes, const Lanes& addresses, Type access,
                        const Space& space) {
  Lanes around;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) around.lane[i] = addresses.lane[i] & ~3u;
  simt::gather_words(values, lanes, space.data, around);
  const unsigned bits = 8 * type_bytes(access);
  const unsigned to_top = 32 - bits;
  const bool is_signed = access == Type::kS8 || access == Type::kS16;
  simt::for_lanes(values, lanes, [&](unsigned i) {
    const uint32_t shifted = values.lane[i] >> (addresses.lane[i] & 3u) * 8 << to_top;
    return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(shifted) >> to_top)
                     : shifted >> to_top;
  });
}

inline void load(Warp& warp, const Op& op, Mask lanes, Lanes& words, const Lanes& addresses,
                 Type access, const Space& space) {
  const unsigned bytes = type_bytes(access);
  if (bytes == 4 && lanes == simt::kAllLanes && load_pattern(words, addresses, space)) return;
  if (!check(warp, op, lanes, addresses, bytes, space.bytes, space.out_of_range)) return;
  if (bytes == 4) {
    simt::gather_words(words, lanes, space.data, addresses);
    return;
  }
  if (space.bytes % 4 == 0) {
    load_narrow(words, lanes, addresses, access, space);
    return;
  }
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    words.lane[i] = read_extended(space.data + addresses.lane[i], access);
  }
}

inline void store(Warp& warp, const Op& op, Mask lanes, const Lanes& words, unsigned shift,
                  const Lanes& addresses, unsigned bytes, const Space& space) {
  if (bytes == 4 && lanes == simt::kAllLanes && addresses.lane[0] % 4 == 0 &&
      uint64_t{addresses.lane[0]} + sizeof(Lanes) <= space.bytes &&
      simt::pattern_of(addresses) == simt::Pattern::kConsecutiveWords) {
    std::memcpy(space.data + addresses.lane[0], &words, sizeof(Lanes));
    return;
  }
  if (!check(warp, op, lanes, addresses, bytes, space.bytes, space.out_of_range)) return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint32_t word = words.lane[i] >> shift;
    std::memcpy(space.data + addresses.lane[i], &word, bytes);
  }
}

// One lane's access to memory that has been checked.
inline void load_lane(Warp& warp, const Op& op, unsigned lane, const uint8_t* from,
                      unsigned bytes) {
  if (bytes <= 4) {
    destination(warp, op).lane[lane] = read_extended(from, op.memory.access);
    return;
  }
  for (unsigned word = 0; word * 4 < bytes; ++word)
    std::memcpy(&warp.rows[op.wide[word]].lane[lane], from + 4 * word, 4);
}

inline void store_lane(const Warp& warp, const Op& op, unsigned lane, uint8_t* to, unsigned bytes) {
  if (bytes <= 4) {
    const uint32_t word = warp.rows[op.a].lane[lane] >> op.shift_a;
    std::memcpy(to, &word, bytes);
    return;
  }
  for (unsigned word = 0; word * 4 < bytes; ++word)
    std::memcpy(to + 4 * word, &warp.rows[op.wide[word]].lane[lane], 4);
}

}  // namespace gvp::gpgpu::g80
