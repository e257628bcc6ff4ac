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

Workload autocorr(uint32_t n, unsigned threads) {
  Workload work;
  work.launches = {
      {"autocorr", std::to_string(n / threads), std::to_string(threads), {kInputA, kOutput, n}}};
  work.a = numbers(n, 1);
  work.expected = Words(n);
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t i = 0; i < n - k; ++i) work.expected[k] += work.a[i] * work.a[i + k];
  return work;
}

// Blocks take their own values through all steps of the network that stay within a block; steps
// between blocks are launches of their own.
Workload bitonic(uint32_t n, unsigned threads) {
  Workload work;
  const std::string grid = std::to_string(n / threads), block = std::to_string(threads);
  uint32_t bits = 0;
  while (1u << bits < threads) ++bits;
  work.launches = {{"bitonic", grid, block, {kInputA, bits, 2, threads}}};
  for (uint32_t k = 2 * threads; k <= n; k *= 2) {
    for (uint32_t j = k / 2; j >= threads; j /= 2)
      work.launches.push_back({"bitonic_step", grid, block, {kInputA, bits, k, j}});
    work.launches.push_back({"bitonic", grid, block, {kInputA, bits, k, k}});
  }
  work.a = numbers(n, 2);
  work.result = kInputA;
  work.expected = work.a;
  std::sort(work.expected.begin(), work.expected.end(), [](uint32_t x, uint32_t y) {
    return static_cast<int32_t>(x) < static_cast<int32_t>(y);
  });
  return work;
}

Workload reduction(uint32_t n, unsigned threads) {
  Workload work;
  const uint32_t blocks = n / 2 / threads;
  work.launches = {
      {"reduction", std::to_string(blocks), std::to_string(threads), {kInputA, kOutput}}};
  work.a = numbers(n, 3);
  work.expected = Words(blocks);
  for (uint32_t i = 0; i < n; ++i) work.expected[i / (2 * threads)] += work.a[i];
  return work;
}

Workload matrixmul(uint32_t n) {
  Workload work;
  work.launches = {
      {"matrixmul", fmt::format("{0},{0}", n / 16), "16,16", {kInputA, kInputB, kOutput, n}}};
  work.a = numbers(n * n, 4);
  work.b = numbers(n * n, 5);
  work.expected = Words(n * n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t column = 0; column < n; ++column)
        work.expected[row * n + column] += work.a[row * n + i] * work.b[i * n + column];
  return work;
}

Workload transpose(uint32_t n) {
  Workload work;
  work.launches = {{"transpose", fmt::format("{0},{0}", n / 32), "32,8", {kInputA, kOutput, n}}};
  work.a = numbers(n * n, 6);
  work.expected = Words(n * n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column)
      work.expected[column * n + row] = work.a[row * n + column];
  return work;
}

}  // namespace

Workload workload_of(const std::string& benchmark, uint32_t size, const Blocks& blocks) {
  if (benchmark == "autocorr") return autocorr(size, blocks.threads);
  if (benchmark == "bitonic") return bitonic(size, std::min(blocks.sort_threads, size));
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
    result = workload_of(benchmark, size, {}).expected;
  }
  uint32_t sum = 2166136261u;
  for (const uint32_t word : result) sum = (sum ^ word) * 16777619u;
  return sum;
}

}  // namespace gvp::fidelity
