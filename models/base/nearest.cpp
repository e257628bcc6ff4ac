// SPDX-License-Identifier: Apache-2.0
#include "models/base/nearest.h"

#include <algorithm>

namespace gvp {

unsigned edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the dynamic-programming table: the swap needs the row before the last.
  std::vector<unsigned> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (unsigned j = 0; j <= to.size(); ++j) last[j] = j;
  for (unsigned i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      const unsigned substituted = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[to.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  unsigned best = std::max<unsigned>(2, static_cast<unsigned>(name.size()) / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    const unsigned distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

}  // namespace gvp
