// SPDX-License-Identifier: Apache-2.0
// A checker that sits on any socket, passes everything through and reports what breaks the rules of
// AXI4 / AXI4-Lite (IHI 0022) that exist at transaction level, of transactions that carry the AXI
// extension.  The rules of TLM-2.0 itself are kit::BaseProtocolChecker's.  Direct memory accesses
// bypass it.  Not checked: signal-level rules (handshakes, stability of single signals; the
// pin-level checker does those), barriers, low power.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/tlm/interposer.h"
#include "models/tlm/violations.h"

namespace gvp::axi {

struct ProtocolCheckerSettings {
  bool lite = false;        // AXI4-Lite: single full-width beats, no exclusive accesses
  unsigned data_bytes = 4;  // width of the bus
  // Most transactions in flight, from END_REQ to END_RESP, in each direction; 0: any number.
  unsigned outstanding = 0;
};

class ProtocolChecker : public kit::Interposer {
 public:
  ProtocolChecker(const sc_core::sc_module_name& name, const ProtocolCheckerSettings& settings);

  const std::vector<kit::Violation>& violations() const { return violations_.list(); }
  uint64_t violation_count() const { return violations_.count(); }
  uint64_t transactions() const { return transactions_; }

 private:
  enum class Phase : uint8_t { kRequested, kRequestEnded, kResponded };
  struct Open {  // a transaction between BEGIN_REQ and END_RESP
    const tlm::tlm_generic_payload* payload;
    Phase phase;
    uint64_t number;
    // as they were at BEGIN_REQ
    tlm::tlm_command command;
    uint64_t address;
    uint32_t id;
    bool exclusive;
  };

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;

  // One function per group of rules.
  void check_request(const tlm::tlm_generic_payload& payload);
  void check_burst(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_exclusive(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_lite(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_response(const tlm::tlm_generic_payload& payload, bool exclusive);
  void check_order(const Open& open);
  void check_outstanding(const Open& accepted);

  void begin_request(const tlm::tlm_generic_payload& payload);
  void end_request(const tlm::tlm_generic_payload& payload);
  void begin_response(const tlm::tlm_generic_payload& payload);
  void follow(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  Open open_record(const tlm::tlm_generic_payload& payload, Phase phase);
  Open* find(const tlm::tlm_generic_payload& payload);
  void close(const tlm::tlm_generic_payload& payload);

  void report(const char* rule, const tlm::tlm_generic_payload* payload, const std::string& text) {
    violations_.add(name(), rule, payload, text);
  }

  ProtocolCheckerSettings settings_;
  std::vector<Open> open_;                                // by age
  const tlm::tlm_generic_payload* delivering_ = nullptr;  // its response is on its way up
  kit::Violations violations_;
  uint64_t transactions_ = 0;
};

}  // namespace gvp::axi
