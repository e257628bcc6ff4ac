// SPDX-License-Identifier: Apache-2.0
// Double precision, which the machine lacks: floats in its place, with a warning; in memory doubles
// stay what they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

uint32_t bits(float value) {
  uint32_t result = 0;
  std::memcpy(&result, &value, 4);
  return result;
}
float real(uint32_t word) {
  float result = 0;
  std::memcpy(&result, &word, 4);
  return result;
}

TEST(Doubles, BecomeFloatsWithAWarning) {
  const std::string text =
      "extern \"C\" __global__ void k(const float* in, float* out, float n) {\n"
      "  const int t = threadIdx.x;\n"
      "  double x = in[t] * 0.5;\n"
      "  x += (double)t;\n"
      "  out[t] = (int)(x * 3.0) + (x < 2.0 ? 0.25 : n);\n"
      "}\n";
  std::vector<uint32_t> in(32);
  for (uint32_t t = 0; t < 32; ++t) in[t] = bits(static_cast<float>(t) * 0.75F);
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    const g80::Result result = compile_text(text, options);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_THAT(result.warnings[0], HasSubstr("kernel.cu:3:"));
    EXPECT_THAT(result.warnings[0], HasSubstr("\"k\" is demoted to float"));
    const auto out = results(result.module, 32, in, bits(8.0F));
    for (uint32_t t = 0; t < 32; ++t) {
      const float x = real(in[t]) * 0.5F + static_cast<float>(t);
      const float should = static_cast<float>(static_cast<int>(x * 3.0F)) + (x < 2 ? 0.25F : 8.0F);
      EXPECT_EQ(real(out[t]), should) << "-O" << level << ", " << t;
    }
  }
}

// All 64 bits of them, through registers and through memory of the kernel's own.
TEST(Doubles, ThatAreOnlyCopiedStayWhatTheyAre) {
  const std::string text =
      "struct Pair { double a; double2 b; };\n"
      "extern \"C\" __global__ void k(const double* in, double* out, int n) {\n"
      "  __shared__ double s[8];\n"
      "  const int t = threadIdx.x;\n"
      "  double x = in[t];\n  if (t == n) x = in[0];\n"
      "  s[t] = x;\n  __syncthreads();\n"
      "  Pair p; p.a = s[7 - t]; p.b = *(const double2*)(in + 2 * (t / 4));\n"
      "  out[t] = t & 1 ? p.a : t == 0 ? 7e299 : p.b.y;\n"
      "}\n";
  const double values[] = {1e300, 3.14159265358979, -1e-310, 0.1, -0.0, 1.0 / 3, 2.0, 1e-200};
  std::vector<uint32_t> in(2 * std::size(values));
  std::memcpy(in.data(), values, sizeof values);
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    const g80::Result result = compile_text(text, options);
    EXPECT_THAT(result.warnings, testing::IsEmpty());
    const auto out = results(result.module, 8, in, 5);
    for (uint32_t t = 0; t < 8; ++t) {
      const uint32_t from = t % 2 == 0 ? 2 * (t / 4) + 1 : 7 - t == 5 ? 0 : 7 - t;
      double found = 0;
      std::memcpy(&found, &out[2 * t], 8);
      const double expected = t == 0 ? 7e299 : values[from];
      EXPECT_EQ(std::memcmp(&found, &expected, 8), 0) << "-O" << level << ", " << t;
    }
  }
}

// One computation, and they are floats, wherever they come from.
TEST(Doubles, ThatMeetComputedOnesAreFloats) {
  const std::string text =
      "extern \"C\" __global__ void k(const double* in, double* out, int n) {\n"
      "  double x = in[threadIdx.x];\n"
      "  for (int i = 0; i < n; i++) x = i == 3 ? x * 0.5 : in[i];\n"
      "  out[threadIdx.x] = x;\n"
      "}\n";
  EXPECT_THAT(refusal(text), HasSubstr("--demote-double-arrays"));
}

// Also those of which one is chosen before.
TEST(Doubles, ThatAreChosenForComputationsAreFloats) {
  const std::string text =
      "extern \"C\" __global__ void k(const volatile double* in, float* out, int n) {\n"
      "  const double a = in[threadIdx.x];\n"
      "  const double b = in[threadIdx.x + 1];\n"
      "  out[threadIdx.x] = (n & 1 ? a : b) * 0.5;\n"
      "}\n";
  EXPECT_THAT(refusal(text), HasSubstr("--demote-double-arrays"));
}

