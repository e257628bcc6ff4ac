// SPDX-License-Identifier: Apache-2.0
// The routines of kcc's library, in PTX.
#pragma once

namespace gvp::kcc::g80 {

inline constexpr const char* kLibraryText = R"(
// Unsigned division as NVIDIA's compiler does it on sm_10 (docs/kcc.md, "Division"): two estimates
// from a reciprocal that is rounded down, then one correction.  Exact for every pair as long as
// the reciprocal is off by at most one unit.  Division by zero gives ~0.
.func (.reg .u32 %q) __kcc_div_u32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .f32 %f<6>;
  .reg .u32 %r<8>;
  .reg .pred %p<3>;
  cvt.rn.f32.u32 %f1, %b;
  rcp.approx.f32 %f2, %f1;
  mov.b32 %r1, %f2;
  add.u32 %r1, %r1, -2;
  mov.b32 %f3, %r1;
  cvt.rz.f32.u32 %f4, %a;
  mul.rz.f32 %f4, %f4, %f3;
  cvt.rzi.u32.f32 %r2, %f4;
  mul.lo.u32 %r3, %r2, %b;
  sub.u32 %r3, %a, %r3;
  cvt.rz.f32.u32 %f5, %r3;
  mul.rz.f32 %f5, %f5, %f3;
  cvt.rzi.u32.f32 %r4, %f5;
  add.u32 %r5, %r2, %r4;
  mul.lo.u32 %r6, %r5, %b;
  sub.u32 %r6, %a, %r6;
  setp.ge.u32 %p1, %r6, %b;
  selp.b32 %r7, 1, 0, %p1;
  add.u32 %q, %r5, %r7;
  setp.eq.u32 %p2, %b, 0;
  @%p2 mov.u32 %q, 4294967295;
  ret;
}
.func (.reg .u32 %m) __kcc_rem_u32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<3>;
  call.uni (%r1), __kcc_div_u32, (%a, %b);
  mul.lo.u32 %r2, %r1, %b;
  sub.u32 %m, %a, %r2;
  ret;
}
.func (.reg .u32 %q) __kcc_div_s32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<7>;
  abs.s32 %r1, %a;
  abs.s32 %r2, %b;
  call.uni (%r3), __kcc_div_u32, (%r1, %r2);
  xor.b32 %r4, %a, %b;
  shr.s32 %r4, %r4, 31;
  add.u32 %r5, %r3, %r4;
  xor.b32 %q, %r5, %r4;
  ret;
}
.func (.reg .u32 %m) __kcc_rem_s32(.reg .u32 %a, .reg .u32 %b)
{
  .reg .u32 %r<7>;
  abs.s32 %r1, %a;
  abs.s32 %r2, %b;
  call.uni (%r3), __kcc_rem_u32, (%r1, %r2);
  shr.s32 %r4, %a, 31;
  add.u32 %r5, %r3, %r4;
  xor.b32 %m, %r5, %r4;
  ret;
}
.func (.reg .f32 %q) __kcc_div_f32(.reg .f32 %a, .reg .f32 %b)
{
  .reg .f32 %f<6>;
  .reg .pred %p<2>;
  abs.f32 %f1, %b;
  setp.gt.f32 %p1, %f1, 0f7E800000;
  mov.f32 %f2, %a;
  mov.f32 %f3, %b;
  @%p1 mul.f32 %f2, %f2, 0f3E800000;
  @%p1 mul.f32 %f3, %f3, 0f3E800000;
  rcp.approx.f32 %f4, %f3;
  mul.f32 %q, %f2, %f4;
  ret;
}
// Counting and moving bits.
.func (.reg .u32 %d) __kcc_popc(.reg .u32 %a)
{
  .reg .u32 %r<4>;
  shr.u32 %r1, %a, 1;
  and.b32 %r1, %r1, 0x55555555;
  sub.u32 %r1, %a, %r1;
  shr.u32 %r2, %r1, 2;
  and.b32 %r2, %r2, 0x33333333;
  and.b32 %r1, %r1, 0x33333333;
  add.u32 %r1, %r1, %r2;
  shr.u32 %r2, %r1, 4;
  add.u32 %r1, %r1, %r2;
  and.b32 %r1, %r1, 0x0f0f0f0f;
  shr.u32 %r2, %r1, 8;
  add.u32 %r1, %r1, %r2;
  shr.u32 %r2, %r1, 16;
  add.u32 %r1, %r1, %r2;
  and.b32 %d, %r1, 0x3f;
  ret;
}
// The exponent of the number, rounded towards zero; that of zero is 0, which the minimum mends.
.func (.reg .u32 %d) __kcc_clz(.reg .u32 %a)
{
  .reg .u32 %r<2>;
  .reg .f32 %f<2>;
  cvt.rz.f32.u32 %f1, %a;
  mov.b32 %r1, %f1;
  shr.u32 %r1, %r1, 23;
  sub.u32 %r1, 158, %r1;
  min.u32 %d, %r1, 32;
  ret;
}
.func (.reg .u32 %s) __kcc_swap(.reg .u32 %a, .reg .u32 %mask, .reg .u32 %n)
{
  .reg .u32 %r<3>;
  shr.u32 %r1, %a, %n;
  and.b32 %r1, %r1, %mask;
  and.b32 %r2, %a, %mask;
  shl.b32 %r2, %r2, %n;
  or.b32 %s, %r1, %r2;
  ret;
}
.func (.reg .u32 %d) __kcc_brev(.reg .u32 %a)
{
  .reg .u32 %r<6>;
  call.uni (%r1), __kcc_swap, (%a, 0x55555555, 1);
  call.uni (%r2), __kcc_swap, (%r1, 0x33333333, 2);
  call.uni (%r3), __kcc_swap, (%r2, 0x0f0f0f0f, 4);
  call.uni (%r4), __kcc_swap, (%r3, 0x00ff00ff, 8);
  shr.u32 %r5, %r4, 16;
  shl.b32 %r4, %r4, 16;
  or.b32 %d, %r4, %r5;
  ret;
}
// Shifts by 32 and more give zero, so that fields beyond the word take care of themselves.
.func (.reg .u32 %mask) __kcc_low_bits(.reg .u32 %length)
{
  .reg .u32 %r<2>;
  and.b32 %r1, %length, 0xff;
  shl.b32 %r1, 1, %r1;
  sub.u32 %mask, %r1, 1;
  ret;
}
.func (.reg .u32 %d) __kcc_bfi(.reg .u32 %a, .reg .u32 %b, .reg .u32 %begin, .reg .u32 %length)
{
  .reg .u32 %r<5>;
  call.uni (%r1), __kcc_low_bits, (%length);
  and.b32 %r2, %begin, 0xff;
  shl.b32 %r1, %r1, %r2;
  shl.b32 %r3, %a, %r2;
  xor.b32 %r3, %r3, %b;
  and.b32 %r3, %r3, %r1;
  xor.b32 %d, %r3, %b;
  ret;
}
.func (.reg .u32 %d) __kcc_bfe_u32(.reg .u32 %a, .reg .u32 %begin, .reg .u32 %length)
{
  .reg .u32 %r<3>;
  call.uni (%r1), __kcc_low_bits, (%length);
  and.b32 %r2, %begin, 0xff;
  shr.u32 %r2, %a, %r2;
  and.b32 %d, %r2, %r1;
  ret;
}
// The field moves to the top and back; bits beyond the word are its sign.
.func (.reg .u32 %d) __kcc_bfe_s32(.reg .u32 %a, .reg .u32 %begin, .reg .u32 %length)
{
  .reg .u32 %r<4>;
  .reg .pred %p<2>;
  and.b32 %r1, %begin, 0xff;
  shr.s32 %r1, %a, %r1;
  and.b32 %r2, %length, 0xff;
  sub.u32 %r3, 32, %r2;
  max.s32 %r3, %r3, 0;
  shl.b32 %r1, %r1, %r3;
  shr.s32 %r1, %r1, %r3;
  setp.eq.u32 %p1, %r2, 0;
  selp.b32 %d, 0, %r1, %p1;
  ret;
}
// One byte of the eight of %a and %b; bit 3 of the selector asks for its sign, repeated.
.func (.reg .u32 %d) __kcc_byte(.reg .u32 %a, .reg .u32 %b, .reg .u32 %selector)
{
  .reg .u32 %r<6>;
  .reg .pred %p<3>;
  and.b32 %r1, %selector, 4;
  setp.ne.u32 %p1, %r1, 0;
  selp.b32 %r2, %b, %a, %p1;
  and.b32 %r3, %selector, 3;
  shl.b32 %r3, %r3, 3;
  shr.u32 %r2, %r2, %r3;
  shl.b32 %r4, %r2, 24;
  shr.s32 %r4, %r4, 31;
  and.b32 %r5, %selector, 8;
  setp.ne.u32 %p2, %r5, 0;
  selp.b32 %r2, %r4, %r2, %p2;
  and.b32 %d, %r2, 0xff;
  ret;
}
.func (.reg .u32 %d) __kcc_prmt(.reg .u32 %a, .reg .u32 %b, .reg .u32 %selector)
{
  .reg .u32 %r<8>;
  call.uni (%r1), __kcc_byte, (%a, %b, %selector);
  shr.u32 %r2, %selector, 4;
  call.uni (%r3), __kcc_byte, (%a, %b, %r2);
  shl.b32 %r3, %r3, 8;
  or.b32 %r1, %r1, %r3;
  shr.u32 %r4, %selector, 8;
  call.uni (%r5), __kcc_byte, (%a, %b, %r4);
  shl.b32 %r5, %r5, 16;
  or.b32 %r1, %r1, %r5;
  shr.u32 %r6, %selector, 12;
  call.uni (%r7), __kcc_byte, (%a, %b, %r6);
  shl.b32 %r7, %r7, 24;
  or.b32 %d, %r1, %r7;
  ret;
}
// 64-bit integers.  Division is one bit at a time, but for words; the sum of remainder and bit may
// leave 64 bits, which the bit that goes out tells.
.func (.reg .u64 %q, .reg .u64 %m) __kcc_divide_u64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %d<5>;
  .reg .u32 %r<12>;
  .reg .pred %p<4>;
  mov.b64 {%r1, %r2}, %a;
  mov.b64 {%r3, %r4}, %b;
  or.b32 %r5, %r2, %r4;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra long;
  call.uni (%r6), __kcc_div_u32, (%r1, %r3);
  mul.lo.u32 %r7, %r6, %r3;
  sub.u32 %r7, %r1, %r7;
  mov.u32 %r8, 0;
  mov.b64 %q, {%r6, %r8};
  mov.b64 %m, {%r7, %r8};
  bra done;
