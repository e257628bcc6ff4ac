// SPDX-License-Identifier: Apache-2.0
// Checkers of AXI's rules and of TLM-2.0's on the sockets of the board, if `axi.check` asks for
// them; else sockets are bound to each other and nothing is in between.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/axi/protocol_checker.h"
#include "models/tlm/base_protocol_checker.h"

namespace gvp::platform {

class AxiChecks {
 public:
  explicit AxiChecks(bool enabled) : enabled_(enabled) {}

  // Binds from to to, with checkers named check_SOCKET and check_SOCKET_tlm in between.
  void connect(const std::string& socket, tlm::tlm_initiator_socket<>& from,
               tlm::tlm_target_socket<>& to, const axi::ProtocolCheckerSettings& settings);

  bool enabled() const { return enabled_; }
  uint64_t violations() const;
  // {"transactions": .., "violations": .., "list": [{"socket", "rule", "time_ns", "text"}, ..]},
  // the list with the first hundred of each socket
  nlohmann::ordered_json to_json() const;

 private:
  struct Check {
    std::string socket;
    std::unique_ptr<axi::ProtocolChecker> axi;
    std::unique_ptr<kit::BaseProtocolChecker> tlm;
  };

  bool enabled_;
  std::vector<Check> checks_;
};

}  // namespace gvp::platform
