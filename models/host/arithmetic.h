// SPDX-License-Identifier: Apache-2.0
// The less obvious arithmetic of the instruction set (UG984 chapter 5), and casts for the rest.
#pragma once

#include <cstdint>

namespace gvp::host {

inline int32_t as_signed(uint32_t value) { return static_cast<int32_t>(value); }
inline uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
inline uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

// The most significant bit of cmp and cmpu tells whether rA is greater than rB.
inline uint32_t with_sign(uint32_t value, bool greater) {
  return (value & 0x7fffffffu) | (greater ? 0x80000000u : 0u);
}

inline uint32_t first_equal_byte(uint32_t a, uint32_t b) {
  const uint32_t difference = a ^ b;
  for (unsigned i = 0; i < 4; ++i)
    if ((difference >> (24 - 8 * i) & 0xff) == 0) return i + 1;
  return 0;
}

inline uint32_t extract_field(uint32_t value, uint32_t word) {
  const uint32_t width = (word >> 6) & 31;
  return (value >> (word & 31)) & ((1u << width) - 1);
}

inline uint32_t insert_field(uint32_t old, uint32_t value, uint32_t word) {
  const uint32_t shift = word & 31;
  const uint32_t last = (word >> 6) & 31;
  if (last < shift) return old;  // undefined in UG984: nothing happens
  const uint32_t mask = low(((uint64_t{1} << (last + 1)) - 1) & ~((uint64_t{1} << shift) - 1));
  return (old & ~mask) | ((value << shift) & mask);
}

}  // namespace gvp::host
