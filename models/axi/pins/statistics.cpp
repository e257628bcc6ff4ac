// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/statistics.h"

#include <nlohmann/json.hpp>

#include "models/axi/pins/checker.h"

namespace gvp::axi::pins {

nlohmann::ordered_json to_json(const Checker& checker) {
  constexpr double kPsPerNs = 1000;
  nlohmann::ordered_json json;
  json["transactions"] = checker.transactions();
  json["violations"] = checker.violation_count();
  json["list"] = nlohmann::ordered_json::array();
  for (const PinViolation& each : checker.violations())
    json["list"].push_back({{"rule", each.rule},
                            {"section", each.section},
                            {"signal", each.signal},
                            {"time_ns", static_cast<double>(each.time_ps) / kPsPerNs},
                            {"text", each.text}});
  return json;
}

}  // namespace gvp::axi::pins
