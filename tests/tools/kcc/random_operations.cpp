// SPDX-License-Identifier: Apache-2.0
// Random operations without control flow.
#include "tests/tools/kcc/random_kernel_generator.h"

namespace gvp::kcc {

void RandomKernelGenerator::integer() {
  const std::string g = guard();
  switch (pick(24)) {
    case 0:
      return line("{}mad.lo.{} {}, {}, {}, {};", g, choose({"s32", "u32"}), r(), r(), source(),
                  source());
    case 1:
      return line("{}mul.lo.{} {}, {}, {};", g, choose({"s32", "u32"}), r(), r(), source());
    case 2:
      return line("{}mul.hi.{} {}, {}, {};", g, choose({"s32", "u32"}), r(), r(), source());
    case 3:
      return line("{}{}.{} {}, {}, {};", g, choose({"mul24.lo", "mul24.hi"}),
                  choose({"s32", "u32"}), r(), r(), source());
    case 4:
      return line("{}{}.b32 {}, {}, {};", g, choose({"and", "or", "xor"}), r(), r(), source());
    case 5:
      return line("{}{}.{} {}, {}, {};", g, choose({"min", "max"}), choose({"s32", "u32"}), r(),
                  r(), source());
    case 6:
      return line("{}shl.b32 {}, {}, {};", g, r(), source(),
                  pick(2) == 0 ? fmt::format("{}", pick(40)) : r());
    case 7:
      return line("{}shr.{} {}, {}, {};", g, choose({"s32", "u32", "b32"}), r(), r(),
                  pick(2) == 0 ? fmt::format("{}", pick(40)) : r());
    case 8:
      return line("{}{}.s32 {}, {};", g, choose({"neg", "abs"}), r(), r());
    case 9:
      return line("{}not.b32 {}, {};", g, r(), r());
    case 10: {
      line("or.b32 %t15, {}, 1;", r());
      return line("{}{}.{} {}, {}, %t15;", g, choose({"div", "rem"}), choose({"s32", "u32"}), r(),
                  source());
    }
    case 11:
      return line("{}selp.b32 {}, {}, {}, {};", g, r(), source(), source(), p());
    case 12:
      return line("{}bfe.{} {}, {}, {}, {};", g, choose({"s32", "u32"}), r(), r(), pick(33),
                  pick(34));
    case 13:
      return line("{}sad.{} {}, {}, {}, {};", g, choose({"s32", "u32"}), r(), r(), r(), r());
    case 14:
      return line("{}set.{}.u32.{} {}, {}, {};", g, choose({"eq", "ne", "lt", "ge"}),
                  choose({"s32", "u32"}), r(), r(), source());
    case 15:
      return line("{}slct.b32.s32 {}, {}, {}, {};", g, r(), source(), source(), r());
    case 16:
      return line("{}sub.s32 {}, {}, {};", g, r(), source(), source());
    case 17:
      return line("{}{}.{} {}, {}, {}, {};", g, choose({"mad24.lo", "mad24.hi", "mad.hi"}),
                  choose({"s32", "u32"}), r(), source(), source(), source());
    case 18:
      return line("{}mad24.hi.sat.s32 {}, {}, {}, {};", g, r(), r(), source(), source());
    case 19:
      return line("{}{}.sat.s32 {}, {}, {};", g, choose({"add", "sub"}), r(), source(), source());
    case 20:
      return line("{}cnot.b32 {}, {};", g, r(), r());
    case 21:
      return line("{}slct.b32.f32 {}, {}, {}, {};", g, r(), source(), source(), f());
    case 22:
      return line("{}set.{}.u32.f32 {}, {}, {};", g, choose({"eq", "neu", "lt", "geu"}), r(), f(),
                  float_source());
    default:
      return line("{}add.s32 {}, {}, {};", g, r(), source(), source());
  }
}

void RandomKernelGenerator::bits() {
  const std::string g = guard();
  switch (pick(6)) {
    case 0:
      return line("{}{}.b32 {}, {};", g, choose({"popc", "clz", "brev"}), r(), r());
    case 1:
      return line("{}bfi.b32 {}, {}, {}, {}, {};", g, r(), source(), source(), pick(40), r());
    case 2:
      line("and.b32 %t15, {}, 63;", r());
      return line("{}bfi.b32 {}, {}, {}, %t15, {};", g, r(), r(), r(), pick(40));
    case 3:
      line("and.b32 %t15, {}, 63;", r());
      return line("{}bfe.{} {}, {}, {}, %t15;", g, choose({"s32", "u32"}), r(), r(), pick(40));
    case 4:
      return line("{}bfe.{} {}, {}, {}, {};", g, choose({"s32", "u32"}), r(), source(), r(), r());
    default:
      return line("{}prmt.b32 {}, {}, {}, {};", g, r(), r(), source(), source());
  }
}

void RandomKernelGenerator::real() {
  const std::string g = guard();
  switch (pick(11)) {
    case 0:
      return line("{}add.f32 {}, {}, {};", g, f(), f(), float_source());
    case 1:
      return line("{}sub.f32 {}, {}, {};", g, f(), float_source(), float_source());
    case 2:
      return line("{}mul.f32 {}, {}, {};", g, f(), f(), float_source());
    case 3:
      return line("{}fma.rn.f32 {}, {}, {}, {};", g, f(), f(), float_source(), float_source());
    case 4:
      return line("{}{}.f32 {}, {};", g, choose({"neg", "abs"}), f(), f());
    case 5:
      // Which zero a minimum of zeros is, is open.
      line("{}.f32 %s0, {}, {};", choose({"min", "max"}), f(), float_source());
      return line("add.f32 {}, %s0, 0f00000000;", f());
    case 6:
      return line("{}{}.rz.f32 {}, {}, {};", g, choose({"add", "mul"}), f(), f(), f());
    case 7:
      return line("{}{}.sat.f32 {}, {}, {};", g, choose({"add", "sub", "mul"}), f(), f(),
                  float_source());
    case 8:
      return line("{}mad.sat.f32 {}, {}, {}, {};", g, f(), f(), float_source(), f());
    case 9:
      return line("{}set.{}.f32.s32 {}, {}, {};", g, choose({"eq", "ne", "lt", "ge"}), f(), r(),
                  source());
    default:
      return line("{}selp.f32 {}, {}, {}, {};", g, f(), float_source(), f(), p());
  }
}

void RandomKernelGenerator::half() {
  switch (pick(14)) {
    case 0:
      return line("{}.{} {}, {}, {};", choose({"add", "sub", "mul.lo"}), choose({"s16", "u16"}),
                  h(), h(), half_source());
    case 1:
      return line("{}.b16 {}, {}, {};", choose({"and", "or", "xor"}), h(), h(), half_source());
    case 2:
      return line("shr.{} {}, {}, {};", choose({"s16", "u16"}), h(), h(), pick(20));
    case 3:
      return line("shl.b16 {}, {}, {};", h(), h(), pick(20));
    case 4:
      return line("mul.wide.{} {}, {}, {};", choose({"s16", "u16"}), r(), h(), half_source());
    case 5:
      return line("setp.{}.{} {}, {}, {};", choose({"eq", "ne", "lt", "ge"}),
                  choose({"s16", "u16"}), p(), h(), half_source());
    case 6:
      return line("{}.{} {}, {}, {}, {};", choose({"mad.lo", "mad.hi"}), choose({"s16", "u16"}),
                  h(), h(), half_source(), half_source());
    case 7:
      return line("mad.wide.{} {}, {}, {}, {};", choose({"s16", "u16"}), r(), h(), half_source(),
                  source());
    case 8:
      return line("mul.hi.{} {}, {}, {};", choose({"s16", "u16"}), h(), h(), half_source());
    case 9:
      return line("{}.s16 {}, {};", choose({"neg", "abs"}), h(), h());
    case 10:
      return line("{}.b16 {}, {};", choose({"not", "cnot"}), h(), h());
    case 11:
      return line("sad.{} {}, {}, {}, {};", choose({"s16", "u16"}), h(), h(), half_source(), h());
    case 12:
      return line("selp.b16 {}, {}, {}, {};", h(), half_source(), h(), p());
    default:
      return line("{}.{} {}, {}, {};", choose({"min", "max"}), choose({"s16", "u16"}), h(), h(),
                  half_source());
  }
}

// A number and what is left of it after a shift, with a comparison of either at a limit that is a
// multiple of the power or next to one; what lies between them may change either.
void RandomKernelGenerator::halving() {
  const std::string number = fresh();
  const std::string shifted = fresh();
  const std::string g = guard();
  const unsigned count = 1 + pick(pick(3) == 0 ? 31 : 3);
  const char* type = choose({"s32", "u32"});
  line("mov.u32 {}, {}; mov.u32 {}, {};", number, r(), shifted, r());
  line("{}shr.{} {}, {}, {};", g, type, shifted, number, count);
  if (pick(4) == 0) line("{}add.s32 {}, {}, {};", guard(), shifted, shifted, source());
  if (pick(4) == 0) line("{}mov.u32 {}, {};", guard(), number, source());
  const uint32_t limit = ((interesting() >> count) << count) + pick(3) - 1;
  line("{}setp.{}.{} {}, {}, {};", guard(), choose({"lt", "le", "gt", "ge", "eq"}),
       pick(4) == 0 ? "s32" : type, p(), number, static_cast<int32_t>(limit));
  line("xor.b32 {}, {}, {};", r(), r(), shifted);
}

void RandomKernelGenerator::predicate() {
  switch (pick(6)) {
    case 0:
      return line("{}.pred {}, {}, {};", choose({"and", "or", "xor"}), p(), p(), p());
    case 1:
      return line("not.pred {}, {};", p(), p());
    case 2:
      return line("setp.{}.f32 {}, {}, {};",
                  choose({"eq", "ne", "lt", "le", "gt", "ge", "ltu", "neu", "num", "nan", "geu"}),
                  p(), f(), float_source());
    case 3:
      return line("setp.{}.{}.s32 {}, {}, {}, {}{};", choose({"eq", "lt", "ge"}),
                  choose({"and", "or", "xor"}), p(), r(), source(), pick(2) == 0 ? "!" : "", p());
    case 4:
      return line("{}setp.{}.u32 {}, {}, {};", guard(), choose({"lo", "ls", "hi", "hs", "lt"}), p(),
                  source(), r());
    default:
      return line("setp.{}.s32 {}, {}, {};", choose({"eq", "ne", "lt", "le", "gt", "ge"}), p(),
                  source(), r());
  }
}

void RandomKernelGenerator::conversion() {
  switch (pick(12)) {
    case 0:
      return line("cvt.rzi.{}.f32 {}, {};", choose({"s32", "u32"}), r(), f());
    case 1:
      return line("cvt.{}.f32.{} {}, {};", choose({"rn", "rz"}), choose({"s32", "u32"}), f(), r());
    case 2:
      return line("cvt.{}.f32.f32 {}, {};", choose({"rni", "rzi", "rmi", "rpi"}), f(), f());
    case 3:
      return line("cvt.u16.u32 {}, {};", h(), r());
    case 4:
      return line("cvt.{} {}, {};", choose({"u32.u16", "s32.s16"}), r(), h());
    case 5:
      return line("cvt.{} {}, {};", choose({"u32.u8", "s32.s8", "u8.u32", "s8.s32", "s16.s8"}), r(),
                  r());
    case 6:
      return line("cvt.sat.f32.f32 {}, {};", f(), f());
    case 7:
      return line("cvt.rn.f32.{} {}, {};", choose({"u16", "s16", "u8", "s8"}), f(), h());
    case 8:
      return line("mov.b32 {}, {};", f(), r());
    case 9:
      return line("cvt.sat.{}.{} {}, {};", choose({"u8", "s8", "u16", "s16", "u32", "s32"}),
                  choose({"u8", "s8", "u32", "s32"}), r(), r());
    case 10:
      return line("cvt.sat.{}.{} {}, {};", choose({"u8", "s8", "u16", "s16"}),
                  choose({"u16", "s16"}), h(), h());
    default: {
      const unsigned number = pick(kFloats);
      canonical(number);
      return line("mov.b32 {}, %f{};", r(), number);
    }
  }
}

void RandomKernelGenerator::memory() {
  switch (pick(7)) {
    case 0:
      return line(
          "and.b32 %t15, {}, 15; shl.b32 %t15, %t15, 2; add.s32 %t15, %t14, %t15; ld.const.u32 "
          "{}, [%t15];",
          r(), r());
    case 1:
      return line("ld.const.{} {}, [table+{}];", choose({"u8", "s8", "u16", "s16"}), r(),
                  2 * pick(30));
    case 2:
      return line(
          "and.b32 %t15, {}, 7; shl.b32 %t15, %t15, 2; add.s32 %t15, %t13, %t15; st.local.u32 "
          "[%t15], {};",
          r(), r());
    case 3:
      return line("and.b32 %t15, {}, 6; add.s32 %t15, %t13, %t15; ld.local.{} {}, [%t15+{}];", r(),
                  choose({"u8", "s8", "u16", "s16"}), r(), 2 * pick(8));
    case 4:
      return line("{}ld.global.{} [%t8+{}];", guard(),
                  pick(2) == 0 ? fmt::format("v2.u32 {{{}, {}}},", r(), r())
                               : fmt::format("v2.f32 {{{}, {}}},", f(), f()),
                  8 * pick(2));
    case 5:
      line("and.b32 %t15, {}, 3; shl.b32 %t15, %t15, 1; add.s32 %t15, %t13, %t15;", r());
      return line("st.local.u8 [%t15+{}], {};", 1 + pick(20), r());
    default:
      return line("{}ld.global.{} {}, [%t8+{}];", guard(), choose({"u8", "s8", "u16", "s16"}), r(),
                  2 * pick(8));
  }
}

}  // namespace gvp::kcc
