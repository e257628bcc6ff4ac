// SPDX-License-Identifier: Apache-2.0
// Loops that each thread of a warp leaves after another number of rounds: the stack of the warp
// holds what is inside and around them.
#include <gtest/gtest.h>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

// in: how many rounds each thread makes; out: what `body` leaves in s.
void expect_sums(const std::string& body, uint32_t (*expected)(uint32_t rounds),
                 const std::string& before = "") {
  const std::string text = before +
                           "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
                           "  const int rounds = in[threadIdx.x];\n  int s = 0;\n" +
                           body + "  out[threadIdx.x] = s;\n}\n";
  std::vector<uint32_t> in(32), sums(32);
  for (uint32_t t = 0; t < 32; ++t) sums[t] = expected(in[t] = t * 7 % 32 + 1);
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 32, in, 5), sums) << "-O" << level << "\n" << body;
}

TEST(UnevenLoops, MayHaveBranchesInside) {
  expect_sums(
      "  for (int j = 0; j < rounds; j++) {\n"
      "    if (in[j & 31] & 1) s += in[(j + n) & 31]; else s ^= j;\n"
      "    if (in[j & 31] & 2) out[threadIdx.x] += s;\n  }\n",
      [](uint32_t rounds) {
        uint32_t s = 0;
        const auto in = [](uint32_t j) { return (j & 31) * 7 % 32 + 1; };
        for (uint32_t j = 0; j < rounds; ++j) s = (in(j)&1) != 0 ? s + in(j + 5) : s ^ j;
        return s;
      });
}

TEST(UnevenLoops, MayHaveUnevenLoopsInside) {
  expect_sums(
      "  for (int j = 0; j < rounds; j++)\n"
      "    for (int i = 0; i < (in[j & 31] & n); i++) s += in[(i + j) & 31];\n",
      [](uint32_t rounds) {
        uint32_t s = 0;
        const auto in = [](uint32_t j) { return (j & 31) * 7 % 32 + 1; };
        for (uint32_t j = 0; j < rounds; ++j)
          for (uint32_t i = 0; i < (in(j)&5); ++i) s += in(i + j);
        return s;
      });
}

TEST(UnevenLoops, MayStandInBranchesAndInLoops) {
  expect_sums(
      "  for (int i = 0; i < n; i++) {\n    if ((threadIdx.x ^ i) != 3) {\n"
      "      for (int j = 0; j < rounds; j++) s += in[j & 31];\n      s ^= i;\n    }\n  }\n",
      [](uint32_t rounds) {
        uint32_t thread = 0;
        while (thread * 7 % 32 + 1 != rounds) ++thread;
        uint32_t s = 0;
        for (uint32_t i = 0; i < 5; ++i) {
          if ((thread ^ i) == 3) continue;
          for (uint32_t j = 0; j < rounds; ++j) s += j * 7 % 32 + 1;
          s ^= i;
        }
        return s;
      });
}

TEST(UnevenLoops, MayBeLeftInSeveralPlaces) {
  expect_sums(
      "  for (int i = 0; i < 3; i++) {\n    for (int j = 0; j < 40; j++) {\n"
      "      if (j >= rounds + 9) { s += j; break; }\n"
      "      if (j == rounds) { s += in[j & 31]; break; }\n      s ^= j;\n    }\n    s += 2;\n"
      "  }\n",
      [](uint32_t rounds) {
        uint32_t s = 0;
        for (uint32_t i = 0; i < 3; ++i) {
          for (uint32_t j = 0; j < rounds; ++j) s ^= j;
          s += (rounds & 31) * 7 % 32 + 1 + 2;
        }
        return s;
      });
}

TEST(UnevenLoops, MayStandInFunctionsThatAreCalledInBranches) {
  expect_sums(
      "  if (threadIdx.x != 7) s = sum(in, rounds); else s = sum(in, 3);\n",
      [](uint32_t rounds) {
        if (rounds == 7 * 7 % 32 + 1) rounds = 3;
        uint32_t s = 0;
        for (uint32_t j = 0; j < rounds; ++j) s += j * 7 % 32 + 1;
        return s;
      },
      "__device__ __noinline__ int sum(const int* in, int rounds) {\n"
      "  int s = 0;\n  for (int j = 0; j < rounds; j++) s += in[j & 31];\n  return s;\n}\n");
}

// By all threads one after the other, with nothing on the stack but the call.
TEST(UnevenLoops, MayBeAllThatAFunctionIs) {
  expect_sums(
      "  s = product(in, rounds + n);\n",
      [](uint32_t rounds) {
        uint32_t s = 1;
        for (uint32_t j = 0; j < rounds + 5; ++j) s *= (j & 31) * 7 % 32 + 1 + j;
        return s;
      },
      "__device__ __noinline__ unsigned product(const int* in, int rounds) {\n"
      "  unsigned s = 1;\n  for (int j = 0; j < rounds; j++) s *= in[j & 31] + j;\n"
      "  return s;\n}\n");
}

// What is called takes entries, too.
TEST(UnevenLoops, MayCallFunctions) {
  expect_sums(
      "  for (int j = 0; j < rounds; j++) s += mixed(in, j);\n",
      [](uint32_t rounds) {
        uint32_t s = 0;
        for (uint32_t j = 0; j < rounds; ++j) s += ((j & 31) * 7 % 32 + 1) * j ^ j;
        return s;
      },
      "__device__ __noinline__ int mixed(const int* in, int j) { return in[j & 31] * j ^ j; }\n");
}

}  // namespace
}  // namespace gvp::kcc
