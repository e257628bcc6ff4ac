// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/random_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <random>

namespace gvp::kcc {
namespace {

constexpr unsigned kIntegers = 8;    // %r0...: what expressions use
constexpr unsigned kFloats = 4;      // %f0...
constexpr unsigned kHalves = 3;      // %h0...: 16 bits
constexpr unsigned kPredicates = 6;  // %p0...
constexpr uint32_t kInputWords = 4;  // per thread
constexpr uint32_t kOutputWords = kIntegers + kFloats;
constexpr uint32_t kTableWords = 16;  // in constant memory

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  RandomKernel run() {
    RandomKernel result;
    result.grid.block_x = 1 + pick(3) * 31 + pick(40);
    result.grid.block_y = 1 + pick(2);
    result.grid.grid_x = 1 + pick(2);
    threads_ = result.grid.block_x * result.grid.block_y;
    const uint32_t all = threads_ * result.grid.grid_x;
    const uint32_t input = 256;
    const uint32_t output = input + all * kInputWords * 4;
    const auto uniform = static_cast<uint32_t>(random_());
    result.parameters = {input, output, uniform};
    result.memory.resize(output + all * kOutputWords * 4);
    for (uint32_t i = input; i < output; i += 4) {
      const uint32_t word = interesting();
      std::memcpy(&result.memory[i], &word, 4);
    }
    barriers_ = pick(2) == 0;
    begin();
    const unsigned count = 3 + pick(10);
    for (unsigned i = 0; i < count; ++i) statement(0, true);
    line("bra DONE;");
    end();
    result.ptx = text_;
    return result;
  }

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  uint32_t interesting() {
    switch (pick(6)) {
      case 0:
        return pick(16);
      case 1:
        return 0U - pick(16);
      case 2:
        return 0x3f800000U + (pick(0x2000) << 12);  // floats around one
      case 3:
        return 0x80000000U >> pick(3);
      case 4:
        return 1U << pick(32);
      default:
        return static_cast<uint32_t>(random_());
    }
  }

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  std::string r() { return fmt::format("%r{}", pick(kIntegers)); }
  std::string f() { return fmt::format("%f{}", pick(kFloats)); }
  std::string h() { return fmt::format("%h{}", pick(kHalves)); }
  std::string p() { return fmt::format("%p{}", pick(kPredicates)); }
  std::string constant() { return fmt::format("{}", static_cast<int32_t>(interesting())); }
  std::string source() { return pick(3) == 0 ? constant() : r(); }
  std::string float_source() {
    return pick(4) == 0 ? fmt::format("0f{:08X}", 0x3f000000U + (pick(0x400) << 14)) : f();
  }
  std::string half_source() { return pick(3) == 0 ? fmt::format("{}", pick(200)) : h(); }
  const char* choose(std::initializer_list<const char*> list) {
    return *(list.begin() + pick(static_cast<uint32_t>(list.size())));
  }
  std::string guard() {
    return pick(8) == 0 ? fmt::format("@{}{} ", pick(2) == 0 ? "!" : "", p()) : "";
  }
  std::string label() { return fmt::format("L{}", labels_++); }

