// SPDX-License-Identifier: Apache-2.0
// A checker of TLM-2.0's rules: sits on any socket, passes everything through and reports what
// breaks IEEE 1666-2011, clause 11 (the transport interfaces), 14 (the generic payload) and 15.2
// (the base protocol).  It looks at one hop, from the initiator above to the target below; rules
// that need two hops (lifetimes) take the checkers on the other side, see watch().
//
//   TLM_PHASE_PATH          15.2.3 c    each side sends its own phases only
//   TLM_PHASE_ORDER         15.2.4      BEGIN_REQ, END_REQ (or none), BEGIN_RESP, END_RESP
//   TLM_RETURN              15.2.4      what a call may return after which phase
//   TLM_REQUEST_EXCLUSION   15.2.6 e    no BEGIN_REQ before the last request has ended
//   TLM_RESPONSE_EXCLUSION  15.2.6 f    no BEGIN_RESP before the last response has ended
//   TLM_TIME_ORDER          15.2.7 c    a transaction's annotated times never go back
//   TLM_MIXED               15.2.10 c   one transport interface at a time for one transaction
//   TLM_METHOD_PROCESS      11.1.1.4 b  b_transport comes from no method process
//   TLM_NONBLOCKING         11.1.2      nb_transport does not wait
//   TLM_ACCEPTED            11.1.2      leaves phase, time and transaction alone
//   TLM_DMI                 11.2.5      fresh on its way down, and grants what it says
//   TLM_DEBUG               11.3.4      has data, and moves no more than was asked for
//   TLM_MEMORY_MANAGER      14.5 i      nb_transport wants a memory manager
//   TLM_REFERENCE_COUNT     14.5 t      who calls holds a reference
//   TLM_REUSE               14.5 x      no request in an object whose response is on its way
//   TLM_EXTENSION           14.5 aa     without a memory manager, taken off by who added it
//   TLM_STABLE              14.7        the attributes stay as they were sent
//   TLM_DATA_STABLE         14.7        so do data written, byte enables, data once answered
//   TLM_LIFETIME            14.7        no burst points into what was given back
//   TLM_OPTION              14.8 g      the option is the minimum payload's
//   TLM_DATA_POINTER        14.11 e     there are data ...
//   TLM_DATA_LENGTH         14.12 d     ... of a length above 0
//   TLM_BYTE_ENABLES        14.14 f     byte enables have a length
//   TLM_STREAMING_WIDTH     14.15 f     a streaming width above 0
//   TLM_DMI_ALLOWED         14.16       false in a request, set up to BEGIN_RESP
//   TLM_RESPONSE_STATUS     14.17 e     incomplete in a request, set up to BEGIN_RESP
//   TLM_RESPONSE            14.17       a response has a status
//   TLM_UNANSWERED          15.2.4      every request is answered before the end
//
// Ignorable phases (15.2.5) pass unseen.  Addresses may change on the way (14.7) and are not
// looked at.  Not checked: what an access does (order of overlapping accesses, 15.2.9), endianness.
// Data are read for these rules when phases come by, so that a sanitizer sees buffers given back
// too early; a memory-mapped register is not touched.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/tlm/interposer.h"
#include "models/tlm/violations.h"

namespace gvp::kit {

class BaseProtocolChecker : public Interposer {
 public:
  explicit BaseProtocolChecker(const sc_core::sc_module_name& name);

  const std::vector<Violation>& violations() const { return violations_.list(); }
  uint64_t violation_count() const { return violations_.count(); }
  uint64_t transactions() const { return begun_; }  // so far
  // `below` may see the bursts that an interconnect makes of what passes here (TLM_LIFETIME): what
  // begins there later and points into data of here.
  void watch(const BaseProtocolChecker& below) { below_.push_back(&below); }
  // Reports what was never answered; for a simulation that has run out of events.
  void check_finished();

 private:
  enum class Phase : uint8_t { kRequested, kRequestEnded, kResponded };
  struct Open {  // a transaction on its way through this hop
    const tlm::tlm_generic_payload* payload = nullptr;
    uint64_t number = 0;  // in the order in which those of all checkers began
    Phase phase = Phase::kRequested;
    bool blocking = false;
    unsigned calls = 0;     // that have come by for it
    sc_core::sc_time time;  // of the latest of them
    // as they were in the request
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    const uint8_t* data = nullptr;
    unsigned length = 0;
    const uint8_t* enables = nullptr;
    unsigned enable_length = 0;
    unsigned width = 0;
    tlm::tlm_gp_option option = tlm::TLM_MIN_PAYLOAD;
    bool managed = false;
    uint64_t extensions = 0;  // a bit for each that is there
    uint64_t sent = 0;        // digest of data written and byte enables
    // as they were in the response
    uint64_t answer = 0;  // digest of data read
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    bool dmi_allowed = false;
  };

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  // The four phases, at an effective time.
  bool begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void end_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void close(uint64_t number, const sc_core::sc_time& time);
  void complete(const tlm::tlm_generic_payload& payload, Open& open, const sc_core::sc_time& time);
  void check_time(Open& open, const sc_core::sc_time& time);
  void check_object(const tlm::tlm_generic_payload& payload);
  void check_waits(const tlm::tlm_generic_payload& payload, uint64_t delta_cycles);
  void check_lifetimes(const Open& ended);

  // Attributes (base_protocol_attributes.cpp)
  Open& open(tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void check_request(const tlm::tlm_generic_payload& payload);
  void check_stable(const Open& open, const tlm::tlm_generic_payload& payload);
  void check_response(const tlm::tlm_generic_payload& payload);
  void note_response(Open& open, const tlm::tlm_generic_payload& payload);
  void check_response_stable(const Open& open, const tlm::tlm_generic_payload& payload);
  void check_extensions(const Open& open, const tlm::tlm_generic_payload& payload);

  Open* find(const tlm::tlm_generic_payload& payload);
  Open* find(uint64_t number);
  void report(const char* rule, const tlm::tlm_generic_payload* payload, const std::string& text) {
    violations_.add(name(), rule, payload, text);
  }

  Violations violations_;
  std::vector<Open> open_;  // by age
  std::vector<const BaseProtocolChecker*> below_;
  const tlm::tlm_generic_payload* delivering_ = nullptr;  // its response is on its way up
  sc_core::sc_time request_free_, response_free_;         // when the last one has ended
  uint64_t begun_ = 0;
};

}  // namespace gvp::kit
