// SPDX-License-Identifier: Apache-2.0
// The two networks: three convolutional layers of 16 maps, each behind it the largest of 2x2
// pixels; and two layers of convolution and small networks (of which the first takes 4 of 16 maps,
// the second all), behind which each map is averaged.  Filters are 3x3 (the paper does not say),
// weights random.
#include <algorithm>
#include <type_traits>

#include "tests/opencl/benchmarks.h"

namespace gvp::test {
namespace {

constexpr uint32_t kMaps = 16;
constexpr uint32_t kColours = 3;
constexpr int kShift = 8;
constexpr uint32_t kSparse = 4;

template <typename T>
T product(T a, T b) {
  return a * b;
}
template <typename T>
T scaled(T sum) {
  if constexpr (std::is_integral_v<T>)
    return sum >> kShift;
  else
    return sum;
}

// Weights that keep values of the size they have.
template <typename T>
std::vector<T> weights(std::size_t count, uint32_t seed) {
  std::vector<T> values = random_numbers<T>(count, seed);
  if constexpr (std::is_integral_v<T>)
    for (T& value : values) value /= 2;
  else
    for (T& value : values) value *= 0.25f;
  return values;
}

template <typename T>
struct Images {
  std::vector<T> pixels;
  uint32_t maps;
  uint32_t size;
};

template <typename T>
Images<T> convolved(const Images<T>& in, const std::vector<T>& weight, const std::vector<T>& bias) {
  const auto size = static_cast<int>(in.size);
  Images<T> out{std::vector<T>(std::size_t{kMaps} * in.size * in.size), kMaps, in.size};
  for (uint32_t map = 0; map < kMaps; ++map)
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        T sum = 0;
        const T* w = &weight[std::size_t{map} * in.maps * 9];
        for (uint32_t m = 0; m < in.maps; ++m)
          for (int j = y - 1; j <= y + 1; ++j)
            for (int i = x - 1; i <= x + 1; ++i, ++w) {
              const bool inside = i >= 0 && i < size && j >= 0 && j < size;
              const std::size_t at =
                  (std::size_t{m} * in.size + static_cast<std::size_t>(inside ? j : 0)) * in.size +
                  static_cast<std::size_t>(inside ? i : 0);
              sum += inside ? product(in.pixels[at], *w) : T{0};
            }
        out.pixels[(std::size_t{map} * in.size + static_cast<std::size_t>(y)) * in.size +
                   static_cast<std::size_t>(x)] =
            std::max(static_cast<T>(scaled(sum) + bias[map]), T{0});
      }
  return out;
}

template <typename T>
Images<T> pooled(const Images<T>& in) {
  const uint32_t half = in.size / 2;
  Images<T> out{std::vector<T>(std::size_t{in.maps} * half * half), in.maps, half};
  for (uint32_t map = 0; map < in.maps; ++map)
    for (uint32_t y = 0; y < half; ++y)
      for (uint32_t x = 0; x < half; ++x) {
        const T* p = &in.pixels[(std::size_t{map} * in.size + 2 * y) * in.size + 2 * x];
        out.pixels[(std::size_t{map} * half + y) * half + x] =
            std::max(std::max(p[0], p[1]), std::max(p[in.size], p[in.size + 1]));
      }
  return out;
}

template <typename T>
Images<T> by_pixel(const Images<T>& in, const std::vector<T>& weight, uint32_t taken) {
  const std::size_t pixels = std::size_t{in.size} * in.size;
  Images<T> out{std::vector<T>(kMaps * pixels), kMaps, in.size};
  for (uint32_t map = 0; map < kMaps; ++map)
    for (std::size_t p = 0; p < pixels; ++p) {
      T sum = 0;
      for (uint32_t m = 0; m < taken; ++m)
        sum += product(in.pixels[(map / taken * taken + m) * pixels + p], weight[map * taken + m]);
      out.pixels[map * pixels + p] = std::max(scaled(sum), T{0});
    }
  return out;
}

// A layer on the device and on the host.
template <typename T>
struct Network {
  Session& session;
  Images<T> images;  // as the host has computed them
  uint32_t at;       // where the device has them

