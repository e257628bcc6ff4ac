// SPDX-License-Identifier: Apache-2.0
// The special function unit of sm_10 on bit patterns: reciprocal, inverse square root, base-2
// logarithm, and sine, cosine and base-2 exponential behind their range reduction (docs/g80.md,
// "Floating point").  How NVIDIA's unit rounds is not published.  The reciprocal is the nearest
// float; the others come from polynomials whose error is below 2^-50 of the result and are rounded
// once, so that they are the nearest float but where two are almost as near.  All of it is integer
// arithmetic (special_function_tables.h), the same in the RTL
// (rtl/flexgrip/flexgrip_special_pkg.sv). Denormal operands and results are zero.
//
// Reduced operands have sign, 7 integer and 23 fraction bits: bit 31 sign, bits 29:0 magnitude;
// bit 30 marks what is no number (0x40000000 NaN, 0x40800000 infinity).
#pragma once

#include <cstdint>

namespace gvp::gpgpu::g80 {

uint32_t reciprocal(uint32_t bits);
uint32_t reciprocal_sqrt(uint32_t bits);
uint32_t log2(uint32_t bits);

// Range reduction: a float to quarter turns modulo 4, and to powers of two.
uint32_t reduce_for_sine(uint32_t bits);
uint32_t reduce_for_exp2(uint32_t bits);
// Of reduced operands.
uint32_t sine(uint32_t reduced);
uint32_t cosine(uint32_t reduced);
uint32_t exp2(uint32_t reduced);

}  // namespace gvp::gpgpu::g80
