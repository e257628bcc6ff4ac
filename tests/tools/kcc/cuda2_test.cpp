// SPDX-License-Identifier: Apache-2.0
// PTX as CUDA 2.x and 3.x wrote it for sm_10 (kernels/cuda2.ptx): computes what its CUDA C would.
#include <algorithm>
#include <cmath>

#include "tests/tools/kcc/device.h"

namespace gvp::kcc {
namespace {

const char* const kFile = "tests/tools/kcc/kernels/cuda2.ptx";

ptx::Grid grid(uint32_t blocks, uint32_t threads, uint32_t shared = 0) {
  ptx::Grid result;
  result.grid_x = blocks;
  result.block_x = threads;
  result.dynamic_shared_bytes = shared;
  return result;
}

TEST(Cuda2, VectorAddition) {
  TestDevice device(kFile);
  const auto a = random_integers(100, -1000, 1000);
  const auto b = random_integers(100, -1000, 1000, 2);
  const uint32_t from_a = device.upload(a);
  const uint32_t from_b = device.upload(b);
  const uint32_t to = device.allocate<int>(128);
  device.launch("vectorAdd", grid(2, 64), from_a, from_b, to, 100);
  const auto sums = device.download<int>(to, 128);
  for (size_t i = 0; i < 128; ++i) EXPECT_EQ(sums[i], i < 100 ? a[i] + b[i] : 0) << i;
}

TEST(Cuda2, ReductionWithSharedMemoryFromTheLaunch) {
  TestDevice device(kFile);
  const auto in = random_integers(256, -100000, 100000);
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<int>(2);
  device.launch("reduce", grid(2, 128, 512), from, to);
  const auto sums = device.download<int>(to, 2);
  for (size_t block = 0; block < 2; ++block) {
    int expected = 0;
    for (size_t i = 0; i < 128; ++i) expected += in[128 * block + i];
    EXPECT_EQ(sums[block], expected);
  }
}

TEST(Cuda2, MatrixProductInTiles) {
  TestDevice device(kFile);
  constexpr uint32_t kSize = 16;
  const auto a = random_floats(kSize * kSize, -2, 2);
  const auto b = random_floats(kSize * kSize, -2, 2, 2);
  const uint32_t from_a = device.upload(a);
  const uint32_t from_b = device.upload(b);
  const uint32_t to = device.allocate<float>(kSize * kSize);
  ptx::Grid launch = grid(2, 8);
  launch.grid_y = 2;
  launch.block_y = 8;
  device.launch("matmul", launch, from_a, from_b, to, kSize);
  std::vector<float> expected(kSize * kSize);
  for (uint32_t i = 0; i < kSize * kSize; ++i) {
    for (uint32_t k = 0; k < kSize; ++k)
      expected[i] += a[i / kSize * kSize + k] * b[k * kSize + i % kSize];
  }
  expect_near(device.download<float>(to, kSize * kSize), expected, 1e-5F);
}

int32_t low_half(int32_t value) { return static_cast<int16_t>(value); }
int64_t low_24(int32_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
}

// In the order of the stores.
std::vector<uint32_t> integers(int32_t a, int32_t b) {
  const auto ua = static_cast<uint32_t>(a);
  const auto ub = static_cast<uint32_t>(b);
  const auto u = [](auto value) { return static_cast<uint32_t>(value); };
  const int64_t divisor = b | 1;
  const uint32_t half_a = ua & 0xffff;
  const uint32_t half_b = ub & 0xffff;
  const int64_t sum = int64_t{a} + b;
  return {u(a > b ? 1 : 0),
          u(ua <= ub ? ~0U : 0U),
          u(b >= 0 ? a : b),
          u(a != b ? 7 : b),
          u(std::abs(int64_t{a} - b) + 3),
          (ua > ub ? ua - ub : ub - ua) + ua,
          u(low_24(a) * low_24(b) + a),
          u((uint64_t{ua & 0xffffff} * (ub & 0xffffff)) >> 16),
          u((int64_t{a} * b) >> 32),
          u(int64_t{a} * b + 1000),
          u(int64_t{a} / divisor),
          ua % (ub | 1),
          u(std::abs(int64_t{a})),
          u(std::min(a, b)) ^ std::max(ua, ub),
          u(static_cast<int16_t>(half_a * half_b)),
          u(low_half(a) * low_half(b)),
          half_a * half_b + ua,
          ((u(low_half(a) >> 3) + (half_b << 2)) & 0xffff),
          u(static_cast<int8_t>(a)),
          ub & 0xff,
          (~ua & ~15U) | u(b == 0 ? 1 : 0),
          u(ub > 31 ? 0U : (ua << ub) + (ua >> ub)),
          u(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)),
          (half_a * half_b) >> 16,
          (ua & 0xff) | (ub & 0xff) << 8 | half_a << 16,
          u(a > 0 ? low_24(a) * low_24(b) : b)};
}

TEST(Cuda2, IntegerInstructions) {
  TestDevice device(kFile);
  std::vector<int> in{0,   0,    1,      -1, INT32_MIN,  1,         INT32_MAX, 5,
                      7,   31,   -7,     32, 0x12345678, 3,         0x7f7f7f,  0x00800001,
                      100, -100, -40000, 9,  0x7fffff0,  0x7fffff0f};
  const auto more = random_integers(64 - in.size(), -2000000000, 2000000000);
  in.insert(in.end(), more.begin(), more.end());
  const uint32_t threads = 32;
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<uint32_t>(32 * threads);
  device.launch("integers", grid(1, threads), to, from);
  const auto found = device.download<uint32_t>(to, 32 * threads);
  for (uint32_t i = 0; i < threads; ++i) {
    const auto expected = integers(in[2 * i], in[2 * i + 1]);
    for (uint32_t n = 0; n < expected.size(); ++n) {
      EXPECT_EQ(found[32 * i + n], expected[n])
          << "result " << n << " of " << in[2 * i] << ", " << in[2 * i + 1];
    }
  }
}

TEST(Cuda2, FloatInstructionsAndDoublesThatAreMappedToFloats) {
  TestDevice device(kFile, 2e-6F);
  const auto positive = random_floats(32, 0.25F, 4);
  const auto any = random_floats(32, -3, 3, 2);
  std::vector<float> in;
  for (size_t i = 0; i < 32; ++i) in.insert(in.end(), {positive[i], any[i]});
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<float>(20 * 32);
  device.launch("floats", grid(1, 32), to, from);
  const auto found = device.download<float>(to, 20 * 32);
  for (size_t i = 0; i < 32; ++i) {
    const float a = positive[i];
    const float b = any[i];
    const float expected[] = {1 / a,
                              std::sqrt(a),
                              1 / std::sqrt(a),
                              std::exp2(b),
                              std::log2(a),
                              std::sin(b),
                              std::cos(b),
                              b / a,
                              a / b,
                              a * b + a,
                              a > b ? 1.0F : 0.0F,
                              b >= 0 ? a : 3.0F,
                              std::trunc(b),
                              std::min(std::fabs(b), a) - a,
                              std::clamp(b, 0.0F, 1.0F),
                              std::floor(b),
                              2.5F * a,
                              std::min(0.5F * a + 3, 4.0F),
                              a <= b ? 2.0F : 1.0F,
                              std::exp2(std::floor(std::log2(a)))};
    for (size_t n = 0; n < 20; ++n) {
      EXPECT_NEAR(found[20 * i + n], expected[n], 2e-6 * std::max(1.0F, std::fabs(expected[n])))
          << "result " << n << " of " << a << ", " << b;
    }
  }
}

TEST(Cuda2, LocalConstantGlobalMemoryAndStructuresAsParameters) {
  TestDevice device(kFile);
  const uint32_t to = device.allocate<int>(32);
  // { int, int, char, char, short }
  const uint32_t last = 0xfff0'0000U | 0xfe00U | 0x7fU;
  device.launch("memories", grid(1, 32), to, 1, 1000, last);
  const auto found = device.download<int>(to, 32);
  for (int i = 0; i < 32; ++i) {
    const int sum = (i & 7) * i + (i & 7) + 1 + 1000 - 2 + 0xfff0 + 5;
    EXPECT_EQ(found[static_cast<size_t>(i)], i < 20 ? static_cast<int8_t>(sum) : sum) << i;
  }
}

}  // namespace
}  // namespace gvp::kcc
