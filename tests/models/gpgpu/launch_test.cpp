// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch.h"

#include <gtest/gtest.h>

#include <set>

namespace gvp::gpgpu {
namespace {

// Which texts a message asked the device for.
struct Asked {
  EndingTexts texts() {
    return {[this] { return ask("refusal"); }, [this] { return ask("place"); },
            [this] { return ask("illegal"); }};
  }
  std::string ask(const char* what) {
    asked.insert(what);
    return what;
  }
  std::set<std::string> asked;
};

std::string described(FaultCause cause, const std::set<std::string>& asked) {
  Ending ending;
  ending.cause = cause;
  ending.fault.address = 0x1000;
  Asked device;
  const std::string text = describe(ending, device.texts());
  EXPECT_EQ(device.asked, asked) << text;
  return text;
}

TEST(EndingTest, SaysWhatItIsAndAsksTheDeviceForNoMore) {
  EXPECT_EQ(described(FaultCause::kTooManyWarps, {"refusal"}), "refused: refusal");
  EXPECT_EQ(described(FaultCause::kAborted, {}), "stopped on request");
  EXPECT_EQ(described(FaultCause::kBarrierDeadlock, {"place"}),
            "stopped: barrier deadlock, all warps left wait; one of them at place");
  EXPECT_EQ(described(FaultCause::kIllegalInstruction, {"illegal", "place"}),
            "stopped: illegal instruction: illegal; place");
  EXPECT_EQ(described(FaultCause::kBusError, {"place"}),
            "stopped: bus error, address 0x00001000; place");
}

TEST(FaultTest, CausesBelowSixteenRefuseAndEachHasAText) {
  std::set<std::string> texts;
#define EXPECT_CAUSE(name, enumerator, number, text)                         \
  EXPECT_EQ(refuses(FaultCause::enumerator), (number) > 0 && (number) < 16); \
  EXPECT_STREQ(text_of(FaultCause::enumerator), text);                       \
  EXPECT_TRUE(texts.insert(text).second);
  GPGPU_CAUSES(EXPECT_CAUSE)
#undef EXPECT_CAUSE
  EXPECT_STREQ(gpgpu_cause_text(15), "unknown cause");
}

}  // namespace
}  // namespace gvp::gpgpu
