// SPDX-License-Identifier: Apache-2.0
// What kernels/language.cu must compute, besides what the interpreter makes of its PTX.
#include <algorithm>
#include <cmath>

#include "tests/tools/kcc/device.h"

namespace gvp::kcc {
namespace {

const char* const kFile = "tests/tools/kcc/kernels/language.cu";
constexpr uint32_t kThreads = 64;

uint32_t as_bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return bits;
}

ptx::Grid threads(uint32_t count, uint32_t shared = 0) {
  ptx::Grid grid;
  grid.block_x = count;
  grid.dynamic_shared_bytes = shared;
  return grid;
}

std::vector<uint32_t> words() {
  std::vector<uint32_t> result{0, 1, 0x80000000, 0xffffffff, 0x7fffffff, 0x00ff00ff, 0x12345678};
  const auto more = random_integers(kThreads - result.size(), -2000000000, 2000000000);
  for (const int word : more) result.push_back(static_cast<uint32_t>(word));
  return result;
}

uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t both = a | static_cast<uint64_t>(b) << 32;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned choice = selector >> (4 * i) & 15;
    auto byte = static_cast<uint32_t>(both >> (8 * (choice & 7)) & 0xff);
    if (choice >= 8) byte = byte >= 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

TEST(Language, IntegerFunctions) {
  TestDevice device(kFile);
  const auto in = words();
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<uint32_t>(14 * kThreads);
  device.launch("bits", threads(kThreads), to, from, kThreads);
  const auto out = device.download<uint32_t>(to, 14 * kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t a = in[i];
    const uint32_t b = in[(i + 1) % kThreads];
    const auto sa = static_cast<int32_t>(a);
    const auto sb = static_cast<int32_t>(b);
    uint32_t reversed = 0;
    for (unsigned n = 0; n < 32; ++n) reversed |= (a >> n & 1) << (31 - n);
    const auto low24 = [](uint32_t v) {
      return static_cast<int64_t>(static_cast<int32_t>(v << 8) >> 8);
    };
    const uint32_t expected[] = {static_cast<uint32_t>(__builtin_popcount(a)),
                                 a == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(a)),
                                 static_cast<uint32_t>(__builtin_ffs(sa)),
                                 reversed,
                                 permuted(a, b, 0x5140),
                                 permuted(a, b, b),
                                 static_cast<uint32_t>(static_cast<int64_t>(sa) * sb >> 32),
                                 static_cast<uint32_t>(static_cast<uint64_t>(a) * b >> 32),
                                 (sa > sb ? a - b : b - a) + 3,
                                 (a > b ? a - b : b - a) + 5,
                                 (a & 0xffffff) * (b & 0xffffff),
                                 static_cast<uint32_t>(low24(a) * low24(b)),
                                 static_cast<uint32_t>(std::max(sa, sb)) - std::min(a, b),
                                 sa < 0 ? 0 - a : a};
    for (size_t n = 0; n < std::size(expected); ++n)
      ASSERT_EQ(out[14 * i + n], expected[n]) << "function " << n << " of " << a << ", " << b;
  }
}

