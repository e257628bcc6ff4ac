// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/admission.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu {
namespace {

// Wavefronts of 64 on a small SM: nothing here is one device's.
constexpr simt::SmLimits kSm{8, 256, 4, 4096, 8192, 192, 64};

void expect_refusal(const Admission& admission, FaultCause cause, const std::string& message) {
  EXPECT_EQ(admission.cause, cause);
  EXPECT_EQ(admission.blocks_per_sm, 0u);
  EXPECT_EQ(admission.message, message);
}

TEST(AdmissionTest, AsManyBlocksAsFitOrAsAreWanted) {
  EXPECT_EQ(admit({64, 16, 1024}, kSm, 0).blocks_per_sm, 4u);
  EXPECT_EQ(admit({64, 16, 4096}, kSm, 0).blocks_per_sm, 2u);
  EXPECT_EQ(admit({64, 16, 4096}, kSm, 1).blocks_per_sm, 1u);
  EXPECT_EQ(admit({64, 16, 4096}, kSm, 2).cause, FaultCause::kNone);
}

TEST(AdmissionTest, RefusalsNameWhatIsAskedForAndWhatThereIs) {
  expect_refusal(admit({64, 16, 4096}, kSm, 3), FaultCause::kTooManyBlocks,
                 "3 blocks per SM asked for; 2 fit");
  expect_refusal(admit({193, 16, 0}, kSm, 0), FaultCause::kTooManyThreads,
                 "a block of 193 threads; the device takes 192 a block");
  expect_refusal(admit({65, 33, 0}, kSm, 0), FaultCause::kTooManyRegisters,
                 "33 registers for each of 128 threads; an SM has 4096 registers");
  expect_refusal(admit({64, 16, uint64_t{1} << 33}, kSm, 0), FaultCause::kTooMuchShared,
                 "a block needs 8589934592 bytes of shared memory; an SM has 8192");
  simt::SmLimits few = kSm;
  few.warps = 1;
  expect_refusal(admit({65, 16, 0}, few, 0), FaultCause::kTooManyWarps,
                 "a block of 2 warps; an SM holds 1");
  few = kSm;
  few.threads = 64;
  expect_refusal(admit({65, 16, 0}, few, 0), FaultCause::kTooManyThreads,
                 "a block of 65 threads; an SM holds 64");
}

}  // namespace
}  // namespace gvp::gpgpu
