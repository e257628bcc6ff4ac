// SPDX-License-Identifier: Apache-2.0
// Between 16-bit and 32-bit floats, as bits.  Denormals of 16 bits are kept.
#pragma once

#include <cstdint>

namespace gvp::gpgpu::southern_islands {

enum class HalfRounding : uint8_t { kNearestEven, kTowardsZero };

uint32_t half_from_float(uint32_t bits, HalfRounding rounding);
uint32_t float_from_half(uint32_t bits);

}  // namespace gvp::gpgpu::southern_islands
