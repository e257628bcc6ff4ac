// SPDX-License-Identifier: Apache-2.0
// Cutting a transfer into the bursts that AXI allows (IHI 0022, A3.4.1): no burst crosses a
// 4 KiB boundary or has more beats than the protocol or the target takes.  Bytes throughout.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gvp::axi {

inline constexpr uint64_t kBoundary = 4096;
inline constexpr unsigned kMaximumBeats = 256;  // INCR, A3.4.1

// Beats that [address, address + bytes) takes on a bus of beat_bytes (a power of two).
inline unsigned beats_of(uint64_t address, uint64_t bytes, unsigned beat_bytes) {
  const uint64_t first = address / beat_bytes;
  const uint64_t last = (address + bytes - 1) / beat_bytes;
  return static_cast<unsigned>(last - first + 1);
}

// Length of the first burst of such a transfer.
inline uint64_t first_burst(uint64_t address, uint64_t bytes, unsigned beat_bytes,
                            unsigned maximum_beats = kMaximumBeats) {
  const uint64_t to_boundary = kBoundary - address % kBoundary;
  const uint64_t beats = uint64_t{maximum_beats} * beat_bytes - address % beat_bytes;
  return std::min({bytes, to_boundary, beats});
}

}  // namespace gvp::axi
