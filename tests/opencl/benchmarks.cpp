// SPDX-License-Identifier: Apache-2.0
#include "tests/opencl/benchmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>
#include <type_traits>

namespace gvp::test {
namespace {

constexpr int kShift = 8;  // fraction bits of integers

// Integers wrap around as the machine's do.
template <typename T>
T plus_product(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return sum + a * b;
  } else {
    return static_cast<T>(static_cast<uint32_t>(sum) +
                          static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
  }
}

template <typename T>
BenchmarkResult matrix_add(uint32_t size, bool timed) {
  Session session("matrix_add.cl", options_for<T>(), timed);
  const auto a = random_numbers<T>(size * size, 1);
  const auto b = random_numbers<T>(size * size, 2);
  std::vector<T> expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = a[i] + b[i];
  const uint32_t c = session.reserve(4 * a.size());
  session.run("matrix_add", {size, size, 1}, kTile, c, session.put(a), session.put(b), size);
  return result_of(session, difference(session.get<T>(c, a.size()), expected));
}

template <typename T>
BenchmarkResult matrix_multiply(uint32_t size, bool timed) {
  Session session("matrix_multiply.cl", options_for<T>(), timed);
  const auto a = random_numbers<T>(size * size, 3);
  const auto b = random_numbers<T>(size * size, 4);
  std::vector<T> expected(a.size());
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t k = 0; k < size; ++k)
      for (uint32_t x = 0; x < size; ++x)
        expected[y * size + x] =
            plus_product(expected[y * size + x], a[y * size + k], b[k * size + x]);
  const uint32_t c = session.reserve(4 * a.size());
  session.run("matrix_multiply", {size, size, 1}, kTile, c, session.put(a), session.put(b), size);
  return result_of(session, difference(session.get<T>(c, a.size()), expected));
}

template <typename T>
BenchmarkResult convolution(uint32_t size, bool timed) {
  constexpr int kRadius = 2;
  constexpr int kWidth = 2 * kRadius + 1;
  Session session("convolution.cl", options_for<T>(), timed);
  const auto image = random_numbers<T>(size * size, 5);
  const auto filter = random_numbers<T>(kWidth * kWidth, 6);
  std::vector<T> expected(image.size());
  const int last = static_cast<int>(size) - 1;
  for (int y = 0; y <= last; ++y)
    for (int x = 0; x <= last; ++x) {
      T sum = 0;
      for (int j = 0; j < kWidth; ++j)
        for (int i = 0; i < kWidth; ++i) {
          const int row = std::clamp(y + j - kRadius, 0, last);
          const int column = std::clamp(x + i - kRadius, 0, last);
          sum = plus_product(sum, image[static_cast<std::size_t>(row * (last + 1) + column)],
                             filter[static_cast<std::size_t>(j * kWidth + i)]);
        }
      if constexpr (std::is_integral_v<T>) sum >>= kShift;
      expected[static_cast<std::size_t>(y * (last + 1) + x)] = sum;
    }
  const uint32_t out = session.reserve(4 * image.size());
  session.run("convolve", {size, size, 1}, kTile, out, session.put(image), session.put(filter),
              size, size, kRadius);
  return result_of(session, difference(session.get<T>(out, image.size()), expected));
}

BenchmarkResult transpose(uint32_t size, bool timed) {
  Session session("transpose.cl", {}, timed);
  const auto in = random_numbers<int32_t>(size * size, 7);
  std::vector<int32_t> expected(in.size());
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t x = 0; x < size; ++x) expected[x * size + y] = in[y * size + x];
  const uint32_t out = session.reserve(4 * in.size());
  session.run("transpose", {size, size, 1}, kTile, out, session.put(in), size);
  return result_of(session, difference(session.get<int32_t>(out, in.size()), expected));
}

