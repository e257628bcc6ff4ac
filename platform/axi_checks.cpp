// SPDX-License-Identifier: Apache-2.0
#include "platform/axi_checks.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace gvp::platform {

void AxiChecks::connect(const std::string& socket, tlm::tlm_initiator_socket<>& from,
                        tlm::tlm_target_socket<>& to,
                        const axi::ProtocolCheckerSettings& settings) {
  if (!enabled_) return from.bind(to);
  auto checker = std::make_unique<axi::ProtocolChecker>(("check_" + socket).c_str(), settings);
  from.bind(checker->target);
  checker->initiator.bind(to);
  checks_.push_back({socket, std::move(checker)});
}

uint64_t AxiChecks::violations() const {
  uint64_t sum = 0;
  for (const Check& each : checks_) sum += each.checker->violation_count();
  return sum;
}

nlohmann::ordered_json AxiChecks::to_json() const {
  uint64_t transactions = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& each : checks_) {
    transactions += each.checker->transactions();
    for (const axi::ProtocolChecker::Violation& violation : each.checker->violations())
      list.push_back({{"socket", each.socket},
                      {"rule", violation.rule},
                      {"time_ns", violation.time / sc_core::sc_time(1, sc_core::SC_NS)},
                      {"text", violation.text}});
  }
  return {{"transactions", transactions}, {"violations", violations()}, {"list", std::move(list)}};
}

}  // namespace gvp::platform
