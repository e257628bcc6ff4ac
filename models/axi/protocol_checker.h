// SPDX-License-Identifier: Apache-2.0
// A checker that sits on any socket: bind the initiator to `target` and `initiator` to what was
// there.  It passes everything through, unchanged and without time, and reports what breaks the
// TLM-2.0 base protocol (IEEE 1666-2011, clause 15.2) or, for transactions that carry the AXI
// extension, the rules of AXI4 / AXI4-Lite (IHI 0022) that exist at transaction level.  Every
// violation has a rule, the place and the simulated time; it goes to the log and to a list.
// Direct memory accesses bypass it.  Not checked: signal-level rules (handshakes, stability of
// single signals; the pin-level checker does those), barriers, low power.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"

namespace gvp::axi {

struct ProtocolCheckerSettings {
  bool lite = false;        // AXI4-Lite: single full-width beats, no exclusive accesses
  unsigned data_bytes = 4;  // width of the bus
  // Most transactions in flight, from END_REQ to END_RESP, in each direction; 0: any number.
  unsigned outstanding = 0;
};

class ProtocolChecker : public sc_core::sc_module {
 public:
  struct Violation {
    std::string rule;  // "AXI_BOUNDARY"
    std::string text;
    sc_core::sc_time time;
  };

  tlm_utils::simple_target_socket<ProtocolChecker> target{"target"};
  tlm_utils::simple_initiator_socket<ProtocolChecker> initiator{"initiator"};

  ProtocolChecker(const sc_core::sc_module_name& name, const ProtocolCheckerSettings& settings);

  // The first hundred; violation_count() has them all.
  const std::vector<Violation>& violations() const { return violations_; }
  uint64_t violation_count() const { return violation_count_; }
  uint64_t transactions() const { return transactions_; }
  // Reports what was never answered; done at the end of simulation too.
  void check_finished();

 private:
  enum class Phase : uint8_t { kRequested, kRequestEnded, kResponded };
  struct Open {  // a transaction between BEGIN_REQ and END_RESP
    const tlm::tlm_generic_payload* payload;
    Phase phase;
    uint64_t number;
    // as they were at BEGIN_REQ
    tlm::tlm_command command;
    uint64_t address;
    unsigned length;
    const uint8_t* data;
    uint32_t id;
    bool exclusive;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);
  void end_of_simulation() override { check_finished(); }

  // One function per group of rules.
  void check_request(const tlm::tlm_generic_payload& payload);
  void check_burst(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_exclusive(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_lite(const tlm::tlm_generic_payload& payload, const Extension& axi);
  void check_response(const tlm::tlm_generic_payload& payload, bool exclusive);
  void check_unchanged(const Open& open, const tlm::tlm_generic_payload& payload);
  void check_order(const Open& open);
  void check_outstanding(const Open& accepted);

  void begin_request(const tlm::tlm_generic_payload& payload);
  void end_request(const tlm::tlm_generic_payload& payload);
  void begin_response(const tlm::tlm_generic_payload& payload);
  void end_response(const tlm::tlm_generic_payload& payload);
  void follow(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  Open open_record(const tlm::tlm_generic_payload& payload, Phase phase);
  Open* find(const tlm::tlm_generic_payload& payload);
  void close(const tlm::tlm_generic_payload& payload);

  void report(const char* rule, const tlm::tlm_generic_payload* payload, const std::string& text);

  ProtocolCheckerSettings settings_;
  std::vector<Open> open_;                                // by age
  const tlm::tlm_generic_payload* delivering_ = nullptr;  // its response is on its way up
  std::vector<Violation> violations_;
  uint64_t violation_count_ = 0;
  uint64_t transactions_ = 0;
};

}  // namespace gvp::axi
