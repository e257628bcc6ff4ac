// SPDX-License-Identifier: Apache-2.0
// The model name of a device that is two, which are compared: "compare:at,rtl", or
// "compare:at,rtl,cycles" where their times are compared, too.  The first one steers.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace gvp::compare {

struct Choice {
  std::array<std::string, 2> models;
  bool cycles = false;
};

inline bool is_comparison(const std::string& model) { return model.rfind("compare:", 0) == 0; }
inline std::string model_name(const std::string& models) { return "compare:" + models; }
// Nothing for what is no such name.
std::optional<Choice> choice_of(const std::string& model);

}  // namespace gvp::compare