BenchmarkResult bitonic_sort(uint32_t size, bool timed) {
  Session session("bitonic_sort.cl", {}, timed);
  std::mt19937 random(8);
  std::vector<int32_t> values(size * size);
  for (int32_t& value : values) value = static_cast<int32_t>(random());
  const uint32_t at = session.put(values);
  uint32_t stages = 0;
  while (uint64_t{1} << stages < values.size()) ++stages;
  const auto pairs = static_cast<uint32_t>(values.size() / 2);
  for (uint32_t stage = 0; stage < stages; ++stage)
    for (uint32_t pass = 0; pass <= stage; ++pass)
      session.run("bitonic_pass", {pairs, 1, 1}, {64, 1, 1}, at, stage, pass);
  std::sort(values.begin(), values.end());
  return result_of(session, difference(session.get<int32_t>(at, values.size()), values));
}

// The host moves the centres; the device finds the nearest.
BenchmarkResult k_means(uint32_t size, bool timed) {
  constexpr uint32_t kClusters = 5;
  constexpr uint32_t kFeatures = 8;
  constexpr unsigned kMostRounds = 4;
  const uint32_t points = size * size;
  Session session("k_means.cl", {}, timed);
  const auto features = random_numbers<float>(points * kFeatures, 9);
  std::vector<float> centres(kClusters * kFeatures);
  for (uint32_t c = 0; c < kClusters; ++c)
    for (uint32_t d = 0; d < kFeatures; ++d) centres[c * kFeatures + d] = features[d * points + c];
  const uint32_t member = session.reserve(4 * points);
  const uint32_t data = session.put(features);
  const uint32_t centre = session.put(centres);
  std::string problem;
  for (unsigned round = 0; round < kMostRounds && problem.empty(); ++round) {
    session.set(centre, centres);
    session.run("nearest_centre", {points, 1, 1}, {64, 1, 1}, member, data, centre, points,
                kClusters, kFeatures);
    const auto got = session.get<int32_t>(member, points);
    std::vector<int32_t> expected(points);
    std::vector<float> sums(kClusters * kFeatures);
    std::vector<uint32_t> counts(kClusters);
    for (uint32_t p = 0; p < points; ++p) {
      float best = FLT_MAX;
      for (uint32_t c = 0; c < kClusters; ++c) {
        float distance = 0.0f;
        for (uint32_t d = 0; d < kFeatures; ++d) {
          const float difference = features[d * points + p] - centres[c * kFeatures + d];
          distance = plus_product(distance, difference, difference);
        }
        if (!(distance < best)) continue;
        best = distance;
        expected[p] = static_cast<int32_t>(c);
      }
      const auto c = static_cast<uint32_t>(expected[p]);
      ++counts[c];
      for (uint32_t d = 0; d < kFeatures; ++d) sums[c * kFeatures + d] += features[d * points + p];
    }
    problem = difference(got, expected);
    for (uint32_t c = 0; c < kClusters; ++c)
      for (uint32_t d = 0; d < kFeatures && counts[c] != 0; ++d)
        centres[c * kFeatures + d] = sums[c * kFeatures + d] / static_cast<float>(counts[c]);
  }
  return result_of(session, problem);
}

BenchmarkResult gaussian_elimination(uint32_t size, bool timed) {
  Session session("gaussian_elimination.cl", {"-cl-fp32-correctly-rounded-divide-sqrt"}, timed);
  auto a = random_numbers<float>(size * size, 10);
  auto b = random_numbers<float>(size, 11);
  for (uint32_t i = 0; i < size; ++i)
    a[i * size + i] += static_cast<float>(size);  // no pivots needed
  const uint32_t matrix = session.put(a);
  const uint32_t right = session.put(b);
  const uint32_t multiplier = session.reserve(4 * size);
  for (uint32_t t = 0; t + 1 < size; ++t) {
    session.run("multipliers", {size, 1, 1}, {16, 1, 1}, multiplier, matrix, size, t);
    session.run("eliminate", {size, size, 1}, kTile, matrix, right, multiplier, size, t);
    for (uint32_t row = t + 1; row < size; ++row) {
      const float factor = a[row * size + t] / a[t * size + t];
      for (uint32_t column = t; column < size; ++column) {
        const float product = factor * a[t * size + column];
        a[row * size + column] -= product;
      }
      const float product = factor * b[t];
      b[row] -= product;
    }
  }
  std::string problem = difference(session.get<float>(matrix, a.size()), a);
  if (problem.empty()) problem = difference(session.get<float>(right, b.size()), b);
  return result_of(session, problem);
}

