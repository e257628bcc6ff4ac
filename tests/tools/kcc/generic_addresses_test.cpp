// SPDX-License-Identifier: Apache-2.0
// Pointers that may point to any memory: which one, the address says when the kernel runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 64;

std::vector<uint32_t> numbers() {
  std::vector<uint32_t> in(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = 1000 * t + 7;
  return in;
}

void expect_at_each_level(const std::string& text, const std::vector<uint32_t>& in, uint32_t n,
                          const std::vector<uint32_t>& expected) {
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), kThreads, in, n), expected) << "-O" << level;
}

// Different threads of a warp point to different memories, to the last byte of each.
TEST(GenericAddresses, EachThreadChoosesItsMemory) {
  const std::string text = R"(
    __constant__ unsigned table[64] = {11, 12, 13, 14, 15};
    extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
      __shared__ unsigned tile[64];
      unsigned own[4] = {100, 200, 300, 400};
      const int t = threadIdx.x;
      tile[t] = in[t] + 1;
      own[t & 3] += n;
      __syncthreads();
      const unsigned* from;
      switch (t % 4) {
        case 0: from = &tile[63 - t]; break;
        case 1: from = &in[63 - t]; break;
        case 2: from = &own[t / 4 % 4]; break;
        default: from = &table[t % 5]; break;
      }
      out[t] = *from + (t % 4 == 1 ? from[0] : 0);
    })";
  const auto in = numbers();
  std::vector<uint32_t> expected(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t own[] = {100, 200, 300, 400};
    const uint32_t i = t / 4 % 4;
    switch (t % 4) {
      case 0:
        expected[t] = in[63 - t] + 1;
        break;
      case 1:
        expected[t] = 2 * in[63 - t];
        break;
      case 2:
        expected[t] = own[i] + (i == (t & 3) ? 5 : 0);
        break;
      default:
        expected[t] = 11 + t % 5;
        break;
    }
  }
  expect_at_each_level(text, in, 5, expected);
}

TEST(GenericAddresses, StoresGoWhereTheyPoint) {
  const std::string text = R"(
    struct Wide { unsigned a, b; unsigned char c; short d; };
    __device__ __noinline__ void fill(Wide* w, unsigned x) { w->a = x; w->b = ~x; w->c = x; w->d = -1; }
    extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
      __shared__ Wide tile[64];
      __shared__ Wide* where[64];
      Wide own = {1, 2, 3, 4};
      const int t = threadIdx.x;
      tile[t] = own;
      __syncthreads();
      where[t] = t & 1 ? &tile[63 - t] : &own;
      fill(where[t], in[t]);
      __syncthreads();
      const Wide w = t & 2 ? own : tile[t];
      out[t] = w.a + w.b + w.c + w.d + n;
    })";
  const auto in = numbers();
  std::vector<uint32_t> expected(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    // Odd threads wrote the tile of 63 - t, an even one; even threads their own.
    const bool shared = (t & 2) == 0;
    const bool filled = shared ? t % 2 == 0 : t % 2 == 0;
    const uint32_t by = shared ? in[63 - t] : in[t];
    expected[t] = (filled ? ~0U + (by & 0xff) - 1 : 1 + 2 + 3 + 4) + 9;
  }
  expect_at_each_level(text, in, 9, expected);
}

// The host's pointers are those of global memory, however many loads away: 256 is where `in` lies.
TEST(GenericAddresses, LoadedPointersPointToGlobalMemory) {
  const std::string text = R"(
    struct Node { unsigned value; Node* next; };
    extern "C" __global__ void k(Node* in, unsigned* out, int n) {
      unsigned sum = 0;
      for (Node* node = &in[threadIdx.x & 7]; node; node = node->next) sum += node->value;
      out[threadIdx.x] = sum + n;
    })";
  std::vector<uint32_t> in(kThreads);
  std::vector<uint32_t> expected(kThreads);
  for (uint32_t i = 0; i < 8; ++i) {
    in[2 * i] = 10 + i;
    in[2 * i + 1] = i == 7 ? 0 : 256 + 8 * (i + 1);
  }
  for (uint32_t t = 0; t < kThreads; ++t)
    for (uint32_t i = t & 7; i < 8; ++i) expected[t] += 10 + i + (i == 7 ? 1 : 0);
  expect_at_each_level(text, in, 1, expected);
}

// Guards of the program and of the windows meet; vectors go element by element.
TEST(GenericAddresses, DivergentVectorAccesses) {
  const std::string text = R"(
    extern "C" __global__ void k(uint4* in, uint4* out, int n) {
      __shared__ uint4 tile[16];
      const int t = threadIdx.x;
      if (t < 16) tile[t] = in[t];
      __syncthreads();
      uint4* p = t & 1 ? &tile[15 - (t & 15)] : &in[t & 15];
      uint4 v = make_uint4(1, 2, 3, 4);
      if (t % 3) v = *p;
      if (t < 16) out[t] = make_uint4(v.w, v.z, v.y, v.x + n);
    })";
  const auto in = numbers();
  std::vector<uint32_t> expected(kThreads);
  for (uint32_t t = 0; t < 16; ++t) {
    const uint32_t from = (t & 1) != 0 ? 15 - t : t;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t part = 3 - i;
      expected[4 * t + i] = (t % 3 != 0 ? in[4 * from + part] : part + 1) + (i == 3 ? 2 : 0);
    }
  }
  expect_at_each_level(text, in, 2, expected);
}

// Their tables hold addresses of functions, which nothing needs where the class is known.
TEST(GenericAddresses, ObjectsMayHaveVirtualFunctions) {
  const std::string text =
      "struct A {\n"
      "  __device__ A(int a) : v(a) {}\n"
      "  __device__ virtual ~A() {}\n"
      "  __device__ virtual int f(int x) const = 0;\n"
      "  int v;\n"
      "};\n"
      "struct B : A {\n"
      "  __device__ B(int a) : A(a) {}\n"
      "  __device__ int f(int x) const { return x * v; }\n"
      "};\n"
      "template <class T> __device__ int direct(const T& t, int x) { return t.T::f(x); }\n"
      "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
      "  const int t = threadIdx.x;\n"
      "  B b(in[t]);\n"
      "  out[t] = b.f(n) + direct(b, 1000);\n"
      "}\n";
  std::vector<uint32_t> in(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = 3 * t + 1;
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto out = results(compiled(text, level), kThreads, in, 7);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(out[t], 1007 * in[t]) << level;
  }
}

}  // namespace
}  // namespace gvp::kcc
