// SPDX-License-Identifier: Apache-2.0
// Integer functions, the bits of floats, fences and the clock.
#pragma once

KCC_DEVICE void __threadfence() { __nvvm_membar_gl(); }
KCC_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
KCC_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }

KCC_DEVICE long long clock64() { return (unsigned)clock(); }
KCC_DEVICE int mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
KCC_DEVICE unsigned umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
KCC_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
KCC_DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
KCC_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
KCC_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
KCC_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
KCC_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
KCC_DEVICE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
KCC_DEVICE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
KCC_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
KCC_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
KCC_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
KCC_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}

KCC_DEVICE int abs(int a) { return a < 0 ? -a : a; }
KCC_DEVICE long abs(long a) { return a < 0 ? -a : a; }
KCC_DEVICE long long abs(long long a) { return a < 0 ? -a : a; }
KCC_DEVICE long labs(long a) { return abs(a); }
KCC_DEVICE long long llabs(long long a) { return abs(a); }
// Host code calls these, too.
#define KCC_ORDER(type)                                       \
  KCC_BOTH type min(type a, type b) { return a < b ? a : b; } \
  KCC_BOTH type max(type a, type b) { return a > b ? a : b; }
KCC_ORDER(int)
KCC_ORDER(unsigned)
KCC_ORDER(long)
KCC_ORDER(unsigned long)
KCC_ORDER(long long)
KCC_ORDER(unsigned long long)
#undef KCC_ORDER
KCC_BOTH unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
KCC_BOTH unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
KCC_BOTH unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
KCC_BOTH unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
KCC_BOTH unsigned umin(unsigned a, unsigned b) { return min(a, b); }
KCC_BOTH unsigned umax(unsigned a, unsigned b) { return max(a, b); }
KCC_BOTH long long llmin(long long a, long long b) { return min(a, b); }
KCC_BOTH long long llmax(long long a, long long b) { return max(a, b); }
KCC_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
KCC_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Bits: routines of 6 to 60 instructions on this machine.
KCC_DEVICE int __popc(unsigned a) { return __builtin_popcount(a); }
KCC_DEVICE int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
KCC_DEVICE int __ffs(int a) { return __builtin_ffs(a); }
KCC_DEVICE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
KCC_DEVICE int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
KCC_DEVICE int __ffsll(long long a) { return __builtin_ffsll(a); }
KCC_DEVICE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
KCC_DEVICE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
KCC_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return __nvvm_prmt(a, b, selector);
}

KCC_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
KCC_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
KCC_DEVICE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
KCC_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }

KCC_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
KCC_DEVICE void* memmove(void* to, const void* from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
KCC_DEVICE void* memset(void* to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