BenchmarkResult pooling(const std::string& kernel, int32_t (*pool)(std::vector<int32_t>),
                        uint32_t size, bool timed) {
  Session session("pooling.cl", {}, timed);
  const auto in = random_numbers<int32_t>(size * size, 12);
  const uint32_t half = size / 2;
  std::vector<int32_t> expected(half * half);
  for (uint32_t y = 0; y < half; ++y)
    for (uint32_t x = 0; x < half; ++x) {
      const int32_t* const pixel = &in[2 * y * size + 2 * x];
      expected[y * half + x] = pool({pixel[0], pixel[1], pixel[size], pixel[size + 1]});
    }
  const uint32_t out = session.reserve(4 * expected.size());
  session.run(kernel, {half, half, 1}, kTile, out, session.put(in), half);
  return result_of(session, difference(session.get<int32_t>(out, expected.size()), expected));
}

int32_t largest(std::vector<int32_t> values) {
  return *std::max_element(values.begin(), values.end());
}
int32_t median(std::vector<int32_t> values) {
  std::sort(values.begin(), values.end());
  return (values[1] + values[2]) >> 1;
}
int32_t average(std::vector<int32_t> values) {
  return (values[0] + values[1] + values[2] + values[3]) >> 2;
}

}  // namespace

template <typename T>
std::vector<T> random_numbers(std::size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, float>)
      value = static_cast<float>(static_cast<int32_t>(random() >> 8)) / 8388608.0f - 1.0f;
    else
      value = static_cast<T>(static_cast<int32_t>(random() & 255) - 128);
  }
  return values;
}
template std::vector<int32_t> random_numbers(std::size_t, uint32_t);
template std::vector<float> random_numbers(std::size_t, uint32_t);

template <typename T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0)
      return fmt::format("element {} is {}, not {}", i, got[i], expected[i]);
  return "";
}
template std::string difference(const std::vector<int32_t>&, const std::vector<int32_t>&);
template std::string difference(const std::vector<float>&, const std::vector<float>&);

BenchmarkResult result_of(const Session& session, std::string problem) {
  return {std::move(problem), session.cycles(), session.instructions(), session.lane_instructions(),
          session.launches()};
}

template <>
std::vector<std::string> options_for<int32_t>() {
  return {"-DT=int", fmt::format("-DSHIFT={}", kShift)};
}
template <>
std::vector<std::string> options_for<float>() {
  return {"-DT=float"};
}

const std::vector<OpenClBenchmark>& opencl_benchmarks() {
  static const auto pool = [](const char* kernel, int32_t (*function)(std::vector<int32_t>)) {
    return [=](uint32_t size, bool timed) { return pooling(kernel, function, size, timed); };
  };
  static const std::vector<OpenClBenchmark> all = {
      {"matrix add, integer", matrix_add<int32_t>},
      {"matrix add, float", matrix_add<float>},
      {"matrix multiplication, integer", matrix_multiply<int32_t>},
      {"matrix multiplication, float", matrix_multiply<float>},
      {"matrix transpose", transpose},
      {"Gaussian elimination", gaussian_elimination},
      {"bitonic sort", bitonic_sort},
      {"2D convolution, integer", convolution<int32_t>},
      {"2D convolution, float", convolution<float>},
      {"k-means", k_means},
      {"max pooling", pool("max_pooling", largest)},
      {"median pooling", pool("median_pooling", median)},
      {"average pooling", pool("average_pooling", average)},
      {"CNN, integer", run_cnn<int32_t>},
      {"CNN, float", run_cnn<float>},
      {"NIN, integer", run_nin<int32_t>},
      {"NIN, float", run_nin<float>}};
  return all;
}

}  // namespace gvp::test
