// SPDX-License-Identifier: Apache-2.0
#include "trace/records.h"

namespace gvp::trace {

Id Names::number(std::string_view text) {
  const auto [found, added] = numbers_.try_emplace(std::string(text), static_cast<Id>(size()));
  if (added) texts_.push_back(&found->first);
  return found->second;
}

std::string_view to_string(Command command) {
  constexpr std::string_view kNames[] = {"read", "write", "ignore"};
  return kNames[static_cast<unsigned>(command)];
}

std::string_view to_string(Response response) {
  constexpr std::string_view kNames[] = {
      "ok",          "incomplete",       "generic error", "address error", "command error",
      "burst error", "byte enable error"};
  return kNames[static_cast<unsigned>(response)];
}

std::string_view to_string(Subject subject) {
  constexpr std::string_view kNames[] = {"transactions", "kernels",   "blocks",     "warps",
                                         "stages",       "banks",     "interrupts", "console",
                                         "pins",         "functions", "local",      "accesses"};
  return kNames[__builtin_ctz(static_cast<unsigned>(subject))];
}

}  // namespace gvp::trace