// Headers are full of them.
TEST(Doubles, OfFunctionsThatNoKernelCallsAreNotWarnedOf) {
  const std::string text =
      "__device__ double idle(double x) { return x * 0.5; }\n"
      "extern \"C\" __global__ void k(float* out) { out[threadIdx.x] = 2.0f; }\n";
  EXPECT_THAT(compile_text(text, {}).warnings, testing::IsEmpty());
}

// In words, as textures give them: each has the value of the float that it is kept as.
TEST(Doubles, ArePutTogetherAndTakenApart) {
  const std::string text =
      "extern \"C\" __global__ void k(const int2* in, float* out, int n) {\n"
      "  const int t = threadIdx.x;\n"
      "  double x = __hiloint2double(in[t].y, in[t].x);\n"
      "  double y = __longlong_as_double((long long)in[t].y << 32 | (unsigned)in[t].x);\n"
      "  out[4 * t] = x; out[4 * t + 1] = x == y ? (float)y : 77.0f;\n"
      "  x *= 3.0;\n"
      "  ((int*)out)[4 * t + 2] = __double2loint(x);\n"
      "  ((int*)out)[4 * t + 3] = n ? __double2hiint(x) : __double_as_longlong(y * 3.0) >> 32;\n"
      "}\n";
  const std::vector<double> values{1.5,    -3.25e10, 0.1, 0.0,  -0.0, 1e300,
                                   -1e300, 1e-300,   2e9, -7.0, 1024, 3.0};
  std::vector<uint32_t> in(4 * values.size());
  std::memcpy(in.data(), values.data(), sizeof(double) * values.size());
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    const auto module = compile_text(text, options).module;
    for (const uint32_t n : {0u, 1u}) {
      const auto out = results(module, static_cast<uint32_t>(values.size()), in, n);
      for (size_t i = 0; i < values.size(); ++i) {
        const float kept = static_cast<float>(values[i]);
        EXPECT_EQ(real(out[4 * i]), kept) << values[i];
        EXPECT_EQ(real(out[4 * i + 1]), kept) << values[i];
        double back = 0;
        std::memcpy(&back, &out[4 * i + 2], sizeof back);
        EXPECT_EQ(back, static_cast<double>(kept * 3.0F)) << values[i] << ", -O" << level;
      }
    }
  }
}

// Functions that are not inlined by clang have pointers of which they do not know where they lead.
TEST(Doubles, OfTheKernelsOwnAreReachedThroughPointersOfFunctions) {
  const std::string text =
      "struct Pair {\n  double x, y;\n"
      "  __device__ Pair(double a, double b) : x(a), y(b) {}\n"
      "  __device__ __noinline__ void scale(double by) { x *= by; y *= by; }\n};\n"
      "__device__ __noinline__ void add(double* to, int at, double value) { to[at] += value; }\n"
      "extern \"C\" __global__ void k(const float* in, float* out, int n) {\n"
      "  __shared__ double sums[32];\n"
      "  const int t = threadIdx.x;\n"
      "  double own[3] = {1, 2, 3};\n"
      "  Pair pair(in[t], 4);\n"
      "  sums[t] = 0.5;\n"
      "  add(sums, t, in[t]);\n"
      "  add(own, n, 10);\n"
      "  add(n < 2 ? sums : own, t % 3, 100);\n"
      "  pair.scale(3);\n"
      "  out[t] = sums[t] + 7 * own[t % 3] + 0.5 * pair.x + pair.y;\n"
      "}\n";
  std::vector<uint32_t> in(32);
  for (uint32_t t = 0; t < 32; ++t) in[t] = bits(static_cast<float>(t));
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    const auto out = results(compile_text(text, options).module, 32, in, 2);
    for (uint32_t t = 0; t < 32; ++t) {
      const float x = static_cast<float>(t);
      const float own = static_cast<float>(t % 3) + (t % 3 == 2 ? 111 : 101);
      EXPECT_EQ(real(out[t]), 0.5f + x + 7 * own + 1.5f * x + 12) << "-O" << level << ", " << t;
    }
  }
}

