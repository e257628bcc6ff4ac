// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/messages.h"

#include <iostream>
#include <string_view>

#include "models/base/error.h"

namespace gvp::kcc {

void show(std::string messages) {
  constexpr std::string_view kTarget = " when compiling for sm_20";
  for (size_t at = messages.find(kTarget); at != std::string::npos; at = messages.find(kTarget, at))
    messages.erase(at, kTarget.size());
  std::cerr << messages;
}

void refused(const std::string& file) {
  throw bad_input("clang refuses this file", {file}, "its messages are above");
}

}  // namespace gvp::kcc
