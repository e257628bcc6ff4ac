// SPDX-License-Identifier: Apache-2.0
// Launches however they are set: over several lines, and with brackets that a formatter of C++ has
// taken apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/kcc/cuda_source.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What follows the first launch stays in its lines.
TEST(LaunchLayout, LaunchesMayBeginInTheLineBehindTheKernelsName) {
  const TemporaryFile source("host.cu",
                             "template <int n> __global__ void k(int* p) { *p = n; }\n"
                             "template <class T> void run(const Plan* plan) {\n"
                             "  k<sizeof(T)>\n"
                             "      <<<1, 1>>>\n"
                             "      (plan->p);\n"
                             "  k<2>\n"
                             "      <<<1, 1>>>(plan->p);\n"
                             "}\n"
                             "void other(const Plan* plan) {\n"
                             "  switch (plan->kind) {\n"
                             "    case 0: run<int>(plan); break;\n"
                             "  }\n"
                             "  if (plan->p)\n"
                             "    return;\n"
                             "  else\n"
                             "    k<3><<<1, 1>>>(0);\n"
                             "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())),
              ElementsAre("_Z1kILi2EEvPi", "_Z1kILi3EEvPi", "_Z1kILi4EEvPi"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

TEST(LaunchLayout, LaunchesMayHaveBracketsWithBlanks) {
  const TemporaryFile source("host.cu",
                             "template <class T> __global__ void k(T* p) { *p = 1; }\n"
                             "__global__ void q(int* p) { *p = 2; }\n"
                             "template <class T> struct S {\n"
                             "  void run(T* p) { k<T> << <1, 32 >> >(p); }\n"
                             "};\n"
                             "#define LAUNCH(T, n) k<T> << <1, n>> >((T*)p)\n"
                             "void host(float* p) {\n"
                             "  S<float> s;\n"
                             "  s.run(p);\n"
                             "  q << <2, 16 >> >((int*)p);\n"
                             "  k<int> << < 1, 32, 0 >> > ((int*)p);\n"
                             "  LAUNCH(short, 4);\n"
                             "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())),
              ElementsAre("_Z1kIfEvPT_", "_Z1kIiEvPT_", "_Z1kIsEvPT_", "q"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

}  // namespace
}  // namespace gvp::kcc
