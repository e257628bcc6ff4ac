// SPDX-License-Identifier: Apache-2.0
#include "fidelity/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "models/base/error.h"

namespace gvp::fidelity {

void ErrorSummary::add(double ours, double reference) {
  const double logarithm = std::log(ours / reference);
  ++count_;
  sum_ += logarithm;
  distance_ += std::abs(logarithm);
  worst_ = std::max(worst_, std::abs(logarithm));
}

double ErrorSummary::geometric_mean() const {
  return count_ == 0 ? 1 : std::exp(sum_ / static_cast<double>(count_));
}

double ErrorSummary::typical_factor() const {
  return count_ == 0 ? 1 : std::exp(distance_ / static_cast<double>(count_));
}

double ErrorSummary::worst_factor() const { return std::exp(worst_); }

std::string percentages(const ErrorSummary& errors) {
  return fmt::format("{} figures: typically off by {:.1f} %, at worst by {:.1f} %.\n\n",
                     errors.count(), 100 * (errors.typical_factor() - 1),
                     100 * (errors.worst_factor() - 1));
}

void Report::table(const std::vector<std::vector<std::string>>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    page_ += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i != 0) continue;
    page_ += '|';
    for (size_t column = 0; column < rows[0].size(); ++column)
      page_ += column == 0 ? "---|" : "---:|";
    page_ += '\n';
  }
  page_ += '\n';
}

void Report::figure(const std::string& group, const std::string& what, double ours,
                    double reference, const std::string& unit) {
  csv_ += fmt::format("{},{},{:.6g},{:.6g},{:.4f},{}\n", group, what, ours, reference,
                      reference != 0 ? ours / reference : 0, unit);
}

std::string Report::csv() const { return "group,figure,ours,reference,ratio,unit\n" + csv_; }

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw bad_input("cannot write", {path});
}

}  // namespace gvp::fidelity
