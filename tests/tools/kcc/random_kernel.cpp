// SPDX-License-Identifier: Apache-2.0
// The kernel around its statements: declarations, inputs and outputs, control flow, barriers.
#include "tests/tools/kcc/random_kernel.h"

#include <cstring>

#include "tests/tools/kcc/random_kernel_generator.h"

namespace gvp::kcc {

RandomKernel RandomKernelGenerator::run() {
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

void RandomKernelGenerator::begin() {
  text_ =
      ".version 3.2\n.target sm_20\n.address_size 32\n"
      ".const .align 4 .u32 table[16] = {";
  for (uint32_t i = 0; i < kTableWords; ++i) {
    text_ += fmt::format("{}{}", i == 0 ? "" : ", ", interesting());
  }
  text_ += fmt::format(
      "}};\n"
      ".func (.param .b32 result) mix(.param .b32 left, .param .b32 right){}\n{{\n"
      "  .reg .b32 %a<5>;\n  .reg .pred %q;\n"
      "  ld.param.b32 %a1, [left];\n  ld.param.b32 %a2, [right];\n"
      "  xor.b32 %a3, %a1, {};\n  setp.lt.s32 %q, %a3, %a2;\n  @%q bra SMALL;\n"
      "  sub.s32 %a4, %a3, %a2;\n  st.param.b32 [result+0], %a4;\n  ret;\n"
      "SMALL:\n  add.s32 %a4, %a3, %a2;\n  st.param.b32 [result+0], %a4;\n  ret;\n}}\n"
      ".visible .entry k(.param .u32 in, .param .u32 out, .param .u32 uniform)\n{{\n"
      "  .reg .b32 %r<{}>;\n  .reg .f32 %f<{}>;\n  .reg .b16 %h<{}>;\n  .reg .pred %p<{}>;\n"
      "  .reg .b32 %t<20>;\n  .reg .b32 %count<8>;\n  .reg .b32 %v<{}>;\n  .reg .pred %loop<8>;\n"
      "  .reg .f32 %s<4>;\n  .reg .pred %nan;\n"
      "  .shared .align 4 .b8 tile[{}];\n  .local .align 4 .b8 array[32];\n",
      pick(2) == 0 ? " .noinline" : "", interesting(), kIntegers, kFloats, kHalves, kPredicates,
      kFresh, threads_ * 4);
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

void RandomKernelGenerator::end() {
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
void RandomKernelGenerator::canonical(unsigned number) {
  line("setp.nan.f32 %nan, %f{}, %f{}; selp.f32 %f{}, 0f7FC00000, %f{}, %nan;", number, number,
       number, number);
}

void RandomKernelGenerator::statement(unsigned depth, bool top) {
  const uint32_t kind = pick(top && barriers_ ? 26 : 24);
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
  if (kind == 20 || kind == 21) return bits();
  if (kind == 22) return halving();
  if (kind == 23) return halving_loop(depth);
  exchange();
}

void RandomKernelGenerator::statements(unsigned depth) {
  const unsigned count = 1 + pick(4);
  for (unsigned i = 0; i < count; ++i) statement(depth, false);
}

void RandomKernelGenerator::conditional(unsigned depth) {
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

void RandomKernelGenerator::loop(unsigned depth) {
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
  line("sub.s32 %count{}, %count{}, 1; setp.gt.s32 %loop{}, %count{}, 0; @%loop{} bra {};", counter,
       counter, counter, counter, counter, begin);
  text_ += out + ":\n";
}

// A loop that tests what it has halved, before the shift or behind it.
void RandomKernelGenerator::halving_loop(unsigned depth) {
  const std::string number = fresh();
  const std::string half = fresh();
  const std::string begin = label();
  const std::string out = label();
  const char* type = choose({"s32", "u32"});
  const unsigned shift = 1 + pick(3);
  line("and.b32 {}, {}, {};", half, r(), pick(2) == 0 ? 255 : 0x7fffffff);
  text_ += begin + ":\n";
  line("mov.u32 {0}, {1}; shr.{2} {1}, {0}, {3};", number, half, type, shift);
  statements(depth + 1);
  line("add.s32 {}, {}, {};", r(), r(), half);
  if (pick(3) == 0) line("@{} bra {};", p(), out);
  const uint32_t limit = ((1 + pick(3)) << shift) - pick(2);
  const std::string& tested = pick(4) == 0 ? half : number;
  line("setp.{}.{} %loop{}, {}, {};", choose({"gt", "ge"}), type, depth, tested, limit);
  line("@%loop{} bra {};", depth, begin);
  text_ += out + ":\n";
}

// An arm that is reached from two branches.
void RandomKernelGenerator::shared_arm(unsigned depth) {
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

void RandomKernelGenerator::call() {
  line("{{ .param .b32 a0; .param .b32 a1; .param .b32 back;");
  line("st.param.b32 [a0+0], {}; st.param.b32 [a1+0], {};", r(), r());
  line("call.uni (back), mix, (a0, a1); ld.param.b32 {}, [back+0]; }}", r());
}

void RandomKernelGenerator::early_exit() {
  if (pick(3) != 0) return integer();
  // Rarely true, so that most threads go on.
  // Threads that go around a barrier must have ended, or the kernel is undefined.
  const bool leaves = barriers_ || pick(2) == 0;
  line("and.b32 %t16, {}, 31; setp.eq.s32 %loop7, %t16, {}; @%loop7 {};", r(), pick(32),
       leaves ? "ret" : "bra DONE");
}

// Through shared memory, between barriers.
void RandomKernelGenerator::exchange() {
  line("st.shared.u32 [%t12], {}; bar.sync 0;", r());
  line("add.s32 %t15, %t4, {}; rem.u32 %t15, %t15, {}; shl.b32 %t15, %t15, 2;", pick(64), threads_);
  line("add.s32 %t15, %t11, %t15; ld.shared.{} {}, [%t15]; bar.sync 0;",
       choose({"u32", "u32", "u8", "s8", "u16", "s16"}), r());
}

RandomKernel random_kernel(uint32_t seed) { return RandomKernelGenerator(seed).run(); }

}  // namespace gvp::kcc
