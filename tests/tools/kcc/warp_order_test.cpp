// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that exchange values in shared memory without a barrier, as programs of CUDA's
// first years do, also without `volatile`.
#include "tools/kcc/front_end/warp_order.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using Words = std::vector<uint32_t>;

Words numbers(uint32_t count) {
  Words words(count);
  for (uint32_t i = 0; i < count; ++i) words[i] = i * i % 101 + 7 * i;
  return words;
}

void expect_at_all_levels(const std::string& text, uint32_t threads, const Words& in,
                          const Words& expected, uint32_t dynamic_shared = 0) {
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), threads, in, 0, dynamic_shared), expected)
        << "-O" << level;
}

// The last steps of a sum, all threads of a warp in each.
TEST(WarpOrder, SumsOfAWarpNeedNoBarrier) {
  const std::string steps =
      "if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8];\n"
      "  s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }\n";
  const std::string kernel =
      "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
      "  const int t = threadIdx.x;\n";
  const std::string in_order = "  s[t] = in[t]; __syncthreads();\n";
  const std::string end = "  if (t == 0) out[n] = s[0];\n}";
  const Words in = numbers(64);
  Words expected(64);
  expected[0] = std::accumulate(in.begin(), in.end(), 0U);
  expect_at_all_levels(kernel + "  __shared__ int s[64];\n" + in_order + steps + end, 64, in,
                       expected);
  // Through a pointer, in dynamic memory, by a function that -O0 does not inline.
  expect_at_all_levels("__device__ void sum(int* s, unsigned t) {\n" + steps + "}\n" + kernel +
                           "  extern __shared__ int dynamic[];\n  int* s = dynamic;\n" + in_order +
                           "  sum(s, t);\n" + end,
                       64, in, expected, 256);
  // Each step in a branch of its own.
  std::string branches;
  for (const int step : {32, 16, 8, 4, 2, 1})
    branches +=
        "  if (t < " + std::to_string(step) + ") s[t] += s[t + " + std::to_string(step) + "];\n";
  expect_at_all_levels(kernel + "  __shared__ int s[64];\n" + in_order + branches + end, 64, in,
                       expected);
}

TEST(WarpOrder, PrefixSumsOfAWarpNeedNoBarrier) {
  const std::string text = R"(
    struct Pair { float sum; int count; };
    extern "C" __global__ void k(const int* in, int* out, int n) {
      __shared__ int s[64];
      __shared__ Pair pairs[48];
      const int t = threadIdx.x, i = t + 32;
      s[t] = 0;
      s[i] = in[t];
      #pragma unroll
      for (int d = 1; d < 32; d *= 2) s[i] += s[i - d];
      out[t] = s[i];
      Pair own = {0, 0};
      if (t < 16) pairs[t] = own;
      own.sum += in[t];
      own.count++;
      pairs[t + 16] = own;
      own.sum += pairs[t + 15 + n].sum * (t != 0);
      own.count += pairs[t + 15 + n].count * (t != 0);
      pairs[t + 16] = own;
      const Pair before = pairs[t + 14 + n];
      if (t > 1) { own.sum += before.sum; own.count += before.count; }
      pairs[t + 16] = own;
      out[t + 32] = (int)own.sum * 10 + own.count;
    })";
  const Words in = numbers(64);
  Words expected(64);
  for (uint32_t t = 0; t < 32; ++t) {
    expected[t] = in[t] + (t == 0 ? 0 : expected[t - 1]);
    uint32_t sum = 0;
    for (uint32_t back = 0; back < 4 && back <= t; ++back) sum += in[t - back];
    expected[t + 32] = sum * 10 + std::min(t + 1, 4U);
  }
  expect_at_all_levels(text, 32, in, expected);
}

