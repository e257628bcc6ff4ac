// SPDX-License-Identifier: Apache-2.0
// Reads the reference tables: comma-separated, first line of names, '#' lines are comments, cells
// may stand in double quotes.
#pragma once

#include <string>
#include <vector>

namespace gvp::fidelity {

class Csv {
 public:
  // Throws Error (bad input) when the file cannot be read or a row has a wrong number of cells.
  explicit Csv(const std::string& path);

  size_t rows() const { return rows_.size(); }
  // Throws Error (bad input) for a column that the file does not have.
  const std::string& cell(size_t row, const std::string& column) const;
  double number(size_t row, const std::string& column) const;
  bool empty(size_t row, const std::string& column) const { return cell(row, column).empty(); }

 private:
  std::string path_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gvp::fidelity