TEST(Language, FloatFunctions) {
  TestDevice device(kFile, 1e-30F);  // which NaN and which zero it is, is open
  std::vector<float> in{0.0F, 0.5F,  -0.0F, -0.5F,    1.5F,      -2.5F,
                        3e9F, -3e9F, 1e30F, INFINITY, -INFINITY, NAN};
  const auto more = random_floats(kThreads - in.size(), -1000, 1000);
  in.insert(in.end(), more.begin(), more.end());
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<float>(20 * kThreads);
  device.launch("floats", threads(kThreads), to, from, kThreads);
  const auto out = device.download<float>(to, 20 * kThreads);
  const auto clamped = [](float whole, double low, double high) {
    if (std::isnan(whole)) return 0.0F;
    return static_cast<float>(std::clamp(static_cast<double>(whole), low, high));
  };
  const auto whole = [&](float v) { return clamped(v, -2147483648.0, 2147483647.0); };
  for (uint32_t i = 0; i < kThreads; ++i) {
    const float a = in[i];
    const float b = in[(i + 1) % kThreads];
    const float expected[] = {a > 0 ? std::min(a, 1.0F) : 0.0F,
                              std::floor(a),
                              std::ceil(a),
                              std::trunc(a),
                              std::nearbyint(a),
                              std::round(a),
                              whole(std::nearbyint(a)),
                              whole(std::floor(a)),
                              whole(std::ceil(a)),
                              whole(std::trunc(a)),
                              clamped(std::trunc(a), 0, 4294967295.0),
                              std::copysign(a, b),
                              std::fmin(a, b),
                              std::fmax(a, b),
                              a > b ? a - b : 0.0F,
                              std::fabs(a),
                              a > b ? a : -b,
                              static_cast<float>((std::isnan(a) ? 1 : 0) + (std::isinf(a) ? 2 : 0) +
                                                 (std::signbit(a) ? 4 : 0)),
                              a * b + 1.0F,
                              static_cast<float>(as_bits(a))};
    for (size_t n = 0; n < std::size(expected); ++n) {
      const float found = out[20 * i + n];
      if (std::isnan(expected[n])) {
        EXPECT_TRUE(std::isnan(found)) << "function " << n << " of " << a << ", " << b;
      } else {
        EXPECT_EQ(found, expected[n]) << "function " << n << " of " << a << ", " << b;
      }
    }
  }
}

TEST(Language, TranscendentalFunctions) {
  TestDevice device(kFile, 1e-5F);
  const auto in = random_floats(kThreads, 0.5F, 8.0F);
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<float>(10 * kThreads);
  device.launch("transcendental", threads(kThreads), to, from, kThreads);
  std::vector<float> expected;
  for (const float a : in) {
    for (const float value :
         {std::sqrt(a), 1 / std::sqrt(a), std::exp(-a), std::log(a), std::sin(a), std::cos(a),
          std::pow(a, 1.5F), std::pow(-a, 3.0F), std::tanh(a), 2 / a})
      expected.push_back(value);
  }
  expect_near(device.download<float>(to, expected.size()), expected, 1e-5F);
}

TEST(Language, VectorsAndNarrowTypes) {
  TestDevice device(kFile);
  std::vector<float> a = random_floats(4 * kThreads, -9, 9);
  std::vector<int> b = random_integers(2 * kThreads, -9, 9);
  std::vector<uint8_t> c(4 * kThreads);
  std::vector<int16_t> d(2 * kThreads);
  std::vector<int8_t> e(kThreads);
  std::vector<uint16_t> f(kThreads);
  for (size_t i = 0; i < c.size(); ++i) c[i] = static_cast<uint8_t>(i * 37);
  for (size_t i = 0; i < d.size(); ++i) d[i] = static_cast<int16_t>(i * 9999);
  for (size_t i = 0; i < e.size(); ++i) e[i] = static_cast<int8_t>(i * 11);
  for (size_t i = 0; i < f.size(); ++i) f[i] = static_cast<uint16_t>(i * 3333);
  const uint32_t at[] = {device.upload(a), device.upload(b), device.upload(c),
                         device.upload(d), device.upload(e), device.upload(f)};
  device.launch("vectors", threads(kThreads), at[0], at[1], at[2], at[3], at[4], at[5]);
  for (size_t i = 0; i < kThreads; ++i) {
    const float v[] = {2 * a[4 * i + 3], a[4 * i + 2], a[4 * i + 1], a[4 * i] + 1};
    std::copy(v, v + 4, &a[4 * i]);
    std::swap(b[2 * i], b[2 * i + 1]);
    c[4 * i] = static_cast<uint8_t>(c[4 * i] + c[4 * i + 3]);
    d[2 * i] = static_cast<int16_t>(d[2 * i] - d[2 * i + 1]);
    e[i] = static_cast<int8_t>(e[i] / 3);
    f[i] = static_cast<uint16_t>(f[i] * 7 >> 1);
  }
  EXPECT_EQ(device.download<float>(at[0], a.size()), a);
  EXPECT_EQ(device.download<int>(at[1], b.size()), b);
  EXPECT_EQ(device.download<uint8_t>(at[2], c.size()), c);
  EXPECT_EQ(device.download<int16_t>(at[3], d.size()), d);
  EXPECT_EQ(device.download<int8_t>(at[4], e.size()), e);
  EXPECT_EQ(device.download<uint16_t>(at[5], f.size()), f);
}

