// SPDX-License-Identifier: Apache-2.0
// Integer functions, the bits of floats, fences and the clock.
#pragma once

KCC_DEVICE void __threadfence() { __nvvm_membar_gl(); }
KCC_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
KCC_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }

KCC_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
KCC_DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
KCC_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
KCC_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
KCC_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
KCC_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}

KCC_DEVICE int abs(int a) { return a < 0 ? -a : a; }
KCC_DEVICE int min(int a, int b) { return a < b ? a : b; }
KCC_DEVICE int max(int a, int b) { return a > b ? a : b; }
KCC_DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
KCC_DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
KCC_DEVICE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
KCC_DEVICE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
KCC_DEVICE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
KCC_DEVICE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
KCC_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
KCC_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }

// Bits: routines of 6 to 60 instructions on this machine.
KCC_DEVICE int __popc(unsigned a) { return __builtin_popcount(a); }
KCC_DEVICE int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
KCC_DEVICE int __ffs(int a) { return __builtin_ffs(a); }
KCC_DEVICE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
KCC_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return __nvvm_prmt(a, b, selector);
}

KCC_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
KCC_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
KCC_DEVICE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
KCC_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