  void begin() {
    text_ =
        ".version 3.2\n.target sm_20\n.address_size 32\n"
        ".const .align 4 .u32 table[16] = {";
    for (uint32_t i = 0; i < kTableWords; ++i) {
      text_ += fmt::format("{}{}", i == 0 ? "" : ", ", interesting());
    }
    text_ += fmt::format(
        "}};\n"
        ".func (.param .b32 result) mix(.param .b32 left, .param .b32 right)\n{{\n"
        "  .reg .b32 %a<5>;\n  .reg .pred %q;\n"
        "  ld.param.b32 %a1, [left];\n  ld.param.b32 %a2, [right];\n"
        "  xor.b32 %a3, %a1, {};\n  setp.lt.s32 %q, %a3, %a2;\n  @%q bra SMALL;\n"
        "  sub.s32 %a4, %a3, %a2;\n  st.param.b32 [result+0], %a4;\n  ret;\n"
        "SMALL:\n  add.s32 %a4, %a3, %a2;\n  st.param.b32 [result+0], %a4;\n  ret;\n}}\n"
        ".visible .entry k(.param .u32 in, .param .u32 out, .param .u32 uniform)\n{{\n"
        "  .reg .b32 %r<{}>;\n  .reg .f32 %f<{}>;\n  .reg .b16 %h<{}>;\n  .reg .pred %p<{}>;\n"
        "  .reg .b32 %t<20>;\n  .reg .b32 %count<8>;\n  .reg .pred %loop<8>;\n"
        "  .reg .f32 %s<4>;\n  .reg .pred %nan;\n"
        "  .shared .align 4 .b8 tile[{}];\n  .local .align 4 .b8 array[32];\n",
        interesting(), kIntegers, kFloats, kHalves, kPredicates, threads_ * 4);
    line("ld.param.u32 %t0, [in];");
    line("mov.u32 %t1, %tid.x; mov.u32 %t2, %tid.y; mov.u32 %t3, %ntid.x;");
    line("mad.lo.s32 %t4, %t2, %t3, %t1;");  // in the block
    line("mov.u32 %t5, %ctaid.x; mad.lo.s32 %t6, %t5, {}, %t4;", threads_);
    line("shl.b32 %t7, %t6, 4; add.s32 %t8, %t0, %t7;");
    if (pick(2) == 0) {
      line("ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%t8];");
    } else {
      for (unsigned i = 0; i < 4; ++i) line("ld.global.u32 %r{}, [%t8+{}];", i, 4 * i);
    }
    line("mov.u32 %r4, %t4; ld.param.u32 %r5, [uniform]; mov.u32 %r6, %t5; mov.u32 %r7, {};",
         constant());
    for (unsigned i = 0; i < kFloats; ++i) line("cvt.rn.f32.s32 %f{}, %r{};", i, i);
    for (unsigned i = 0; i < kHalves; ++i) line("cvt.u16.u32 %h{}, %r{};", i, i);
    for (unsigned i = 0; i < kPredicates; ++i) {
      line("setp.lt.s32 %p{}, %r{}, {};", i, pick(kIntegers), constant());
    }
    line("mov.u32 %t11, tile; shl.b32 %t12, %t4, 2; add.s32 %t12, %t11, %t12;");
    line("mov.u32 %t13, array; mov.u32 %t14, table;");
    for (unsigned i = 0; i < 8; ++i) line("st.local.u32 [array+{}], %r{};", 4 * i, i);
  }

  void end() {
    text_ += "DONE:\n";
    line("ld.param.u32 %t9, [out]; mad.lo.s32 %t10, %t6, {}, %t9;", kOutputWords * 4);
    for (unsigned i = 0; i < kIntegers; ++i) line("st.global.u32 [%t10+{}], %r{};", 4 * i, i);
    for (unsigned i = 0; i < kFloats; ++i) {
      canonical(i);
      line("st.global.f32 [%t10+{}], %f{};", 4 * (kIntegers + i), i);
    }
    text_ += "  ret;\n}\n";
  }

  // The bits of a NaN are nobody's business.
  void canonical(unsigned number) {
    line("setp.nan.f32 %nan, %f{}, %f{}; selp.f32 %f{}, 0f7FC00000, %f{}, %nan;", number, number,
         number, number);
  }

  void statement(unsigned depth, bool top) {
    const uint32_t kind = pick(top && barriers_ ? 22 : 20);
    if (kind < 7 || depth >= 3) return integer();
    if (kind < 10) return real();
    if (kind == 10) return half();
    if (kind < 13) return predicate();
    if (kind == 13) return memory();
    if (kind == 14) return conditional(depth);
    if (kind == 15) return loop(depth);
    if (kind == 16) return shared_arm(depth);
    if (kind == 17) return conversion();
    if (kind == 18) return call();
    if (kind == 19) return early_exit();
    exchange();
  }

  void statements(unsigned depth) {
    const unsigned count = 1 + pick(4);
    for (unsigned i = 0; i < count; ++i) statement(depth, false);
  }

  void integer() {
    const std::string g = guard();
    switch (pick(18)) {
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
      default:
        return line("{}add.s32 {}, {}, {};", g, r(), source(), source());
    }
  }

  void real() {
    const std::string g = guard();
    switch (pick(8)) {
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
      default:
        return line("{}selp.f32 {}, {}, {}, {};", g, f(), float_source(), f(), p());
    }
  }

  void half() {
    switch (pick(7)) {
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
      default:
        return line("{}.{} {}, {}, {};", choose({"min", "max"}), choose({"s16", "u16"}), h(), h(),
                    half_source());
    }
  }

  void predicate() {
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
        return line("{}setp.{}.u32 {}, {}, {};", guard(), choose({"lo", "ls", "hi", "hs", "lt"}),
                    p(), source(), r());
      default:
        return line("setp.{}.s32 {}, {}, {};", choose({"eq", "ne", "lt", "le", "gt", "ge"}), p(),
                    source(), r());
    }
  }

