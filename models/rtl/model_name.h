// SPDX-License-Identifier: Apache-2.0
// The names of models that are RTL, as a board or --model gives them: "rtl" for a device type's own
// block, "rtl:BLOCK" for another.
#pragma once

#include <string>

namespace gvp::rtl {

inline bool is_rtl(const std::string& model) {
  return model == "rtl" || model.rfind("rtl:", 0) == 0;
}

inline std::string block_of(const std::string& model, const char* own_block) {
  const size_t colon = model.find(':');
  return colon == std::string::npos ? own_block : model.substr(colon + 1);
}

}  // namespace gvp::rtl
