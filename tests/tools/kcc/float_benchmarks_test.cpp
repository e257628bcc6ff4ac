// SPDX-License-Identifier: Apache-2.0
// The single precision benchmarks in CUDA C, compiled, run and compared with plain C++ in double
// precision.
#include <cmath>
#include <cstring>

#include "tests/tools/kcc/device.h"

namespace gvp::kcc {
namespace {

// Division and the special functions are off by up to two units of the last place, which adds up.
constexpr float kTolerance = 2e-5F;

uint32_t u(int value) { return static_cast<uint32_t>(value); }
ptx::Grid line(int blocks, int threads, int shared = 0) {
  return {u(blocks), 1, u(threads), 1, 1, u(shared)};
}
std::vector<float> narrowed(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::vector<int> sizes() {
  const char* text = std::getenv("GVP_BENCHMARK_SIZE");
  return {16, text == nullptr ? 48 : std::max(16, std::atoi(text) / 16 * 16)};
}
class FloatBenchmark : public ::testing::TestWithParam<int> {
 protected:
  int n = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Sizes, FloatBenchmark, ::testing::ValuesIn(sizes()));

// Diagonally dominant, so that elimination needs no pivots.
std::vector<float> matrix(int n) {
  auto a = random_floats(u(n * n), -1, 1);
  for (int i = 0; i < n; ++i) a[u(i * n + i)] += static_cast<float>(n);
  return a;
}

TEST_P(FloatBenchmark, ScalarProduct) {
  TestDevice device("scalar_product.cu");
  const int pairs = 3;
  const int length = 5 * n;
  const auto a = random_floats(u(pairs * length), -1, 1, 1);
  const auto b = random_floats(u(pairs * length), -1, 1, 2);
  const uint32_t at_a = device.upload(a);
  const uint32_t at_b = device.upload(b);
  const uint32_t out = device.allocate<float>(u(pairs));
  device.launch("scalar_product", line(pairs, 32, 128), at_a, at_b, out, length);
  std::vector<double> expected(u(pairs));
  for (int i = 0; i < pairs * length; ++i) {
    expected[u(i / length)] += static_cast<double>(a[u(i)]) * static_cast<double>(b[u(i)]);
  }
  expect_near(device.download<float>(out, u(pairs)), narrowed(expected), kTolerance);
}

TEST_P(FloatBenchmark, KMeans) {
  TestDevice device("kmeans.cu");
  const int count = 8 * n;
  const int clusters = 5;
  const int dimensions = 4;
  const auto points = random_floats(u(count * dimensions), 0, 10, 1);
  const auto centres = random_floats(u(clusters * dimensions), 0, 10, 2);
  const uint32_t given = device.upload(points);
  const uint32_t at_points = device.allocate<float>(points.size());
  std::vector<uint32_t> centre_words(centres.size());
  std::memcpy(centre_words.data(), centres.data(), 4 * centres.size());
  device.set_constant("centres", centre_words);
  const uint32_t out = device.allocate<int>(u(count));
  device.launch("kmeans_turn", line((count + 63) / 64, 64), given, at_points, count, dimensions);
  device.launch("kmeans", line((count + 63) / 64, 64), at_points, out, count, clusters, dimensions);
  const auto found = device.download<int>(out, u(count));
  const auto distance = [&](int point, int cluster) {
    float sum = 0;
    for (int d = 0; d < dimensions; ++d) {
      const float difference =
          points[u(point * dimensions + d)] - centres[u(cluster * dimensions + d)];
      sum += difference * difference;
    }
    return sum;
  };
  for (int point = 0; point < count; ++point) {
    ASSERT_GE(found[u(point)], 0);
    for (int cluster = 0; cluster < clusters; ++cluster) {
      ASSERT_LE(distance(point, found[u(point)]), distance(point, cluster)) << "point " << point;
    }
  }
}

TEST_P(FloatBenchmark, GaussianElimination) {
  TestDevice device("gaussian.cu", kTolerance);
  const auto a = matrix(n);
  const auto b = random_floats(u(n), -1, 1, 3);
  const uint32_t at_a = device.upload(a);
  const uint32_t at_b = device.upload(b);
  const uint32_t multipliers = device.allocate<float>(a.size());
  for (int column = 0; column < n - 1; ++column) {
    device.launch("gaussian_multipliers", line((n + 31) / 32, 32), multipliers, at_a, n, column);
    device.launch("gaussian_rows", {u((n + 15) / 16), u((n + 15) / 16), 16, 16, 1, 0}, multipliers,
                  at_a, at_b, n, column);
  }
  const auto upper = device.download<float>(at_a, a.size());
  const auto right = device.download<float>(at_b, b.size());
  std::vector<double> x(u(n));
  for (int row = n - 1; row >= 0; --row) {
    double sum = static_cast<double>(right[u(row)]);
    for (int k = row + 1; k < n; ++k) sum -= static_cast<double>(upper[u(row * n + k)]) * x[u(k)];
    x[u(row)] = sum / static_cast<double>(upper[u(row * n + row)]);
  }
  std::vector<double> product(u(n));
  for (int row = 0; row < n; ++row) {
    for (int k = 0; k < n; ++k) {
      product[u(row)] += static_cast<double>(a[u(row * n + k)]) * x[u(k)];
    }
  }
  expect_near(narrowed(product), b, kTolerance);
}

std::vector<double> lu(const std::vector<float>& a, int n) {
  std::vector<double> result(a.begin(), a.end());
  for (int k = 0; k < n; ++k) {
    for (int row = k + 1; row < n; ++row) {
      result[u(row * n + k)] /= result[u(k * n + k)];
      for (int column = k + 1; column < n; ++column) {
        result[u(row * n + column)] -= result[u(row * n + k)] * result[u(k * n + column)];
      }
    }
  }
  return result;
}

TEST_P(FloatBenchmark, LuDecomposition) {
  TestDevice device("lu_decomposition.cu", kTolerance);
  const auto a = matrix(n);
  const uint32_t at = device.upload(a);
  for (int k = 0; k < n - 1; ++k) {
    device.launch("lu_column", line((n + 31) / 32, 32), at, n, k);
    device.launch("lu_update", {u((n + 15) / 16), u((n + 15) / 16), 16, 16, 1, 0}, at, n, k);
  }
  expect_near(device.download<float>(at, a.size()), narrowed(lu(a, n)), kTolerance);
}

TEST(FloatBenchmark, LuDecompositionOfABlock) {
  TestDevice device("lu_decomposition.cu", kTolerance);
  const auto a = matrix(16);
  const uint32_t at = device.upload(a);
  device.launch("lu_block", line(1, 16), at, 16);
  expect_near(device.download<float>(at, a.size()), narrowed(lu(a, 16)), kTolerance);
}

TEST_P(FloatBenchmark, Srad) {
  TestDevice device("srad.cu", kTolerance);
  const auto image = random_floats(u(n * n), 0.5F, 1.5F);
  const float q0 = 0.05F;
  const float lambda = 0.5F;
  const uint32_t in = device.upload(image);
  const uint32_t coefficient = device.allocate<float>(image.size());
  const uint32_t out = device.allocate<float>(image.size());
  const ptx::Grid grid{u(n / 16), u(n / 16), 16, 16, 1, 0};
  device.launch("srad_coefficient", grid, in, coefficient, n, n, q0);
  device.launch("srad_update", grid, in, coefficient, out, n, n, lambda);
  const auto at = [&](int x, int y) {
    x = std::min(std::max(x, 0), n - 1);
    y = std::min(std::max(y, 0), n - 1);
    return static_cast<double>(image[u(y * n + x)]);
  };
  const auto diffusion = [&](int x, int y) {
    x = std::min(x, n - 1);
    y = std::min(y, n - 1);
    const double centre = at(x, y);
    const double dn = at(x, y - 1) - centre, ds = at(x, y + 1) - centre;
    const double dw = at(x - 1, y) - centre, de = at(x + 1, y) - centre;
    const double gradient = (dn * dn + ds * ds + dw * dw + de * de) / (centre * centre);
    const double laplacian = (dn + ds + dw + de) / centre;
    const double below = 1 + 0.25 * laplacian;
    const double q = (0.5 * gradient - 0.0625 * laplacian * laplacian) / (below * below);
    const double q0d = static_cast<double>(q0);
    return std::min(std::max(1 / (1 + (q - q0d) / (q0d * (1 + q0d))), 0.0), 1.0);
  };
  std::vector<double> expected(image.size());
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double centre = at(x, y);
      const double divergence = diffusion(x, y) * (at(x, y - 1) - centre + at(x - 1, y) - centre) +
                                diffusion(x, y + 1) * (at(x, y + 1) - centre) +
                                diffusion(x + 1, y) * (at(x + 1, y) - centre);
      expected[u(y * n + x)] = centre + 0.25 * static_cast<double>(lambda) * divergence;
    }
  }
  expect_near(device.download<float>(out, image.size()), narrowed(expected), 1e-4F);
}

TEST_P(FloatBenchmark, BlackScholes) {
  TestDevice device("black_scholes.cu", 1e-4F);
  const int count = 4 * n;
  const auto price = random_floats(u(count), 5, 30, 1);
  const auto strike = random_floats(u(count), 1, 100, 2);
  const auto years = random_floats(u(count), 0.25F, 10, 3);
  const float riskless = 0.02F;
  const float volatility = 0.3F;
  const uint32_t at_price = device.upload(price);
  const uint32_t at_strike = device.upload(strike);
  const uint32_t at_years = device.upload(years);
  const uint32_t call = device.allocate<float>(u(count));
  const uint32_t put = device.allocate<float>(u(count));
  device.launch("black_scholes", line(2, 32), at_price, at_strike, at_years, call, put, riskless,
                volatility, count);
  std::vector<double> calls;
  std::vector<double> puts;
  for (int i = 0; i < count; ++i) {
    const auto s = static_cast<double>(price[u(i)]);
    const auto x = static_cast<double>(strike[u(i)]);
    const auto t = static_cast<double>(years[u(i)]);
    const auto r = static_cast<double>(riskless);
    const auto v = static_cast<double>(volatility);
    const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    calls.push_back(s * normal(d1) - x * std::exp(-r * t) * normal(d2));
    puts.push_back(x * std::exp(-r * t) * normal(-d2) - s * normal(-d1));
  }
  expect_near(device.download<float>(call, u(count)), narrowed(calls), 2e-4F);
  expect_near(device.download<float>(put, u(count)), narrowed(puts), 2e-4F);
}

}  // namespace
}  // namespace gvp::kcc
