// SPDX-License-Identifier: Apache-2.0
// What no device can launch, said where the kernel stands in the source: in a header, behind its
// declaration, and whatever the types of its parameters are called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/tools/kcc/cuda_source.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> errors_of(const std::string& file) {
  g80::Options options;
  options.generated = true;
  options.keep_going = true;
  return g80::compile(file, compile_cuda(file, {}), options).errors;
}

TEST(LaunchLimits, KernelsWithTooManyParametersAreNamedWhereTheyStand) {
  const TemporaryFile header(
      "kernels.h",
      "struct S { int all[33]; };\n"
      "__global__ void first(int* p, S s);\n"
      "template <int n> __global__ void second(int* p, S s, double x)\n"
      "{\n"
      "  *p = s.all[n] + (int)x;\n"
      "}\n"
      "namespace inside {\n"
      "__global__ void\n"
      "first(int* p, S s) {\n"
      "  *p = s.all[1];\n"
      "}\n"
      "}\n"
      "#define KERNEL(name) __global__ void k_##name(S s) { s.all[1] = 1; }\n"
      "KERNEL(third)\n");
  const TemporaryFile source("host.cu", "#include \"" + header.path() +
                                            "\"\n"
                                            "void f(int* p, S s) {\n"
                                            "  second<3><<<1, 1>>>(p, s, 1.0);\n"
                                            "  inside::first<<<1, 1>>>(p, s);\n"
                                            "}\n");
  testing::internal::CaptureStderr();
  const std::vector<std::string> errors = errors_of(source.path());
  testing::internal::GetCapturedStderr();
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_THAT(errors[0],
              AllOf(StartsWith(header.path() + ":9:1: kernel \"inside::first(int*, S)\""),
                    HasSubstr("has 34 words of parameters, devices have registers for 32")));
  EXPECT_THAT(errors[1], StartsWith(header.path() + ":14: kernel \"k_third(S)\" has 33 words"));
  EXPECT_THAT(errors[2],
              AllOf(StartsWith(header.path() + ":3:34: kernel \"void second<3>(int*, S, double)\""),
                    HasSubstr("has 35 words")));
}

TEST(LaunchLimits, KernelsWithTooManyConstantsAreNamedWhereTheyStand) {
  const TemporaryFile source("host.cu",
                             "__constant__ float table[16384];\n"
                             "__global__ void fits(float* p) { *p = table[threadIdx.x]; }\n"
                             "__global__ void fits_not(float* p, float* q) {\n"
                             "  if (*p > 1.2345f) *p = table[threadIdx.x];\n"
                             "}\n");
  const std::vector<std::string> errors = errors_of(source.path());
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0],
              AllOf(StartsWith(source.path() + ":3:17: kernel \"fits_not(float*, float*)\""),
                    HasSubstr("65536 of variables + 4 of literals")));
}

}  // namespace
}  // namespace gvp::kcc
