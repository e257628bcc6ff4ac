// SPDX-License-Identifier: Apache-2.0
// The 17 benchmarks of the SCRATCH paper (section 4) on MIAOW's compute unit.  `size`: images and
// matrices are size x size; a power of two, 16 at least.  k-means and the bitonic sort take size x
// size points and numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/opencl/session.h"

namespace gvp::test {

struct BenchmarkResult {
  std::string problem;  // the first difference from what C++ computes; "": none
  uint64_t cycles = 0;
  uint64_t instructions = 0;       // of wavefronts
  uint64_t lane_instructions = 0;  // of vector operations
  uint64_t launches = 0;
};

struct OpenClBenchmark {
  std::string name;
  std::function<BenchmarkResult(uint32_t size, bool approximately_timed)> run;
};
const std::vector<OpenClBenchmark>& opencl_benchmarks();

// What they are made of.
template <typename T>
std::vector<T> random_numbers(std::size_t count,
                              uint32_t seed);  // small: integers -128..127, floats -1..1
template <typename T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected);
BenchmarkResult result_of(const Session& session, std::string problem);
// -DT=int -DSHIFT=8 or -DT=float.
template <typename T>
std::vector<std::string> options_for();
// 8x8 work-items.
inline constexpr Extents kTile{8, 8, 1};

template <typename T>
BenchmarkResult run_cnn(uint32_t size, bool approximately_timed);
template <typename T>
BenchmarkResult run_nin(uint32_t size, bool approximately_timed);

}  // namespace gvp::test
