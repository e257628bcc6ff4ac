// SPDX-License-Identifier: Apache-2.0
// Bytes of a line that are to be written, as what a level takes: one request with strobes, or an
// access for each run, without the bytes between them.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "models/gpgpu/fault.h"

namespace gvp::gpgpu::hierarchy {

constexpr uint32_t kMostLineBytes = 256;
using LineBytes = std::bitset<kMostLineBytes>;

// Of the bytes of a request those that it changes; strobes null: all.
inline uint32_t changed_bytes(uint32_t bytes, const LineBytes* strobes) {
  return strobes == nullptr ? bytes : static_cast<uint32_t>(strobes->count());
}

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

// Calls write(offset, bytes, strobes) once, or never where no byte is to be written: the words from
// the first to the last of them, strobe 0 being that of the byte at offset; without strobes (null)
// where one aligned access has them all.  address: of byte 0 of the line, which is a word's.
template <typename Write>
FaultCause write_at_once(uint32_t address, const LineBytes& bytes, uint32_t line_bytes,
                         Write write) {
  if (bytes.none()) return FaultCause::kNone;
  uint32_t first = 0;
  while (!bytes[first]) ++first;
  uint32_t last = line_bytes - 1;
  while (!bytes[last]) --last;
  const uint32_t all = last - first + 1;
  if (bytes.count() == all && aligned_part(address + first, all) == all)
    return write(first, all, nullptr);
  const uint32_t begin = first & ~3u;
  const LineBytes strobes = bytes >> begin;
  return write(begin, std::min(line_bytes, (last | 3u) + 1) - begin, &strobes);
}

}  // namespace gvp::gpgpu::hierarchy
