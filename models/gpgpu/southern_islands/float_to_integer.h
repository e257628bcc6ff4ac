// SPDX-License-Identifier: Apache-2.0
// Floats of any size to integers: towards zero, held within their range; a NaN is 0.  Internal to
// the Southern Islands library.
#pragma once

#include <cstdint>
#include <limits>

namespace gvp::gpgpu::southern_islands {

inline uint32_t to_unsigned(double value) {
  if (!(value > 0.0)) return 0;
  return value >= 4294967295.0 ? ~0u : static_cast<uint32_t>(value);
}
inline int32_t to_signed(double value) {
  if (value != value) return 0;
  if (value >= 2147483647.0) return std::numeric_limits<int32_t>::max();
  return value <= -2147483648.0 ? std::numeric_limits<int32_t>::min() : static_cast<int32_t>(value);
}

}  // namespace gvp::gpgpu::southern_islands
