// SPDX-License-Identifier: Apache-2.0
// Bytes of a line that are to be written, as the accesses that a level takes: without the bytes
// between them.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "models/gpgpu/fault.h"

namespace gvp::gpgpu::hierarchy {

constexpr uint32_t kMostLineBytes = 256;
using LineBytes = std::bitset<kMostLineBytes>;

// The longest power of two that divides the address and fits; from a word on, all words.
inline uint32_t aligned_part(uint32_t address, uint32_t bytes) {
  uint32_t part = 1;
  while (part < 4 && address % (part * 2) == 0 && part * 2 <= bytes) part *= 2;
  return part == 4 ? bytes & ~3u : part;
}

// Calls write(offset, bytes) for each access, in the order of addresses, until one fails.
// address: of byte 0 of the line.
template <typename Write>
FaultCause write_runs(uint32_t address, const LineBytes& bytes, uint32_t line_bytes, Write write) {
  for (uint32_t i = 0; i < line_bytes;) {
    uint32_t run = 0;
    while (i + run < line_bytes && bytes[i + run]) ++run;
    for (const uint32_t end = i + run; i < end;) {
      const uint32_t part = aligned_part(address + i, end - i);
      const FaultCause cause = write(i, part);
      if (cause != FaultCause::kNone) return cause;
      i += part;
    }
    if (i < line_bytes && !bytes[i]) ++i;
  }
  return FaultCause::kNone;
}

}  // namespace gvp::gpgpu::hierarchy