  void convolve(uint32_t seed) {
    const auto weight = weights<T>(std::size_t{kMaps} * images.maps * 9, seed);
    const auto bias = random_numbers<T>(kMaps, seed + 1);
    const uint32_t out = session.reserve(4 * std::size_t{kMaps} * images.size * images.size);
    const uint32_t side = std::min(images.size, 8u);
    session.use("cnn.cl", options_for<T>());
    session.run("convolutional_layer", {images.size, images.size, kMaps}, {side, side, 1}, out, at,
                session.put(weight), session.put(bias), images.size, images.size, images.maps);
    images = convolved(images, weight, bias);
    at = out;
  }
  void pool() {
    const uint32_t half = images.size / 2;
    const uint32_t out = session.reserve(4 * std::size_t{kMaps} * half * half);
    const uint32_t side = std::min(half, 8u);
    session.use("cnn.cl", options_for<T>());
    session.run("max_pooling_layer", {half, half, kMaps}, {side, side, 1}, out, at, half, half);
    images = pooled(images);
    at = out;
  }
  void each_pixel(uint32_t seed, uint32_t taken) {
    const auto weight = weights<T>(std::size_t{kMaps} * taken, seed);
    const uint32_t pixels = images.size * images.size;
    const uint32_t out = session.reserve(4 * std::size_t{kMaps} * pixels);
    session.use("nin.cl", options_for<T>());
    session.run("pixel_layer", {pixels, 1, kMaps}, {64, 1, 1}, out, at, session.put(weight), pixels,
                taken);
    images = by_pixel(images, weight, taken);
    at = out;
  }
  std::string check() {
    return difference(session.get<T>(at, images.pixels.size()), images.pixels);
  }
};

template <typename T>
Network<T> network_on(Session& session, uint32_t size) {
  const auto pixels = random_numbers<T>(std::size_t{kColours} * size * size, 20);
  const uint32_t at = session.put(pixels);
  return {session, {pixels, kColours, size}, at};
}

}  // namespace

template <typename T>
BenchmarkResult run_cnn(uint32_t size, bool approximately_timed) {
  Session session("cnn.cl", options_for<T>(), approximately_timed);
  Network<T> network = network_on<T>(session, size);
  std::string problem;
  for (uint32_t layer = 0; layer < 3 && problem.empty(); ++layer) {
    network.convolve(21 + 2 * layer);
    problem = network.check();
    network.pool();
    if (problem.empty()) problem = network.check();
  }
  return result_of(session, problem);
}
template BenchmarkResult run_cnn<int32_t>(uint32_t, bool);
template BenchmarkResult run_cnn<float>(uint32_t, bool);

template <typename T>
BenchmarkResult run_nin(uint32_t size, bool approximately_timed) {
  Session session("nin.cl", options_for<T>(), approximately_timed);
  Network<T> network = network_on<T>(session, size);
  std::string problem;
  for (uint32_t layer = 0; layer < 2 && problem.empty(); ++layer) {
    network.convolve(31 + 4 * layer);
    problem = network.check();
    network.each_pixel(33 + 4 * layer, kSparse);
    if (problem.empty()) problem = network.check();
    network.each_pixel(34 + 4 * layer, kMaps);
    if (problem.empty()) problem = network.check();
  }
  // Each map's average: rows on the device, the rest is the host's.
  const uint32_t sums = session.reserve(4 * std::size_t{kMaps} * size);
  session.run("row_sums", {(size + 15) / 16 * 16, 1, kMaps}, {16, 1, 1}, sums, network.at, size,
              size);
  std::vector<T> expected(std::size_t{kMaps} * size);
  for (std::size_t row = 0; row < expected.size(); ++row)
    for (uint32_t x = 0; x < size; ++x) expected[row] += network.images.pixels[row * size + x];
  if (problem.empty()) problem = difference(session.get<T>(sums, expected.size()), expected);
  return result_of(session, problem);
}
template BenchmarkResult run_nin<int32_t>(uint32_t, bool);
template BenchmarkResult run_nin<float>(uint32_t, bool);

}  // namespace gvp::test
