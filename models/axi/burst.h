// SPDX-License-Identifier: Apache-2.0
// Cutting a transfer into the bursts that AXI allows (IHI 0022, A3.4.1): no burst crosses a
// 4 KiB boundary or has more beats than the protocol or the target takes.  Bytes throughout.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gvp::axi {

inline constexpr uint64_t kBoundary = 4096;
inline constexpr unsigned kMaximumBeats = 256;      // INCR, A3.4.1
inline constexpr unsigned kMaximumFixedBeats = 16;  // FIXED, A3.4.1

// Beats that [address, address + bytes) takes on a bus of beat_bytes (a power of two).
inline unsigned beats_of(uint64_t address, uint64_t bytes, unsigned beat_bytes) {
  const auto shift = static_cast<unsigned>(__builtin_ctz(beat_bytes));
  const uint64_t first = address >> shift;
  const uint64_t last = (address + bytes - 1) >> shift;
  return static_cast<unsigned>(last - first + 1);
}

// Length of the first burst of such a transfer.
inline uint64_t first_burst(uint64_t address, uint64_t bytes, unsigned beat_bytes,
                            unsigned maximum_beats = kMaximumBeats) {
  const uint64_t to_boundary = kBoundary - address % kBoundary;
  const uint64_t beats = uint64_t{maximum_beats} * beat_bytes - (address & (beat_bytes - 1));
  return std::min({bytes, to_boundary, beats});
}

// Whether a streaming transfer, whose address starts over every `round` bytes, can go in FIXED
// bursts of beats of `round` bytes.
inline bool can_be_fixed(uint64_t address, uint64_t round, unsigned beat_bytes) {
  return (round & (round - 1)) == 0 && round <= beat_bytes && address % round == 0;
}

// Beats of a transfer at a port; round: as above, 0 for one that does not stream.
inline unsigned beats_of(uint64_t address, uint64_t bytes, uint64_t round, unsigned beat_bytes) {
  if (round == 0) return beats_of(address, bytes, beat_bytes);
  const auto rounds = static_cast<unsigned>((bytes + round - 1) / round);
  return rounds * beats_of(address, round, beat_bytes);
}

// Length of the next burst of a streaming transfer that stands `at` bytes into a round, at this
// address: whole rounds as a FIXED burst, else what is left of the round as an incrementing one.
inline uint64_t first_streaming_burst(uint64_t address, uint64_t bytes, uint64_t round, uint64_t at,
                                      unsigned beat_bytes, unsigned maximum_beats) {
  if (at == 0 && bytes >= round && can_be_fixed(address, round, beat_bytes))
    return std::min<uint64_t>(bytes / round, std::min(maximum_beats, kMaximumFixedBeats)) * round;
  return first_burst(address, std::min(bytes, round - at), beat_bytes, maximum_beats);
}

}  // namespace gvp::axi
