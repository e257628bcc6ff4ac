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
)";

}  // namespace gvp::kcc::g80
