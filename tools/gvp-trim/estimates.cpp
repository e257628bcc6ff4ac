// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-trim/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/gvp-trim/figure6.h"

namespace gvp::trim {
namespace {

constexpr unsigned kTerms = 5;  // 1, scalar, integer, float unit, float product
using Terms = std::array<double, kTerms>;

Terms terms_of(const Features& features) {
  return {1, features.scalar, features.integer, features.float_unit ? 1.0 : 0.0,
          features.float_product ? 1.0 : 0.0};
}
Features features_of(const FigureRow& row) {
  return {row.scalar / 100 * kScalarInstructions, row.integer / 100 * kIntegerInstructions,
          row.floats > 0, row.float_product};
}

struct LinearFit {
  Terms factor{};
  double deviation = 0;
  unsigned rows = 0;

  double operator()(const Features& features) const {
    const Terms terms = terms_of(features);
    double sum = 0;
    for (unsigned i = 0; i < kTerms; ++i) sum += factor[i] * terms[i];
    return sum;
  }
};

// Least squares by the normal equations; a term that no row tells apart stays 0.
LinearFit fit(double FigureRow::*value) {
  double matrix[kTerms][kTerms + 1] = {};
  LinearFit result;
  for (const FigureRow& row : kFigure6) {
    if (row.*value == kUnread) continue;
    ++result.rows;
    const Terms terms = terms_of(features_of(row));
    for (unsigned i = 0; i < kTerms; ++i) {
      for (unsigned j = 0; j < kTerms; ++j) matrix[i][j] += terms[i] * terms[j];
      matrix[i][kTerms] += terms[i] * row.*value;
    }
  }
  constexpr double kNothing = 1e-9;
  std::array<bool, kTerms> used{};
  for (unsigned i = 0; i < kTerms; ++i) {
    unsigned best = i;
    for (unsigned j = i; j < kTerms; ++j)
      if (std::fabs(matrix[j][i]) > std::fabs(matrix[best][i])) best = j;
    if (std::fabs(matrix[best][i]) < kNothing) continue;
    std::swap(matrix[best], matrix[i]);
    used[i] = true;
    for (unsigned j = 0; j < kTerms; ++j) {
      if (j == i) continue;
      const double times = matrix[j][i] / matrix[i][i];
      for (unsigned k = i; k <= kTerms; ++k) matrix[j][k] -= times * matrix[i][k];
    }
  }
  for (unsigned i = 0; i < kTerms; ++i)
    if (used[i]) result.factor[i] = matrix[i][kTerms] / matrix[i][i];
  double squares = 0;
  for (const FigureRow& row : kFigure6)
    if (row.*value != kUnread) squares += std::pow(result(features_of(row)) - row.*value, 2);
  result.deviation =
      std::sqrt(squares / std::max(1u, result.rows - std::min(result.rows - 1, kTerms)));
  return result;
}

struct Named {
  const char* name;
  LinearFit fit;
};
const std::array<Named, 5>& fits() {
  static const std::array<Named, 5> all = {{{"flip-flops saved, %", fit(&FigureRow::flip_flops)},
                                            {"LUTs saved, %", fit(&FigureRow::tables)},
                                            {"DSP48 saved, %", fit(&FigureRow::multipliers)},
                                            {"block RAMs saved, %", fit(&FigureRow::memories)},
                                            {"dynamic power, W", fit(&FigureRow::dynamic_watts)}}};
  return all;
}

Estimate percent(const LinearFit& fit, const Features& features) {
  return {std::clamp(fit(features), 0.0, 100.0), fit.deviation};
}

}  // namespace

Features features_of(const Needs& needs) {
  using gpgpu::southern_islands::Unit;
  Features features;
  // The paper counts what the issue stage executes among the scalar unit's.
  features.scalar = needs.count(Unit::kScalar) + needs.count(Unit::kIssue);
  features.integer = needs.count(Unit::kInteger);
  features.float_unit = needs.count(Unit::kFloat) != 0;
  features.float_product = needs.float_multiplier || needs.float_divider;
  return features;
}

Estimates estimate(const Features& features) {
  const auto& all = fits();
  Estimates result;
  result.flip_flops = percent(all[0].fit, features);
  result.tables = percent(all[1].fit, features);
  result.multipliers = percent(all[2].fit, features);
  result.memories = percent(all[3].fit, features);
  result.dynamic_watts = {std::min(all[4].fit(features), kBaselineDynamicWatts),
                          all[4].fit.deviation};
  return result;
}

std::vector<std::string> fits_in_words() {
  std::vector<std::string> lines;
  for (const Named& each : fits()) {
    const Terms& f = each.fit.factor;
    lines.push_back(
        fmt::format("{:20} = {:7.2f} {:+.3f} s {:+.3f} i {:+.2f} f {:+.2f} p   ({} rows, standard "
                    "deviation {:.2f})",
                    each.name, f[0], f[1], f[2], f[3], f[4], each.fit.rows, each.fit.deviation));
  }
  return lines;
}

std::pair<double, double> capacity() {
  double least = 1;
  double most = 16;
  for (const FigureRow& row : kFigure6) {
    const double area = 1 - row.tables / 100;
    least = std::max(least, row.compute_units * area);
    most = std::min(most, (row.compute_units + 1) * area);
  }
  return {least, std::max(least, most)};
}

Fit what_fits(const Features& features) {
  const Estimates estimates = estimate(features);
  const double area = std::max(0.05, 1 - estimates.tables.value / 100);
  Fit result;
  constexpr double kRounding = 1e-9;
  result.compute_units =
      std::max(1u, static_cast<unsigned>(std::floor(capacity().first / area + kRounding)));
  // As in the paper: without a float unit four integer units, the most a compute unit has places
  // for; else three float units beside one.
  result.integer_units = features.float_unit ? 1 : 4;
  result.float_units = features.float_unit ? 3 : 0;
  return result;
}

}  // namespace gvp::trim