long:
  mov.u64 %d1, %a;
  mov.u64 %d2, 0;
  mov.u32 %r9, 64;
loop:
  mov.b64 {%r1, %r2}, %d1;
  mov.b64 {%r3, %r4}, %d2;
  shr.u32 %r10, %r4, 31;
  shr.u32 %r11, %r2, 31;
  shl.b64 %d2, %d2, 1;
  mov.b64 {%r3, %r4}, %d2;
  or.b32 %r3, %r3, %r11;
  mov.b64 %d2, {%r3, %r4};
  shl.b64 %d1, %d1, 1;
  set.ge.u32.u64 %r11, %d2, %b;
  or.b32 %r10, %r10, %r11;
  setp.eq.u32 %p2, %r10, 0;
  @%p2 bra less;
  sub.u64 %d2, %d2, %b;
  or.b64 %d1, %d1, 1;
less:
  sub.u32 %r9, %r9, 1;
  setp.ne.u32 %p3, %r9, 0;
  @%p3 bra loop;
  mov.u64 %q, %d1;
  mov.u64 %m, %d2;
done:
  ret;
}
.func (.reg .u64 %q) __kcc_div_u64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %m;
  call.uni (%q, %m), __kcc_divide_u64, (%a, %b);
  ret;
}
.func (.reg .u64 %m) __kcc_rem_u64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %q;
  call.uni (%q, %m), __kcc_divide_u64, (%a, %b);
  ret;
}
.func (.reg .u64 %q) __kcc_div_s64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %d<8>;
  abs.s64 %d1, %a;
  abs.s64 %d2, %b;
  call.uni (%d3, %d4), __kcc_divide_u64, (%d1, %d2);
  xor.b64 %d5, %a, %b;
  shr.s64 %d5, %d5, 63;
  xor.b64 %d6, %d3, %d5;
  sub.u64 %q, %d6, %d5;
  ret;
}
.func (.reg .u64 %m) __kcc_rem_s64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %d<8>;
  abs.s64 %d1, %a;
  abs.s64 %d2, %b;
  call.uni (%d3, %d4), __kcc_divide_u64, (%d1, %d2);
  shr.s64 %d5, %a, 63;
  xor.b64 %d6, %d4, %d5;
  sub.u64 %m, %d6, %d5;
  ret;
}
// The upper half of a product, from products of words.
.func (.reg .u64 %h) __kcc_high_u64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %d<9>;
  .reg .u32 %r<9>;
  mov.b64 {%r1, %r2}, %a;
  mov.b64 {%r3, %r4}, %b;
  mul.hi.u32 %r5, %r1, %r3;
  mul.wide.u32 %d1, %r1, %r4;
  cvt.u64.u32 %d2, %r5;
  add.u64 %d1, %d1, %d2;
  mov.b64 {%r6, %r7}, %d1;
  mul.wide.u32 %d3, %r2, %r3;
  cvt.u64.u32 %d4, %r6;
  add.u64 %d3, %d3, %d4;
  mov.b64 {%r6, %r8}, %d3;
  mul.wide.u32 %d5, %r2, %r4;
  cvt.u64.u32 %d6, %r7;
  cvt.u64.u32 %d7, %r8;
  add.u64 %d5, %d5, %d6;
  add.u64 %h, %d5, %d7;
  ret;
}
.func (.reg .u64 %h) __kcc_high_s64(.reg .u64 %a, .reg .u64 %b)
{
  .reg .u64 %d<6>;
  call.uni (%d1), __kcc_high_u64, (%a, %b);
  shr.s64 %d2, %a, 63;
  and.b64 %d2, %d2, %b;
  shr.s64 %d3, %b, 63;
  and.b64 %d3, %d3, %a;
  sub.u64 %d1, %d1, %d2;
  sub.u64 %h, %d1, %d3;
  ret;
}
.func (.reg .u32 %d) __kcc_popc_64(.reg .u64 %a)
{
  .reg .u32 %r<5>;
  mov.b64 {%r1, %r2}, %a;
  call.uni (%r3), __kcc_popc, (%r1);
  call.uni (%r4), __kcc_popc, (%r2);
  add.u32 %d, %r3, %r4;
  ret;
}
.func (.reg .u32 %d) __kcc_clz_64(.reg .u64 %a)
{
  .reg .u32 %r<6>;
  .reg .pred %p<2>;
  mov.b64 {%r1, %r2}, %a;
  setp.eq.u32 %p1, %r2, 0;
  selp.b32 %r3, %r1, %r2, %p1;
  selp.b32 %r4, 32, 0, %p1;
  call.uni (%r5), __kcc_clz, (%r3);
  add.u32 %d, %r4, %r5;
  ret;
}
.func (.reg .u64 %d) __kcc_brev_64(.reg .u64 %a)
{
  .reg .u32 %r<5>;
  mov.b64 {%r1, %r2}, %a;
  call.uni (%r3), __kcc_brev, (%r1);
  call.uni (%r4), __kcc_brev, (%r2);
  mov.b64 %d, {%r4, %r3};
  ret;
}
// To a float: the uppermost 32 bits, of which the last says whether any below is set, so that they
// are rounded as the whole number would be.
.func (.reg .f32 %f) __kcc_float_u64(.reg .u64 %a)
{
  .reg .u64 %d<2>;
  .reg .u32 %r<8>;
  .reg .f32 %f<3>;
  .reg .pred %p<2>;
  call.uni (%r1), __kcc_clz_64, (%a);
  shl.b64 %d1, %a, %r1;
  mov.b64 {%r2, %r3}, %d1;
  set.ne.u32.u32 %r4, %r2, 0;
  and.b32 %r4, %r4, 1;
  or.b32 %r3, %r3, %r4;
  cvt.rn.f32.u32 %f1, %r3;
  sub.u32 %r5, 159, %r1;
  shl.b32 %r5, %r5, 23;
  mov.b32 %f2, %r5;
  mul.f32 %f, %f1, %f2;
  ret;
}
.func (.reg .f32 %f) __kcc_float_s64(.reg .u64 %a)
{
  .reg .u64 %d<2>;
  .reg .u32 %r<5>;
  .reg .f32 %f<2>;
  abs.s64 %d1, %a;
  call.uni (%f1), __kcc_float_u64, (%d1);
  mov.b64 {%r1, %r2}, %a;
  and.b32 %r2, %r2, 0x80000000;
  mov.b32 %r3, %f1;
  or.b32 %r3, %r3, %r2;
  mov.b32 %f, %r3;
  ret;
}
// From a float, towards zero: the mantissa, shifted.  What does not fit becomes the nearest number
// that does; a NaN 0.
.func (.reg .u64 %d) __kcc_magnitude(.reg .f32 %f, .reg .u32 %limit)
{
  .reg .u64 %d<4>;
  .reg .u32 %r<8>;
  .reg .pred %p<3>;
  mov.b32 %r1, %f;
  shr.u32 %r2, %r1, 23;
  and.b32 %r2, %r2, 0xff;
  and.b32 %r3, %r1, 0x7fffff;
  or.b32 %r3, %r3, 0x800000;
  sub.u32 %r4, 150, %r2;
  shr.u32 %r5, %r3, %r4;
  sub.u32 %r6, %r2, 150;
  cvt.u64.u32 %d1, %r3;
  shl.b64 %d1, %d1, %r6;
  cvt.u64.u32 %d2, %r5;
  setp.lt.u32 %p1, %r2, 151;
  selp.b64 %d3, %d2, %d1, %p1;
  setp.ge.u32 %p2, %r2, %limit;
  selp.b64 %d, -1, %d3, %p2;
  ret;
}
.func (.reg .u64 %d) __kcc_u64_float(.reg .f32 %f)
{
  .reg .u64 %d<2>;
  .reg .pred %p<2>;
  call.uni (%d1), __kcc_magnitude, (%f, 191);
  setp.gt.f32 %p1, %f, 0f00000000;
  selp.b64 %d, %d1, 0, %p1;
  ret;
}
.func (.reg .u64 %d) __kcc_s64_float(.reg .f32 %f)
{
  .reg .u64 %d<6>;
  .reg .u32 %r<2>;
  .reg .pred %p<4>;
  call.uni (%d1), __kcc_magnitude, (%f, 190);
  setp.lt.s64 %p1, %d1, 0;
  setp.lt.f32 %p2, %f, 0f00000000;
  neg.s64 %d2, %d1;
  selp.b64 %d3, 0x8000000000000000, %d2, %p1;
  selp.b64 %d4, 0x7fffffffffffffff, %d1, %p1;
  selp.b64 %d5, %d3, %d4, %p2;
  setp.nan.f32 %p3, %f, %f;
  selp.b64 %d, 0, %d5, %p3;
  ret;
}
// Doubles in memory, word by word.  To a float: to nearest, beyond its range infinity, below zero.
.func (.reg .f32 %f) __kcc_double_to_float(.reg .u32 %low, .reg .u32 %high)
{
  .reg .u32 %r<14>;
  .reg .pred %p<5>;
  and.b32 %r1, %high, 0x80000000;
  and.b32 %r2, %high, 0x7fffffff;
  shr.u32 %r3, %r2, 20;
  shl.b32 %r4, %r2, 3;
  shr.u32 %r5, %low, 29;
  or.b32 %r4, %r4, %r5;
  sub.u32 %r4, %r4, 0xc0000000;
  shl.b32 %r6, %low, 3;
  and.b32 %r7, %r4, 1;
  set.ne.u32.u32 %r8, %r6, 0x80000000;
  and.b32 %r8, %r8, 1;
  or.b32 %r7, %r7, %r8;
  shr.u32 %r9, %r6, 31;
  and.b32 %r7, %r7, %r9;
  add.u32 %r10, %r4, %r7;
  setp.lt.u32 %p1, %r3, 897;
  selp.b32 %r10, 0, %r10, %p1;
  setp.gt.u32 %p2, %r3, 1150;
  selp.b32 %r10, 0x7f800000, %r10, %p2;
  and.b32 %r11, %high, 0xfffff;
  or.b32 %r11, %r11, %low;
  setp.ne.u32 %p3, %r11, 0;
  setp.eq.and.u32 %p4, %r3, 2047, %p3;
  selp.b32 %r10, 0x7fffffff, %r10, %p4;
  or.b32 %r12, %r10, %r1;
  mov.b32 %f, %r12;
  ret;
}
.func (.reg .u32 %low, .reg .u32 %high) __kcc_float_to_double(.reg .f32 %f)
{
  .reg .u32 %r<9>;
  .reg .pred %p<3>;
  mov.b32 %r1, %f;
  and.b32 %r2, %r1, 0x80000000;
  and.b32 %r3, %r1, 0x7fffffff;
  shr.u32 %r4, %r3, 3;
  add.u32 %r5, %r4, 0x38000000;
  setp.ge.u32 %p1, %r3, 0x7f800000;
  or.b32 %r6, %r4, 0x7ff00000;
  selp.b32 %r5, %r6, %r5, %p1;
  shl.b32 %r7, %r1, 29;
  setp.lt.u32 %p2, %r3, 0x00800000;
  selp.b32 %r5, 0, %r5, %p2;
  selp.b32 %low, 0, %r7, %p2;
  or.b32 %high, %r5, %r2;
  ret;
}
)";

}  // namespace gvp::kcc::g80
