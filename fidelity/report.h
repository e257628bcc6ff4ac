// SPDX-License-Identifier: Apache-2.0
// What gvp-fidelity writes: a page for people (Markdown) and every figure once more as CSV.
#pragma once

#include <string>
#include <vector>

namespace gvp::fidelity {

// Mean errors of a group of figures, as factors: 1 means all are the same.
class ErrorSummary {
 public:
  void add(double ours, double reference);
  size_t count() const { return count_; }
  double geometric_mean() const;  // of ours / reference
  double typical_factor() const;  // exp of the mean distance, up or down, in logarithms
  double worst_factor() const;    // the largest such distance

 private:
  size_t count_ = 0;
  double sum_ = 0;
  double distance_ = 0;
  double worst_ = 0;
};

// A paragraph: how many figures, how far off they typically are and at worst.
std::string percentages(const ErrorSummary& errors);

class Report {
 public:
  void text(const std::string& markdown) { page_ += markdown; }
  // A Markdown table, the first row being its head.
  void table(const std::vector<std::vector<std::string>>& rows);
  // A figure for the CSV.
  void figure(const std::string& group, const std::string& what, double ours, double reference,
              const std::string& unit);

  const std::string& page() const { return page_; }
  std::string csv() const;

 private:
  std::string page_;
  std::string csv_;
};

// Throws Error (bad input) when the file cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace gvp::fidelity
