// SPDX-License-Identifier: Apache-2.0
// A base protocol checker between an initiator and a target that the test plays: each may break one
// rule at a time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>
#include <vector>

#include "models/tlm/base_protocol_checker.h"
#include "tests/support/log_capture.h"

namespace gvp::kit {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

inline sc_time ns(double value) { return {value, SC_NS}; }

// Both ends of a hop, played by the test; what they answer can be set.
struct Ends : sc_core::sc_module, tlm::tlm_mm_interface {
  using Answer = std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)>;
  tlm_utils::simple_initiator_socket<Ends> initiator{"initiator"};
  tlm_utils::simple_target_socket<Ends> target{"target"};
  Answer fw = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  Answer bw = fw;
  std::function<void(tlm_generic_payload&, sc_time&)> b = [](auto& payload, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<unsigned()> debug = [] { return 0; };
  std::function<bool(tlm::tlm_dmi&)> dmi = [](auto&) { return false; };

  explicit Ends(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    initiator.register_nb_transport_bw(this, &Ends::nb_transport_bw);
    target.register_nb_transport_fw(this, &Ends::nb_transport_fw);
    target.register_b_transport(this, &Ends::b_transport);
    target.register_transport_dbg(this, &Ends::transport_dbg);
    target.register_get_direct_mem_ptr(this, &Ends::get_direct_mem_ptr);
  }
  void free(tlm_generic_payload*) override {}

 private:
  tlm_sync_enum nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    return bw(payload, phase, delay);
  }
  tlm_sync_enum nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    return fw(payload, phase, delay);
  }
  void b_transport(tlm_generic_payload& payload, sc_time& delay) { b(payload, delay); }
  unsigned transport_dbg(tlm_generic_payload&) { return debug(); }
  bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi& descriptor) {
    return dmi(descriptor);
  }
};

struct Mark : tlm::tlm_extension<Mark> {
  tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm_extension_base&) override {}
};

class BaseProtocol : public testing::Test {
 public:
  BaseProtocol() {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    ends.initiator.bind(checker.target);
    checker.initiator.bind(ends.target);
    for (unsigned i = 0; i < 3; ++i) {
      tlm_generic_payload& payload = payloads[i];
      payload.set_mm(&ends);
      payload.acquire();
      payload.set_command(i == 2 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(0x40 * i);
      payload.set_data_ptr(data[i]);
      payload.set_data_length(4);
      payload.set_streaming_width(4);
    }
  }
  ~BaseProtocol() override {
    for (auto& each : payloads) each.clear_extension(&mark);
  }

  // The initiator's call, the target's call.
  tlm_sync_enum down(tlm_generic_payload& payload, tlm_phase phase, sc_time delay = {}) {
    return ends.initiator->nb_transport_fw(payload, phase, delay);
  }
  tlm_sync_enum up(tlm_generic_payload& payload, tlm_phase phase, sc_time delay = {}) {
    if (phase == BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return ends.target->nb_transport_bw(payload, phase, delay);
  }
  void blocking(tlm_generic_payload& payload) {
    sc_time delay = ns(10);
    ends.initiator->b_transport(payload, delay);
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> list;
    for (const Violation& each : checker.violations()) list.push_back(each.rule);
    return list;
  }

  test::LogCapture log;
  Mark mark;
  Ends ends{"ends"};
  BaseProtocolChecker checker{"checker"};
  uint8_t data[3][4] = {}, enables[4] = {0xff, 0xff, 0xff, 0xff};
  tlm_generic_payload payloads[3];
  tlm_generic_payload &one = payloads[0], &two = payloads[1], &write = payloads[2];
};

}  // namespace gvp::kit
