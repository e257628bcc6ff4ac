// SPDX-License-Identifier: Apache-2.0
// FlexGrip's RTL whose parameters leave out the multiplier, third operands, floating point and all
// but two entries of the stack.  Its inputs say that it has them; so it is the parameters that
// decide.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/g80/table.h"
#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"
#include "tests/support/rtl_plugin.h"
#include "tests/support/seed.h"

namespace gvp::test {
namespace {

using gpgpu::flexgrip::Configuration;

class TrimmedTest : public testing::Test {
 protected:
  TrimmedTest() {
    trimmed_.multiplier = trimmed_.three_operands = trimmed_.floating_point = false;
    trimmed_.stack_depth = 2;
    trimmed_.null_page = false;
    inputs_ = trimmed_;
    inputs_.multiplier = inputs_.three_operands = inputs_.floating_point = true;
  }

  // Against the model that lacks the same.
  std::string mismatch_of(const Subject& subject) {
    configure(inputs_, rtl_);
    return first_mismatch(trimmed_, subject, rtl_, Before::kNothing);
  }
  uint32_t cause() { return rtl_.register_at(FLEXGRIP_CAUSE); }

  Configuration trimmed_ = rtl_configuration({1, 8}), inputs_;
  FlexGripRtl rtl_{*rtl_plugin("flexgrip_trimmed")};
};

TEST_F(TrimmedTest, EveryOperationRunsOrFailsAsOnTheModel) {
  std::map<gpgpu::g80::Operation, std::string> operations;
  for (const gpgpu::g80::Row& row : gpgpu::g80::rows())
    operations[row.operation] = gpgpu::g80::info(row.operation).syntax;
  unsigned unsupported = 0, others = 0;
  for (const auto& [operation, syntax] : operations) {
    if (gpgpu::g80::is_control(operation)) continue;
    EXPECT_EQ(mismatch_of(subject_of(syntax + ";\nRET;\n")), "") << syntax;
    ++(cause() == FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION ? unsupported : others);
  }
  EXPECT_GT(unsupported, 15u);
  EXPECT_GT(others, 15u);
}

TEST_F(TrimmedTest, ThePartsThatAreLeftOutAreEachMissed) {
  for (const char* source : {"IMUL.U16.U16 R3, R0L, R0H;\nRET;\n",
                             "ISAD.S32 R3, R0, R1, R2;\nRET;\n", "FADD R3, R0, R1;\nRET;\n"}) {
    EXPECT_EQ(mismatch_of(subject_of(source)), "") << source;
    EXPECT_EQ(cause(), FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION) << source;
  }
  EXPECT_EQ(mismatch_of(subject_of("SSY a;\nSSY a;\nSSY a;\na: RET;\n")), "");
  EXPECT_EQ(cause(), FLEXGRIP_CAUSE_STACK_OVERFLOW);
  EXPECT_EQ(mismatch_of(subject_of("SSY a;\nSSY a;\na: RET;\n")), "");
  EXPECT_EQ(cause(), FLEXGRIP_CAUSE_NONE);
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_CAP_FEATURES), 0u);
}

TEST_F(TrimmedTest, RandomInstructionsGoAsOnTheModel) {
  const uint32_t first = seed(1);
  for (uint32_t seed = first; seed != first + 64; ++seed) {
    const Subject subject = random_instructions(seed, Kind::kAll);
    ASSERT_EQ(mismatch_of(subject), "") << text_of_seed(seed) << '\n' << listing_of(subject);
  }
}

}  // namespace
}  // namespace gvp::test
