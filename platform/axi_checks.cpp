// SPDX-License-Identifier: Apache-2.0
#include "platform/axi_checks.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace gvp::platform {

void AxiChecks::connect(const std::string& socket, tlm::tlm_initiator_socket<>& from,
                        tlm::tlm_target_socket<>& to,
                        const axi::ProtocolCheckerSettings& settings) {
  if (!enabled_) return from.bind(to);
  Check check;
  check.socket = socket;
  check.tlm = std::make_unique<kit::BaseProtocolChecker>(("check_" + socket + "_tlm").c_str());
  check.axi = std::make_unique<axi::ProtocolChecker>(("check_" + socket).c_str(), settings);
  from.bind(check.tlm->target);
  check.tlm->initiator.bind(check.axi->target);
  check.axi->initiator.bind(to);
  for (Check& other : checks_) {  // any may see the bursts of any
    other.tlm->watch(*check.tlm);
    check.tlm->watch(*other.tlm);
  }
  checks_.push_back(std::move(check));
}

uint64_t AxiChecks::violations() const {
  uint64_t sum = 0;
  for (const Check& each : checks_)
    sum += each.axi->violation_count() + each.tlm->violation_count();
  return sum;
}

nlohmann::ordered_json AxiChecks::to_json() const {
  uint64_t transactions = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& each : checks_) {
    transactions += each.axi->transactions();
    for (const auto* found : {&each.tlm->violations(), &each.axi->violations()})
      for (const kit::Violation& violation : *found)
        list.push_back({{"socket", each.socket},
                        {"rule", violation.rule},
                        {"time_ns", violation.time / sc_core::sc_time(1, sc_core::SC_NS)},
                        {"text", violation.text}});
  }
  return {{"transactions", transactions}, {"violations", violations()}, {"list", std::move(list)}};
}

}  // namespace gvp::platform
