// SPDX-License-Identifier: Apache-2.0
#include "models/compare/choice.h"

#include <sstream>
#include <vector>

namespace gvp::compare {

std::optional<Choice> choice_of(const std::string& model) {
  if (!is_comparison(model)) return std::nullopt;
  std::istringstream stream(model.substr(model.find(':') + 1));
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  const bool cycles = parts.size() == 3 && parts[2] == "cycles";
  if (parts.size() != (cycles ? 3 : 2) || parts[0].empty() || parts[1].empty()) return std::nullopt;
  return Choice{{parts[0], parts[1]}, cycles};
}

}  // namespace gvp::compare