TEST(Language, StructuresAndNarrowParametersByValue) {
  TestDevice device(kFile);
  const uint32_t out = device.allocate<int>(kThreads);
  // The structure's three words, then a short and a char, each in a word of its own.
  device.launch("by_value", threads(kThreads), 50, 1.5F, out, -7, -2);
  const auto found = device.download<int>(out, kThreads);
  for (int i = 0; i < static_cast<int>(kThreads); ++i)
    EXPECT_EQ(found[static_cast<size_t>(i)],
              i < 50 ? static_cast<int>(1.5F * static_cast<float>(i)) * -2 - 7 : 0);
}

int flow(const std::vector<int>& in, int thread) {
  int result = thread;
  for (int i = 0; i < static_cast<int>(in.size()); ++i) {
    switch (static_cast<unsigned>(in[static_cast<size_t>(i)] + thread) % 7) {
      case 0:
        result += 5;
        break;
      case 1:
        result *= 3;
        [[fallthrough]];
      case 2:
        result ^= 9;
        break;
      case 3:
        continue;
      case 5:
        result -= i;
        break;
      default:
        ++result;
    }
    if (result > 1000) break;
    do {
      if ((result & 12) == 12) break;
      result += 3;
    } while ((result & 1) != 0);
    result ^= i;
  }
  return result;
}

TEST(Language, ControlFlow) {
  TestDevice device(kFile);
  const auto in = random_integers(40, 0, 1000);
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<int>(kThreads);
  device.launch("flow", threads(kThreads), to, from, static_cast<int>(in.size()));
  const auto found = device.download<int>(to, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(found[i], flow(in, static_cast<int>(i))) << i;
}

TEST(Language, ArraysOfAThread) {
  TestDevice device(kFile);
  const auto in = random_integers(8, -100, 100);
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<int>(kThreads);
  device.launch("local_array", threads(kThreads), to, from, 13);
  const auto found = device.download<int>(to, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(found[i], (in[5] + in[i & 7]) * static_cast<int>(i));
}

TEST(Language, FunctionsMembersTemplates) {
  TestDevice device(kFile);
  const uint32_t out = device.allocate<int>(2 * kThreads);
  device.launch("functions", threads(kThreads), out, 10);
  const auto found = device.download<int>(out, 2 * kThreads);
  for (int i = 0; i < static_cast<int>(kThreads); ++i) {
    const int b = 20 + (63 - i + 1) + std::max(i + 3, 12);
    EXPECT_EQ(found[2 * static_cast<size_t>(i)], 11);
    EXPECT_EQ(found[2 * static_cast<size_t>(i) + 1], 2 * i + std::max(b, 20));
  }
}

TEST(Language, VariablesInConstantAndGlobalMemory) {
  TestDevice device(kFile);
  const uint32_t out = device.allocate<float>(kThreads);
  ptx::Grid grid = threads(kThreads / 2);
  grid.grid_x = 2;
  device.launch("memories", grid, out);
  const auto found = device.download<float>(out, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(found[i], (1.5F + static_cast<float>(i % 3)) * static_cast<float>(5 + i % 4) + 2);
}

TEST(Language, DynamicSharedMemoryInParts) {
  TestDevice device(kFile);
  const auto in = random_floats(kThreads, 0, 1);
  const uint32_t at = device.upload(in);
  device.launch("partitions", threads(kThreads, 12 * kThreads), at);
  const auto found = device.download<float>(at, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(found[i], in[(kThreads - 1 - i) ^ 1]);
}

TEST(Language, BothHalvesOfWideProducts) {
  TestDevice device(kFile);
  auto in = words();
  in.push_back(0x87654321);
  const uint32_t from = device.upload(in);
  const uint32_t to = device.allocate<uint32_t>(2 * kThreads);
  device.launch("wide", threads(kThreads), to, from);
  const auto found = device.download<uint32_t>(to, 2 * kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint64_t product = static_cast<uint64_t>(in[i]) * in[i + 1];
    EXPECT_EQ(found[2 * i] | static_cast<uint64_t>(found[2 * i + 1]) << 32, product);
  }
}

}  // namespace
}  // namespace gvp::kcc
