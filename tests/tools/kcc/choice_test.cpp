// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"
#include "tools/kcc/estimate.h"

namespace gvp::kcc {
namespace {

// A kernel whose loop adds up so many numbers more than it needs, before or in the loop.
struct Waste {
  unsigned before = 0;
  unsigned in_loop = 0;
};

std::string kernel(const std::string& name, const Waste& waste) {
  const auto sums = [](unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) text += "mad.lo.u32 %r2, %r2, %r1, %r0;\n";
    return text;
  };
  return ".entry " + name +
         " (.param .u32 p)\n{\n.reg .u32 %r<4>;\n.reg .pred %p<1>;\n"
         "ld.param.u32 %r0, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, %r0;\n" +
         sums(waste.before) + "again:\n" + sums(waste.in_loop) +
         "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, %r0;\n@%p0 bra again;\n"
         "st.global.u32 [%r0], %r2;\nexit;\n}\n";
}

std::string file(const std::string& kernels) { return ".version 1.4\n.target sm_10\n" + kernels; }

uint32_t instructions(const g80::Result& result, const std::string& name) {
  for (size_t i = 0; i < result.kernels.size(); ++i) {
    if (result.kernels[i].name != name) continue;
    EXPECT_EQ(result.module.kernels[i].name, name);
    return result.kernels[i].instructions;
  }
  ADD_FAILURE() << name;
  return 0;
}

g80::Result compiled(const std::string& first, const std::string& gentler) {
  FrontEndResult front;
  front.ptx = file(first);
  if (!gentler.empty()) front.gentler = file(gentler);
  return compile("k.ptx", front, {});
}

double estimate(const std::string& code) {
  return estimated_cycles(gpgpu::g80::assemble(code + "RET;\n", "test").kernels.front());
}

// docs/flexgrip-timing.md: reading g[] takes 21 cycles and 7 for each of eight lanes, in each of
// four rows; the first row waits for the mask, 2, and the predicate, 4 + 2 * 4.
TEST(Estimate, IsWhatTheDeviceTakes) {
  EXPECT_DOUBLE_EQ(estimate("GLD.U32 R0, global14[R1];\n") - estimate(""), 4 * (21 + 8 * 7) + 14);
  EXPECT_DOUBLE_EQ(estimate("FMAD R0, R1, R2, R0;\n") - estimate(""), 4 * 30 + 14);
}

TEST(Estimate, CountsALoopTenTimesAndWhatIsInTwoAHundredTimes) {
  const std::string sum = "IADD R0, R0, R1;\n";
  const auto loop = [](const std::string& label, const std::string& body) {
    return label + ":\n" + body + "BRA C0.NE, " + label + ";\n";
  };
  const double one = estimate(sum) - estimate("");
  EXPECT_DOUBLE_EQ(estimate(loop("a", sum)) - estimate(loop("a", "")), 10 * one);
  EXPECT_DOUBLE_EQ(
      estimate(loop("a", sum + loop("b", sum))) - estimate(loop("a", sum + loop("b", ""))),
      100 * one);
  // Behind a jump over it, as cold code of a loop lies.
  EXPECT_DOUBLE_EQ(
      estimate("a:\nBRA C1.NE, cold;\nback:\nBRA C0.NE, a;\nRET;\ncold:\n" + sum + "BRA back;\n") -
          estimate("a:\nBRA C1.NE, cold;\nback:\nBRA C0.NE, a;\nRET;\ncold:\n"
                   "BRA back;\n"),
      10 * one);
}

TEST(Choice, TakesEachKernelFromTheVersionThatIsFaster) {
  const g80::Result result = compiled(kernel("a", {0, 2}) + kernel("b", {}) + kernel("c", {20, 0}),
                                      kernel("a", {}) + kernel("b", {0, 2}) + kernel("c", {0, 3}));
  const g80::Result best = compiled(kernel("a", {}) + kernel("b", {}) + kernel("c", {20, 0}), "");
  ASSERT_EQ(result.kernels.size(), 3u);
  for (const char* name : {"a", "b", "c"})
    EXPECT_EQ(instructions(result, name), instructions(best, name)) << name;
  EXPECT_EQ(result.module.kernels[0].code, best.module.kernels[0].code);
}

TEST(Choice, ExchangesNothingWhereVariablesLieElsewhere) {
  const std::string variable = ".const .u32 other[4] = {1, 2, 3, 4};\n";
  const g80::Result result = compiled(kernel("a", {0, 2}), variable + kernel("a", {}));
  EXPECT_EQ(instructions(result, "a"), instructions(compiled(kernel("a", {0, 2}), ""), "a"));
}

g80::Result module_of(const std::string& code, unsigned registers = 4) {
  g80::Result result;
  result.module = gpgpu::g80::assemble(code, "test");
  result.module.kernels.front().registers = registers;
  result.kernels.resize(1);
  return result;
}

TEST(Choice, IsTheSmallerCodeAndThenFewerRegistersWhereCyclesAreAsGoodAsEqual) {
  const auto chosen = [](const g80::Result& first, const g80::Result& other) {
    return cheaper_kernels(first, other).module.kernels.front().registers;
  };
  const auto with = [](unsigned registers) { return module_of("RET;\n", registers); };
  EXPECT_EQ(chosen(with(12), with(11)), 11u);
  EXPECT_EQ(chosen(with(11), with(12)), 11u);
  // Of two loops the one takes some cycles less, the other has less code.
  const auto loops = [](unsigned sums, unsigned before, unsigned registers) {
    std::string code;
    for (unsigned i = 0; i < before; ++i) code += "MOV R0, R1;\n";
    code += "a:\n";
    for (unsigned i = 0; i < sums; ++i) code += "MOV R0, R1;\n";
    return module_of(code + "IADD R0, R0, R1;\nBRA C0.NE, a;\nRET;\n", registers);
  };
  EXPECT_EQ(chosen(loops(2000, 12, 12), loops(2001, 0, 11)), 11u);
  EXPECT_EQ(chosen(loops(2001, 0, 11), loops(2000, 12, 12)), 11u);
  EXPECT_EQ(chosen(loops(20, 12, 12), loops(22, 0, 11)), 12u);
}

// A loop in five others, against what takes less than a tenth of its time but has no place in a
// device.
TEST(Choice, IsAmongWhatDevicesHaveRoomFor) {
  std::string code;
  for (unsigned i = 0; i < 6; ++i) code += "l" + std::to_string(i) + ":\nIADD R0, R0, R1;\n";
  for (unsigned i = 6; i-- > 0;) code += "BRA C0.NE, l" + std::to_string(i) + ";\n";
  const g80::Result slow = module_of(code + "RET;\n");
  g80::Result large = module_of("IADD R0, R0, R1;\nRET;\n");
  std::vector<uint32_t>& words = large.module.kernels.front().code;
  const std::vector<uint32_t> sum(words.begin(), words.begin() + 2);
  while (4 * words.size() <= g80::kMostCodeBytes) words.insert(words.end(), sum.begin(), sum.end());
  EXPECT_LT(estimated_cycles(large.module.kernels.front()),
            estimated_cycles(slow.module.kernels.front()) / 10);
  EXPECT_EQ(cheaper_kernels(slow, large).module.kernels.front().code,
            slow.module.kernels.front().code);
  words.resize(1000);
  EXPECT_EQ(cheaper_kernels(slow, large).module.kernels.front().code.size(), 1000u);
}

TEST(Choice, IsNoneWhereOneVersionIsRefused) {
  const std::string refused =
      ".entry a (.param .u32 p)\n{\n.reg .f64 %f<1>;\nadd.f64 %f0, %f0, %f0;\nexit;\n}\n";
  const g80::Result result = compiled(kernel("a", {0, 2}), refused);
  EXPECT_EQ(instructions(result, "a"), instructions(compiled(kernel("a", {0, 2}), ""), "a"));
  EXPECT_NO_THROW(compiled(kernel("a", {}), "what is this"));
  EXPECT_THROW(compiled(refused, kernel("a", {})), Error);
}

TEST(Choice, IsNoneWhereThereIsOtherToSay) {
  const auto chosen = [](std::vector<std::string> first, std::vector<std::string> other) {
    g80::Result a = module_of("RET;\n", 12);
    g80::Result b = module_of("RET;\n", 11);
    a.warnings = std::move(first);
    b.warnings = std::move(other);
    return cheaper_kernels(std::move(a), std::move(b)).module.kernels.front().registers;
  };
  EXPECT_EQ(chosen({"demoted"}, {"demoted"}), 11u);
  EXPECT_EQ(chosen({}, {"demoted"}), 12u);
}

// Of two kernels `add` each has its long name, but in a version that lacks one of them.
TEST(Choice, IsNoneWhereNotAllKernelsAreThere) {
  const std::string both = kernel("add", {0, 2}) + kernel("_Z3addPf", {0, 1});
  const g80::Result result = compiled(both, kernel("_Z3addPf", {}));
  ASSERT_EQ(result.kernels.size(), 2u);
  for (const char* name : {"add", "_Z3addPf"})
    EXPECT_EQ(instructions(result, name), instructions(compiled(both, ""), name)) << name;
}

}  // namespace
}  // namespace gvp::kcc
