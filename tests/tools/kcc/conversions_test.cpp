// SPDX-License-Identifier: Apache-2.0
// Conversions from and to 16-bit floats and 64-bit integers, and the names of CUDA 1.x.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kThreads = 256;

uint32_t bits(float value) {
  uint32_t result = 0;
  std::memcpy(&result, &value, 4);
  return result;
}

// IEEE 754, table 3.5: binary16 has 11 bits of precision and exponents from -14 to 15.
float value_of_half(uint32_t half) {
  const auto fraction = static_cast<float>(half & 0x3ff);
  const int exponent = static_cast<int>(half >> 10 & 31);
  const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

TEST(Conversions, HalvesHaveTheValuesOfTheStandard) {
  const std::string text = R"(
    extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
      for (int i = threadIdx.x; i < n; i += 256) {
        const float value = __half2float((unsigned short)in[i]);
        out[i] = __float_as_uint(value);
        out[n + i] = __float2half_rn(value);
      }
    })";
  constexpr uint32_t kCount = 0x10000;
  std::vector<uint32_t> in(size_t{2} * kCount);
  for (uint32_t i = 0; i < kCount; ++i) in[i] = i;
  const auto out = results(compiled(text, 2), kThreads, in, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const float value = value_of_half(i);
    if (std::isnan(value)) {
      EXPECT_GT(out[i] & 0x7fffffff, 0x7f800000U) << i;
      EXPECT_GT(out[kCount + i] & 0x7fff, 0x7c00U) << i;
      continue;
    }
    ASSERT_EQ(out[i], bits(value)) << i;
    ASSERT_EQ(out[kCount + i], i) << value;
  }
}

// Between two halves that of the nearer one, in the middle the even one.
TEST(Conversions, FloatsBecomeTheNearestHalf) {
  const std::string text = R"(
    extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
      for (int i = threadIdx.x; i < n; i += 256) out[i] = __float2half_rn(__uint_as_float(in[i]));
    })";
  std::vector<uint32_t> in;
  std::vector<uint32_t> expected;
  for (uint32_t half = 0; half < 0x7bff; half += 7) {
    const float low = value_of_half(half);
    const float middle = (low + value_of_half(half + 1)) / 2;
    in.insert(in.end(), {bits(middle) - 1, bits(middle), bits(middle) + 1, bits(-middle)});
    const uint32_t even = half + (half & 1);
    expected.insert(expected.end(), {half, even, half + 1, 0x8000 | even});
  }
  for (const float large : {65519.9F, 65520.0F, 1e9F}) in.push_back(bits(large));
  expected.insert(expected.end(), {0x7bff, 0x7c00, 0x7c00});
  const auto out = results(compiled(text, 2), kThreads, in, static_cast<uint32_t>(in.size()));
  for (size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], expected[i]) << std::hex << in[i];
}

TEST(Conversions, OldNamesAndRoundings) {
  const std::string text = R"(
    extern "C" __global__ void k(const float* in, unsigned* out, int n) {
      const float a = in[threadIdx.x];
      unsigned* to = out + n * threadIdx.x;
      to[0] = (unsigned)float2int(a) + mulhi(1 << 20, 1 << 20);
      to[1] = float2int(a, cudaRoundMinInf);
      to[2] = float2int(a, cudaRoundPosInf);
      to[3] = float2int(a, cudaRoundNearest);
      to[4] = (unsigned)(__float2ll_rd(a * 4294967296.0f) >> 32);
      to[5] = (unsigned)__float2ll_ru(a);
      to[6] = float_as_int(saturate(a));
      to[7] = __finitef(a) + 2 * __isnanf(a) + 4 * __isinff(a) + 8 * (__signbitf(a) != 0);
    })";
  constexpr uint32_t kWords = 8;
  const std::vector<float> values{0.0F, 1.5F, -1.5F, 2.25F, -7.75F, 1000.5F, -0.5F, 3.0F};
  std::vector<uint32_t> in(values.size() * kWords);
  for (size_t i = 0; i < values.size(); ++i) in[i] = bits(values[i]);
  const auto out = results(compiled(text, 2), static_cast<uint32_t>(values.size()), in, kWords);
  for (size_t i = 0; i < values.size(); ++i) {
    const float a = values[i];
    const auto word = [](float value) { return static_cast<uint32_t>(static_cast<int>(value)); };
    const std::vector<uint32_t> expected{word(a) + 256,
                                         word(std::floor(a)),
                                         word(std::ceil(a)),
                                         word(std::nearbyint(a)),
                                         word(std::floor(a)),
                                         word(std::ceil(a)),
                                         bits(std::fmin(std::fmax(a, 0.0F), 1.0F)),
                                         1U + (a < 0 ? 8U : 0U)};
    for (uint32_t n = 0; n < kWords; ++n)
      EXPECT_EQ(out[i * kWords + n], expected[n]) << a << ' ' << n;
  }
}

TEST(Conversions, RoundingUpIsRefused) {
  EXPECT_THAT(refusal("__global__ void k(float* p) { p[0] = __fdiv_ru(p[1], p[2]); }"),
              HasSubstr("divides to nearest"));
}

}  // namespace
}  // namespace gvp::kcc
