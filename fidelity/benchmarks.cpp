// SPDX-License-Identifier: Apache-2.0
#include "fidelity/benchmarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

// Numbers that look random and are the same every time (xorshift); firmware/apps/thesis.c has the
// same seeds.
Words numbers(size_t count, uint32_t seed) {
  Words words(count);
  uint32_t x = seed;
  for (uint32_t& word : words) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    word = x;
  }
  return words;
}

Launch autocorr(uint32_t n, unsigned threads) {
  Launch launch;
  launch.grid = std::to_string(n / threads);
  launch.block = std::to_string(threads);
  launch.a = numbers(n, 1);
  launch.parameters = {kInputA, kOutput, n};
  launch.expected = Words(n);
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t i = 0; i < n - k; ++i) launch.expected[k] += launch.a[i] * launch.a[i + k];
  return launch;
}

// In smaller blocks than one of all values each does the steps of the whole network on the same
// first values, which the blocks overwrite for each other: that has a time, but no right result.
Launch bitonic(uint32_t n, unsigned threads) {
  Launch launch;
  launch.grid = std::to_string(n / threads);
  launch.block = std::to_string(threads);
  launch.a = numbers(n, 2);
  launch.parameters = {kInputA, n};
  launch.result = kInputA;
  if (threads == n) {
    launch.expected = launch.a;
    std::sort(launch.expected.begin(), launch.expected.end(), [](uint32_t x, uint32_t y) {
      return static_cast<int32_t>(x) < static_cast<int32_t>(y);
    });
  }
  return launch;
}

Launch reduction(uint32_t n, unsigned threads) {
  Launch launch;
  launch.grid = std::to_string(n / 2 / threads);
  launch.block = std::to_string(threads);
  launch.a = numbers(n, 3);
  launch.parameters = {kInputA, kOutput};
  launch.expected = Words(n / 2 / threads);
  for (uint32_t i = 0; i < n; ++i) launch.expected[i / (2 * threads)] += launch.a[i];
  return launch;
}

Launch matrixmul(uint32_t n) {
  Launch launch;
  launch.grid = fmt::format("{0},{0}", n / 16);
  launch.block = "16,16";
  launch.a = numbers(n * n, 4);
  launch.b = numbers(n * n, 5);
  launch.parameters = {kInputA, kInputB, kOutput, n};
  launch.expected = Words(n * n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t column = 0; column < n; ++column)
        launch.expected[row * n + column] += launch.a[row * n + i] * launch.b[i * n + column];
  return launch;
}

Launch transpose(uint32_t n) {
  Launch launch;
  launch.grid = fmt::format("{0},{0}", n / 32);
  launch.block = "32,8";
  launch.a = numbers(n * n, 6);
  launch.parameters = {kInputA, kOutput, n};
  launch.expected = Words(n * n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column)
      launch.expected[column * n + row] = launch.a[row * n + column];
  return launch;
}

}  // namespace

Launch launch_of(const std::string& benchmark, uint32_t size, const Blocks& blocks) {
  if (benchmark == "autocorr") return autocorr(size, blocks.threads);
  if (benchmark == "bitonic") return bitonic(size, blocks.sort_in_one ? size : blocks.threads);
  if (benchmark == "reduction") return reduction(size, std::min(blocks.threads, size / 2));
  if (benchmark == "matrixmul") return matrixmul(size);
  if (benchmark == "transpose") return transpose(size);
  throw model_error("no benchmark \"" + benchmark + '"');
}

uint32_t host_checksum(const std::string& benchmark, uint32_t size) {
  Words result;
  if (benchmark == "reduction") {
    result = Words(1);
    for (const uint32_t word : numbers(size, 3)) result[0] += word;
  } else {
    result = launch_of(benchmark, size, {}).expected;
  }
  uint32_t sum = 2166136261u;
  for (const uint32_t word : result) sum = (sum ^ word) * 16777619u;
  return sum;
}

}  // namespace gvp::fidelity
