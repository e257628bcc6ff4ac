// SPDX-License-Identifier: Apache-2.0
// The longest line of a text, which a terminal of 80 columns must have room for.
#pragma once

#include <sstream>
#include <string>

namespace gvp::test {

inline std::string longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::string longest;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > longest.size()) longest = line;
  return longest;
}

}  // namespace gvp::test
