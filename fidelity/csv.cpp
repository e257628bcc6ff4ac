// SPDX-License-Identifier: Apache-2.0
#include "fidelity/csv.h"

#include <algorithm>
#include <fstream>

#include "models/base/error.h"

namespace gvp::fidelity {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

Csv::Csv(const std::string& path) : path_(path) {
  std::ifstream file(path);
  if (!file) throw bad_input("cannot read the table", {path});
  std::string line;
  for (uint32_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells = split(line);
    if (columns_.empty()) {
      columns_ = std::move(cells);
      continue;
    }
    if (cells.size() != columns_.size())
      throw bad_input(std::to_string(cells.size()) + " cells where the first line names " +
                          std::to_string(columns_.size()),
                      {path, number});
    rows_.push_back(std::move(cells));
  }
}

const std::string& Csv::cell(size_t row, const std::string& column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) throw bad_input("no column \"" + column + '"', {path_});
  return rows_.at(row)[static_cast<size_t>(found - columns_.begin())];
}

double Csv::number(size_t row, const std::string& column) const {
  const std::string& text = cell(row, column);
  size_t end = 0;
  double value = 0;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    end = std::string::npos;
  }
  if (end != text.size())
    throw bad_input("\"" + text + "\" in column " + column + " is no number", {path_});
  return value;
}

}  // namespace gvp::fidelity
