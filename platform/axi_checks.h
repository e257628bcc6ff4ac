// SPDX-License-Identifier: Apache-2.0
// AXI protocol checkers on the sockets of the board, if `axi.check` asks for them; else sockets are
// bound to each other and nothing is in between.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/axi/protocol_checker.h"

namespace gvp::platform {

class AxiChecks {
 public:
  explicit AxiChecks(bool enabled) : enabled_(enabled) {}

  // Binds from to to, with a checker named check_SOCKET in between.
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
    std::unique_ptr<axi::ProtocolChecker> checker;
  };

  bool enabled_;
  std::vector<Check> checks_;
};

}  // namespace gvp::platform