  void conversion() {
    switch (pick(10)) {
      case 0:
        return line("cvt.rzi.{}.f32 {}, {};", choose({"s32", "u32"}), r(), f());
      case 1:
        return line("cvt.{}.f32.{} {}, {};", choose({"rn", "rz"}), choose({"s32", "u32"}), f(),
                    r());
      case 2:
        return line("cvt.{}.f32.f32 {}, {};", choose({"rni", "rzi", "rmi", "rpi"}), f(), f());
      case 3:
        return line("cvt.u16.u32 {}, {};", h(), r());
      case 4:
        return line("cvt.{} {}, {};", choose({"u32.u16", "s32.s16"}), r(), h());
      case 5:
        return line("cvt.{} {}, {};", choose({"u32.u8", "s32.s8", "u8.u32", "s8.s32", "s16.s8"}),
                    r(), r());
      case 6:
        return line("cvt.sat.f32.f32 {}, {};", f(), f());
      case 7:
        return line("cvt.rn.f32.{} {}, {};", choose({"u16", "s16", "u8", "s8"}), f(), h());
      case 8:
        return line("mov.b32 {}, {};", f(), r());
      default: {
        const unsigned number = pick(kFloats);
        canonical(number);
        return line("mov.b32 {}, %f{};", r(), number);
      }
    }
  }

  void memory() {
    switch (pick(5)) {
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
        return line("and.b32 %t15, {}, 6; add.s32 %t15, %t13, %t15; ld.local.{} {}, [%t15+{}];",
                    r(), choose({"u8", "s8", "u16", "s16"}), r(), 2 * pick(8));
      default:
        return line("{}ld.global.{} {}, [%t8+{}];", guard(), choose({"u8", "s8", "u16", "s16"}),
                    r(), 2 * pick(8));
    }
  }

  void conditional(unsigned depth) {
    const std::string other = label();
    const std::string join = label();
    const bool both = pick(2) == 0;
    line("@{}{} bra {};", pick(2) == 0 ? "!" : "", p(), both ? other : join);
    statements(depth + 1);
    if (both) {
      line("bra {};", join);
      text_ += other + ":\n";
      statements(depth + 1);
    }
    text_ += join + ":\n";
  }

  void loop(unsigned depth) {
    const unsigned counter = depth;
    const std::string begin = label();
    const std::string out = label();
    const std::string next = label();
    line("and.b32 %count{}, {}, 7;", counter, r());
    text_ += begin + ":\n";
    statements(depth + 1);
    if (pick(2) == 0) line("@{} bra {};", p(), out);  // break
    if (pick(3) == 0) {
      line("@{} bra {};", p(), next);  // continue
      statements(depth + 1);
    }
    text_ += next + ":\n";
    line("sub.s32 %count{}, %count{}, 1; setp.gt.s32 %loop{}, %count{}, 0; @%loop{} bra {};",
         counter, counter, counter, counter, counter, begin);
    text_ += out + ":\n";
  }

  // An arm that is reached from two branches.
  void shared_arm(unsigned depth) {
    const std::string arm = label();
    const std::string join = label();
    line("@{} bra {};", p(), arm);
    statements(depth + 1);
    line("@{} bra {};", p(), arm);
    statements(depth + 1);
    line("bra {};", join);
    text_ += arm + ":\n";
    statements(depth + 1);
    text_ += join + ":\n";
  }

  void call() {
    line("{{ .param .b32 a0; .param .b32 a1; .param .b32 back;");
    line("st.param.b32 [a0+0], {}; st.param.b32 [a1+0], {};", r(), r());
    line("call.uni (back), mix, (a0, a1); ld.param.b32 {}, [back+0]; }}", r());
  }

  void early_exit() {
    if (pick(3) != 0) return integer();
    // Rarely true, so that most threads go on.
    // Threads that go around a barrier must have ended, or the kernel is undefined.
    const bool leaves = barriers_ || pick(2) == 0;
    line("and.b32 %t16, {}, 31; setp.eq.s32 %loop7, %t16, {}; @%loop7 {};", r(), pick(32),
         leaves ? "ret" : "bra DONE");
  }

  // Through shared memory, between barriers.
  void exchange() {
    line("st.shared.u32 [%t12], {}; bar.sync 0;", r());
    line("add.s32 %t15, %t4, {}; rem.u32 %t15, %t15, {}; shl.b32 %t15, %t15, 2;", pick(64),
         threads_);
    line("add.s32 %t15, %t11, %t15; ld.shared.{} {}, [%t15]; bar.sync 0;",
         choose({"u32", "u32", "u8", "s8", "u16", "s16"}), r());
  }

  std::mt19937 random_;
  std::string text_;
  unsigned labels_ = 0;
  uint32_t threads_ = 0;
  bool barriers_ = false;
};

}  // namespace

RandomKernel random_kernel(uint32_t seed) { return Generator(seed).run(); }

}  // namespace gvp::kcc
