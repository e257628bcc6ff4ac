// SPDX-License-Identifier: Apache-2.0
// CUDA C that an optimiser turns into something else (kernels/everyday.cu): what kcc makes of the
// result is what the interpreter makes of it, and what the source says.
#include <cstdlib>

#include "tests/tools/kcc/device.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

class Everyday : public ::testing::Test {
 protected:
  template <typename... Parameters>
  std::vector<uint32_t> results(const char* kernel, Parameters... parameters) {
    const uint32_t to = device_.allocate<uint32_t>(8 * kThreads);
    ptx::Grid grid;
    grid.block_x = kThreads;
    device_.launch(kernel, grid, to, parameters...);
    return device_.download<uint32_t>(to, 8 * kThreads);
  }

  TestDevice device_{"tests/tools/kcc/kernels/everyday.cu"};
};

int weighted(int count, int weight) { return weight * count * (count - 1) / 2; }

TEST_F(Everyday, FunctionsThatAreNotToBeInlined) {
  const auto found = results("calls", 5);
  for (int t = 0; t < 32; ++t) {
    const int x = t + 5;
    const int expected = x + (t + 1) * 5 + t + 2 - weighted(5, x) + weighted(t, 5);
    EXPECT_EQ(found[static_cast<size_t>(t)], static_cast<uint32_t>(expected)) << t;
  }
}

// As closed forms they would take products of 64 bits, which the machine has not.
TEST_F(Everyday, SumsOfLoops) {
  EXPECT_EQ(results("squares", 1000)[7], 332833500u);
  const auto sums = results("every_third", 100u);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = t; i < 100; i += 3) sum += i;
    EXPECT_EQ(sums[t], sum) << t;
  }
}

TEST_F(Everyday, ArraysOfZerosAndTables) {
  const auto zeros = results("zeros", 0);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(zeros[t], t) << t;
  const uint32_t digits[] = {3, 1, 4, 1, 5, 9, 2, 6};
  const auto table = results("table", 3);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(table[t], digits[(t + 3) & 7]) << t;
}

TEST_F(Everyday, Switches) {
  const auto chosen = results("choose", -1);
  const uint32_t cases[] = {0, 17, 5, 99, 0U - 4, 1000, 0};
  for (uint32_t t = 0; t < 7; ++t) EXPECT_EQ(chosen[t], cases[t]) << t;
  const auto branches = results("branches", 0);
  EXPECT_EQ(branches[1], 6u);
  EXPECT_EQ(branches[2], 2u ^ 99u);
  EXPECT_EQ(branches[19], 19u / 7);
  EXPECT_EQ(branches[20], 20u % 5);
  EXPECT_EQ(branches[25], 7u);
  EXPECT_EQ(branches[64 + (2 ^ 99)], 1u);
}

TEST_F(Everyday, StructuresByValue) {
  const auto found = results("records", 10, 20, 30, 40, 50, 1.5F);
  for (uint32_t t = 0; t < kThreads; ++t) {
    for (uint32_t i = 0; i < 5; ++i)
      EXPECT_EQ(found[6 * t + i], 10 * (i + 1) + (t % 5 == i ? 3 : 0)) << t;
    EXPECT_EQ(found[6 * t + 5], 0x3fc00000u);
  }
}

TEST_F(Everyday, LoopsUntilZero) {
  const auto found = results("gcd", 48u, 36u);
  EXPECT_EQ(found[0] >> 8, 12u);
  EXPECT_EQ(found[3] >> 8, 3u);
  EXPECT_EQ(found[0] & 0xff, static_cast<uint32_t>(__builtin_popcount(12u * 1234567)));
}

TEST_F(Everyday, BytesAndHalves) {
  std::vector<uint8_t> in(101);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(37 * i);
  const std::vector<int16_t> halves(100, 1000);
  const uint32_t from = device_.upload(in);
  const uint32_t both = device_.upload(halves);
  const uint32_t to = device_.allocate<uint8_t>(100);
  ptx::Grid grid;
  grid.block_x = kThreads;
  device_.launch("narrow", grid, to, from, both, 100);
  const auto bytes = device_.download<uint8_t>(to, 100);
  const auto sums = device_.download<int16_t>(both, 100);
  for (size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(bytes[i], static_cast<uint8_t>((in[i] * 77 + in[i + 1] * 150 + 29) >> 8)) << i;
    EXPECT_EQ(sums[i], 1000 + static_cast<int8_t>(in[i])) << i;
  }
}

TEST_F(Everyday, RotationsSwapsAndOverflows) {
  const auto found = results("words", 0x80000001u, 0x7fffffffu);
  EXPECT_EQ(found[0], 0x000000c0u);
  EXPECT_EQ(found[1], 0x01000080u);
  EXPECT_EQ(found[2], 0xffffffffu);
  EXPECT_EQ(found[4 + 1], __builtin_bswap32(0x80000001u + 0x01020304u));
}

TEST_F(Everyday, PowersFactorialsAndPolynomials) {
  const auto found = results("series", 2.0F, 5);
  float value = 0;
  std::memcpy(&value, &found[0], 4);
  EXPECT_EQ(value, 32.0F + 120.0F + (((1 * 5 + 2) * 5 + 3) * 5 + 4));
}

// At -O2 clang knows that a counter is the number that it has reached, and brings that instead.
TEST_F(Everyday, LoopsWithTwoWaysOut) {
  const auto agree = results("agreement", 20);
  const auto escape = results("escape", 20);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t steps = 0;
    for (uint32_t a = t, b = 3; steps < 20 && ((a ^ b) & 4) == 0; ++steps) {
      a = a * 5 + 1;
      b = b * 3 + 7;
    }
    EXPECT_EQ(agree[t], steps) << t;
    float x = 0;
    for (steps = 0; steps < 20; ++steps) {
      x = x * x + (0.0625F * static_cast<float>(t) - 1.5F);
      if (x > 2) break;
    }
    EXPECT_EQ(escape[t], steps) << t;
  }
}

// Ways to place queens in the rows from this one on.
uint32_t ways(std::vector<int>& columns, int n) {
  const int row = static_cast<int>(columns.size());
  if (row == n) return 1;
  uint32_t sum = 0;
  for (int next = 0; next < n; ++next) {
    bool free = true;
    for (int i = 0; i < row; ++i) {
      const int column = columns[static_cast<size_t>(i)];
      free &= column != next && std::abs(column - next) != row - i;
    }
    if (!free) continue;
    columns.push_back(next);
    sum += ways(columns, n);
    columns.pop_back();
  }
  return sum;
}

TEST_F(Everyday, Backtracking) {
  const auto found = results("queens", 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    std::vector<int> columns{static_cast<int>(t) % 5};
    EXPECT_EQ(found[t], ways(columns, 5)) << t;
  }
}

}  // namespace
}  // namespace gvp::kcc
