// SPDX-License-Identifier: Apache-2.0
// Which byte lanes of the data each beat of a burst uses (IHI 0022 A3.4.1, A3.4.3): plain
// arithmetic. Addresses and widths are bytes.
#pragma once

#include <cstdint>

#include "models/axi/extension.h"

namespace gvp::axi::pins {

inline bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

struct Beats {
  uint64_t address;
  unsigned beats;
  unsigned bytes;  // of a beat, a power of two
  Burst type;
};

struct Lanes {
  uint64_t address;  // of the first byte
  unsigned first;    // lane
  unsigned count;
};

// beat counts from 0.  A beat that is wider than the data, which no rule allows, has all lanes.
inline Lanes lanes_of(const Beats& burst, unsigned beat, unsigned data_bytes) {
  const uint64_t aligned = burst.address - burst.address % burst.bytes;
  uint64_t address = burst.address;
  if (beat > 0 && burst.type != Burst::kFixed) {
    address = aligned + uint64_t{beat} * burst.bytes;
    if (burst.type == Burst::kWrapping) {
      const uint64_t total = uint64_t{burst.beats} * burst.bytes;
      const uint64_t base = burst.address - burst.address % total;
      address = base + (address - base) % total;
    }
  }
  const auto first = static_cast<unsigned>(address % data_bytes);
  const auto into_beat = static_cast<unsigned>(address % burst.bytes);
  const unsigned count = burst.bytes > data_bytes ? data_bytes - first : burst.bytes - into_beat;
  return {address, first, count};
}

}  // namespace gvp::axi::pins
