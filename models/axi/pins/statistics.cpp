// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/statistics.h"

#include <nlohmann/json.hpp>

#include "models/axi/pins/checker.h"

namespace gvp::axi::pins {

nlohmann::ordered_json to_json(const std::vector<const Checker*>& checkers) {
  constexpr double kPsPerNs = 1000;
  uint64_t transactions = 0, violations = 0;
  auto list = nlohmann::ordered_json::array();
  for (const Checker* checker : checkers) {
    transactions += checker->transactions();
    violations += checker->violation_count();
    for (const PinViolation& each : checker->violations())
      list.push_back({{"rule", each.rule},
                      {"section", each.section},
                      {"signal", each.signal},
                      {"time_ns", static_cast<double>(each.time_ps) / kPsPerNs},
                      {"text", each.text}});
  }
  return {{"transactions", transactions}, {"violations", violations}, {"list", list}};
}

nlohmann::ordered_json to_json(const Checker& checker) {
  return to_json(std::vector<const Checker*>{&checker});
}

}  // namespace gvp::axi::pins