// Names and files of the source, of which the compiler has written others.
TEST(Doubles, AreToldOfInTheSourcesWords) {
  const g80::Result result = compile_text(
      "__device__ __noinline__ float half(float x) { return x * 0.3 + x; }\n"
      "template <int N> __global__ void scale(float* p) { p[N] = half(p[0]) + 0.3; }\n"
      "template __global__ void scale<3>(float*);\n",
      {});
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_THAT(result.warnings[0], HasSubstr("double precision in \"half(float)\" is"));
  EXPECT_THAT(result.warnings[1], HasSubstr("double precision in \"void scale<3>(float*)\" is"));
}

// The third parameter is a double in the source and a float in the launch.
TEST(Doubles, AsParametersTakeFourBytes) {
  const std::string text =
      "__device__ __noinline__ double twice(double x) { return 2.0 * x; }\n"
      "extern \"C\" __global__ void k(const float* in, float* out, double n) {\n"
      "  out[threadIdx.x] = twice(in[threadIdx.x]) + n;\n}\n";
  const std::vector<uint32_t> in(32, bits(1.5F));
  for (const unsigned level : {0u, 1u, 2u}) {
    EXPECT_EQ(results(compiled(text, level), 32, in, bits(0.25F)),
              std::vector<uint32_t>(32, bits(3.25F)))
        << "-O" << level;
  }
}

TEST(Doubles, InMemoryOfTheHostAreRefusedUnlessAskedFor) {
  const std::string text =
      "extern \"C\" __global__ void k(const double* in, double* out, int) {\n"
      "  const int t = threadIdx.x;\n"
      "  out[t] = in[t] * 0.5;\n"
      "}\n";
  const std::string message = refusal(text);
  EXPECT_THAT(message, HasSubstr("kernel.cu:3:"));
  EXPECT_THAT(message, HasSubstr("--demote-double-arrays"));
  const double values[] = {
      1.0,          -3.5,       0.0,        -0.0,
      1e-310,       1e300,      -1e300,     3.4028235e38,
      1e-37,        1.0 / 3,    2.0 / 3,    std::numeric_limits<double>::infinity(),
      std::nan(""), 16777217.0, 16777219.0, -0.1};
  std::vector<uint32_t> in(2 * std::size(values));
  std::memcpy(in.data(), values, sizeof values);
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    options.back_end.double_arrays = true;
    const auto out = results(compile_text(text, options).module, std::size(values), in, 0);
    for (size_t t = 0; t < std::size(values); ++t) {
      double found = 0;
      std::memcpy(&found, &out[2 * t], 8);
      auto narrow = static_cast<float>(values[t]);
      if (std::fabs(narrow) < 1.1754944e-38F) narrow = std::copysign(0.0F, narrow);
      const double should = static_cast<double>(narrow * 0.5F);
      if (std::isnan(should)) {
        EXPECT_TRUE(std::isnan(found)) << "-O" << level;
        continue;
      }
      EXPECT_EQ(found, should) << "-O" << level << ", " << values[t];
      EXPECT_EQ(std::signbit(found), std::signbit(should)) << values[t];
    }
  }
}

// Memory that no host sees needs no option.
TEST(Doubles, InSharedAndLocalMemoryConvert) {
  const std::string text = R"(
    struct Particle { double mass; int kind; };
    __device__ __noinline__ double weigh(Particle p) { return p.mass * p.kind; }
    extern "C" __global__ void k(const float* in, float* out, int n) {
      __shared__ double tile[32];
      double own[8];
      const int t = threadIdx.x;
      tile[t] = in[t];
      for (int i = 0; i < 8; ++i) own[(i + t) & 7] = i * 0.5;
      __syncthreads();
      Particle p = {tile[31 - t], n};
      out[t] = weigh(p) + own[(n + t) & 7];
    })";
  std::vector<uint32_t> in(32);
  for (uint32_t t = 0; t < 32; ++t) in[t] = bits(static_cast<float>(t) + 0.25F);
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto out = results(compiled(text, level), 32, in, 3);
    for (uint32_t t = 0; t < 32; ++t)
      EXPECT_EQ(real(out[t]), (static_cast<float>(31 - t) + 0.25F) * 3 + 1.5F) << "-O" << level;
  }
}

}  // namespace
}  // namespace gvp::kcc