// Addresses in these have types with names.
TEST(WarpOrder, SumsOfAWarpInStructuresNeedNoBarrier) {
  const Words in = numbers(48);
  Words expected(48);
  for (uint32_t t = 0; t < 32; ++t) expected[0] += in[t];
  for (const std::string type : {"struct T { int x; };", "struct T { float pad; int x; };",
                                 "union T { int x; short half[2]; };", "typedef int2 T;"})
    expect_at_all_levels(type + R"(
    extern "C" __global__ void k(const int* in, int* out, int n) {
      __shared__ T s[48];
      const int t = threadIdx.x;
      s[t].x = in[t];
      if (t < 16) {
        s[t].x += s[t + 16].x;
        s[t].x += s[t + 8].x;
        s[t].x += s[t + 4].x;
        T* const own = &s[t];
        own->x += own[2].x;
        own->x += own[1].x;
      }
      if (t == 0) out[0] = s[0].x;
    })",
                         32, in, expected);
}

// A warp that some have left in an arm goes on together.
TEST(WarpOrder, ThreadsExchangeValuesBehindAnArmInWhichOthersEnded) {
  const std::string text = R"(
    extern "C" __global__ void k(const int* in, int* out, int n) {
      volatile __shared__ int s[32];
      const int t = threadIdx.x;
      s[t] = -1;
      if (t & 1) {
        if (t > n) return;
        out[t + 32] = in[t];
      }
      s[t] = in[t];
      out[t] = s[t ^ 1];
    })";
  const Words in = numbers(64);
  Words expected(64);
  for (uint32_t t = 0; t < 32; ++t) {
    if ((t & 1) != 0 && t > 28) continue;
    expected[t] = (t ^ 1) > 28 && (t & 1) == 0 ? ~0U : in[t ^ 1];
    if ((t & 1) != 0) expected[t + 32] = in[t];
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 32, in, 28), expected) << "-O" << level;
}

TEST(WarpOrder, OnlyStoresThatALoadMayFollowAreHeld) {
  const std::string look = "  call void asm sideeffect \"\", \"~{memory}\"() nounwind\n";
  const std::string place = "i32* addrspacecast (i32 addrspace(3)* @s to i32*), align 4\n";
  const std::string store = "  store i32 %1, " + place;
  const std::string load = "  %2 = load i32, " + place;
  const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";
  const auto kernel = [](const std::string& body) {
    return "define void @k(i32* %0) {\n" + body + "  ret void\n}\n!1 = !{void (i32*)* @k, " +
           "!\"kernel\", i32 1}\n";
  };
  const auto changed = [&](const std::string& body) {
    return with_stores_before_loads(kernel(body));
  };
  EXPECT_EQ(changed(store + load), kernel(store + look + load));
  for (const std::string& body :
       {store + barrier + load, load + store, "  store i32 %1, i32* %0, align 4\n" + load,
        store + "  %3 = load i32, i32* %0, align 4\n", "  store volatile i32 %1, " + place + load})
    EXPECT_EQ(changed(body), kernel(body));
  // In a block behind; but not where a barrier stands on all ways, and not in the next round.
  const std::string branch = "  br i1 %4, label %5, label %6\n5:\n";
  const std::string join = "  br label %6\n6:\n";
  EXPECT_EQ(changed(branch + store + join + load), kernel(branch + store + look + join + load));
  const std::string apart = branch + store + join + barrier + load;
  EXPECT_EQ(changed(apart), kernel(apart));
  const std::string round = "  br label %5\n5:\n" + load + store + "  br label %5\n";
  EXPECT_EQ(changed(round), kernel(round));
  // What a function is given may be shared memory, and what it calls may look at it.
  const std::string function = "define void @f(i32* %0) {\n  store i32 %1, i32* %0, align 4\n";
  const std::string rest = "  call void @f(i32* %0)\n  ret void\n}\n";
  EXPECT_EQ(with_stores_before_loads(function + rest), function + look + rest);
  EXPECT_EQ(with_stores_before_loads(""), "");
}

}  // namespace
}  // namespace gvp::kcc
