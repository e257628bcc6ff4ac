// SPDX-License-Identifier: Apache-2.0
// What everything in MIAOW2.0's compute unit costs, in its clock cycles.  Every field is the
// configuration key INSTANCE.timing.<field>.  Where a comment ends in
//   [m]  the number is measured on the published RTL, or follows from what is,
//   [a]  it is assumed, because no measurement tells.
// A vector operation goes through its unit in four beats of 16 lanes, each of which takes as long
// as its operation (the *_beat below); the unit takes vector_base besides.
#pragma once

#include <cstdint>

namespace gvp::gpgpu::miaow {

struct Timing {
  uint32_t launch = 7;  // start and end of a wavefront, together [m]

  // Scalar unit.
  uint32_t scalar = 7;            // [m]
  uint32_t branch_taken = 12;     // until the next instruction can be issued [m]
  uint32_t branch_not_taken = 7;  // [a]
  uint32_t issue = 3;             // between two issues of a wavefront: s_waitcnt [m], others [a]

  // Vector units.
  uint32_t vector_base = 3;            // and four beats [m]
  uint32_t vector_result = 4;          // more until a result can be used or written again [m]
  uint32_t integer_beat = 1;           // [m]
  uint32_t integer_multiply_beat = 3;  // [m]
  uint32_t float_compare_beat = 1;     // comparisons [m]; minimum, maximum [a]
  uint32_t convert_beat = 9;           // v_cvt_f32_u32 [m]; other conversions and rounding [a]
  uint32_t float_add_beat = 10;        // [m]
  uint32_t float_multiply_beat = 38;   // [m]
  uint32_t reciprocal_beat = 37;       // v_rcp_f32 [m]; roots, logarithms and the like [a]

  // Load-store unit: a word after the other.
  uint32_t memory_word = 3;      // of prefetch memory [m]; before and after one of the host's [a]
  uint32_t memory_load = 6;      // more for all words of a load [m]
  uint32_t memory_register = 1;  // more for each vector register but the first of a load [m]
  uint32_t memory_store = 8;     // more for all words of a store [m]
};

}  // namespace gvp::gpgpu::miaow
