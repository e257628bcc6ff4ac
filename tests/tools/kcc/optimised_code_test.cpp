// SPDX-License-Identifier: Apache-2.0
// What clang's optimiser is asked for, so that its code suits the machine.
#include <gtest/gtest.h>

#include "models/gpgpu/g80/listing.h"
#include "models/gpgpu/g80/module.h"
#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

// Too much for LLVM to inline it by itself, called twice.
std::string large_function(const std::string& before) {
  std::string text = "struct Words { int w[8]; };\n__device__ " + before +
                     " Words mixed(Words x) {\n  Words y = x;\n";
  for (unsigned k = 0; k < 120; ++k) {
    const std::string from = std::to_string(k % 8);
    const std::string other = std::to_string((3 * k + 1) % 8);
    text += "  y.w[" + other + "] = (y.w[" + other + "] ^ y.w[" + from + "] >> 1) * 3 + " +
            std::to_string(k) + ";\n";
  }
  return text + R"(  return y;
  }
  extern "C" __global__ void k(const int* in, int* out, int) {
    Words x;
#pragma unroll
    for (int i = 0; i < 8; i++) x.w[i] = in[threadIdx.x] + i;
    x = mixed(x);
    x.w[2] += 5;
    x = mixed(x);
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) sum += x.w[i] << i;
    out[threadIdx.x] = sum;
  })";
}

uint32_t local_bytes(const std::string& text, unsigned level) {
  CudaOptions options;
  options.optimise = level;
  return compile_text(text, options).kernels.front().local_bytes;
}

TEST(OptimisedCode, KeepsStructuresOfLargeFunctionsInRegisters) {
  const std::string text = large_function("");
  std::vector<uint32_t> in(32);
  for (uint32_t t = 0; t < in.size(); ++t) in[t] = 77 * t;
  const auto expected = results(compiled(text, 0), 32, in, 0);
  for (const unsigned level : {1u, 2u}) {
    EXPECT_EQ(local_bytes(text, level), 0u) << "-O" << level;
    EXPECT_EQ(results(compiled(text, level), 32, in, 0), expected) << "-O" << level;
  }
}

TEST(OptimisedCode, LeavesLargeFunctionsThatAreNotToBeInlined) {
  EXPECT_GT(local_bytes(large_function("__noinline__"), 2), 0u);
}

// What LLVM fetches of a texture's descriptor on several ways is no register of its own.
TEST(OptimisedCode, TakesNoMoreInstructionsForTexturesThanALevelBelow) {
  const std::string text = R"(texture<float, 2> image;
  extern "C" __global__ void k(float* out, float x, float y) {
    out[threadIdx.x] = tex2D(image, x, y) - tex2D(image, x, y + 1);
  })";
  CudaOptions options;
  options.optimise = 1;
  const uint32_t below = compile_text(text, options).kernels.front().instructions;
  options.optimise = 2;
  EXPECT_LE(compile_text(text, options).kernels.front().instructions, below);
}

// All threads skip an arm where they read the same; where each reads its own, warps seldom do.
TEST(OptimisedCode, BranchesOnWhatAllThreadsReadAtOnePlace) {
  const auto skips = [](const std::string& place) {
    const std::string text =
        "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
        "  const int* at = in + " +
        place + R"(;
    int most = 0, where = 0;
    for (int i = 0; i < n; ++i)
      if (at[2 * i] > most) {
        most = at[2 * i];
        where = at[2 * i + 1];
      }
    out[2 * threadIdx.x] = most;
    out[2 * threadIdx.x + 1] = where;
  })";
    return gpgpu::g80::to_listing(compiled(text, 2)).find("SSY") != std::string::npos;
  };
  EXPECT_TRUE(skips("blockIdx.x"));
  EXPECT_FALSE(skips("threadIdx.x"));
}

}  // namespace
}  // namespace gvp::kcc
