// SPDX-License-Identifier: Apache-2.0
#include "trace/records.h"

namespace gvp::trace {

Id Names::number(std::string_view text) {
  const auto [found, added] = numbers_.try_emplace(std::string(text), static_cast<Id>(size()));
  if (added) texts_.push_back(&found->first);
  return found->second;
}

std::string_view to_string(Command command) {
  return schema::kCommandWords[static_cast<size_t>(command)];
}

std::string_view to_string(Response response) {
  return schema::kResponseWords[static_cast<size_t>(response)];
}

std::string_view to_string(Subject subject) {
  return schema::kSubjectWords[static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(subject)))];
}

}  // namespace gvp::trace
