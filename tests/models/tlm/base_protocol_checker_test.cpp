// SPDX-License-Identifier: Apache-2.0
// For each rule an initiator or a target that breaks just this one.
#include "models/tlm/base_protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/log_capture.h"

namespace gvp::kit {
namespace {

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

DECLARE_EXTENDED_PHASE(OWN_PHASE);

sc_time ns(double value) { return {value, SC_NS}; }

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

// ---- what is right ----

TEST_F(BaseProtocol, FourPhasesOneAfterTheOtherPass) {
  double at = 0;
  for (auto* each : {&one, &two, &write}) {
    for (const tlm_phase phase : {BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP}) {
      if (phase == BEGIN_REQ || phase == END_RESP)
        down(*each, phase, ns(at));
      else
        up(*each, phase, ns(at));
      at += 1;
    }
  }
  checker.check_finished();
  EXPECT_THAT(rules(), IsEmpty());
  EXPECT_EQ(checker.transactions(), 3u);
}
TEST_F(BaseProtocol, PipelinedTransactionsPass) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(two, BEGIN_REQ);
  up(two, BEGIN_RESP);  // overtakes, and ends its own request
  down(write, BEGIN_REQ);
  down(two, END_RESP);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  up(write, BEGIN_RESP);
  down(write, END_RESP);
  checker.check_finished();
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(BaseProtocol, AnswersOnTheReturnPathPass) {
  ends.fw = [](auto&, auto& phase, auto& delay) {
    phase = END_REQ;
    delay = ns(5);
    return tlm::TLM_UPDATED;
  };
  ends.bw = [](auto&, auto& phase, auto& delay) {
    phase = END_RESP;
    delay = ns(8);
    return tlm::TLM_UPDATED;
  };
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP, ns(6));
  ends.fw = [](auto& payload, auto&, auto& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = ns(5);
    return tlm::TLM_COMPLETED;
  };
  down(two, BEGIN_REQ, ns(5));
  ends.fw = [](auto& payload, auto& phase, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(true);
    phase = BEGIN_RESP;
    return tlm::TLM_UPDATED;
  };
  down(write, BEGIN_REQ, ns(10));
  ends.fw = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  down(write, END_RESP, ns(10));
  checker.check_finished();
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(BaseProtocol, NextRequestMayBeginWhileAResponseIsTaken) {
  ends.bw = [this](auto& payload, auto&, auto&) {
    if (&payload == &one) down(two, BEGIN_REQ);
    return tlm::TLM_COMPLETED;
  };
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP);
  up(two, BEGIN_RESP);
  checker.check_finished();
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(BaseProtocol, IgnorablePhasesPass) {
  down(one, BEGIN_REQ);
  up(one, OWN_PHASE);
  down(one, OWN_PHASE);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(BaseProtocol, BlockingCallsPass) {
  tlm_generic_payload unmanaged;
  unmanaged.deep_copy_from(one);
  unmanaged.set_data_ptr(data[0]);
  blocking(unmanaged);
  blocking(one);
  checker.check_finished();
  EXPECT_THAT(rules(), IsEmpty());
}

// ---- phases ----

TEST_F(BaseProtocol, EachSideSendsItsOwnPhasesOnly) {
  down(one, BEGIN_REQ);
  down(one, END_REQ);
  up(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_PATH", "TLM_PHASE_PATH"));
}
TEST_F(BaseProtocol, EachSideReturnsItsOwnPhasesOnly) {
  ends.fw = [](auto&, auto& phase, auto&) {
    phase = END_RESP;
    return tlm::TLM_UPDATED;
  };
  down(one, BEGIN_REQ);
  ends.bw = [](auto&, auto& phase, auto&) {
    phase = BEGIN_REQ;
    return tlm::TLM_UPDATED;
  };
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_PATH", "TLM_PHASE_PATH"));
}
TEST_F(BaseProtocol, EndReqTwice) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  up(one, END_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, EndReqAfterBeginResp) {
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP);
  up(one, END_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, ResponseTwice) {
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP);
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, ResponseWithoutRequest) {
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, EndRespWithoutBeginResp) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, BeginReqOfWhatIsUnderWay) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(one, BEGIN_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_PHASE_ORDER"));
}
TEST_F(BaseProtocol, NothingFollowsEndResp) {
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP);
  ends.fw = [](auto&, auto&, auto&) { return tlm::TLM_UPDATED; };
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_RETURN"));
}
TEST_F(BaseProtocol, EndReqIsAcceptedAndNothingElse) {
  down(one, BEGIN_REQ);
  ends.bw = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  up(one, END_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_RETURN"));
}
TEST_F(BaseProtocol, ResponseByACallAndByTheReturn) {
  ends.fw = [this](auto& payload, auto&, auto&) {
    up(payload, BEGIN_RESP);
    return tlm::TLM_COMPLETED;
  };
  down(one, BEGIN_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_RETURN"));
}
TEST_F(BaseProtocol, SecondRequestBeforeEndReq) {
  down(one, BEGIN_REQ);
  down(two, BEGIN_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_REQUEST_EXCLUSION"));
}
TEST_F(BaseProtocol, SecondRequestBeforeEndReqTakesEffect) {
  down(one, BEGIN_REQ);
  up(one, END_REQ, ns(10));
  down(two, BEGIN_REQ, ns(9));
  EXPECT_THAT(rules(), ElementsAre("TLM_REQUEST_EXCLUSION"));
}
TEST_F(BaseProtocol, SecondResponseBeforeEndResp) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(two, BEGIN_REQ);
  up(one, BEGIN_RESP);
  up(two, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE_EXCLUSION"));
}
TEST_F(BaseProtocol, SecondResponseBeforeEndRespTakesEffect) {
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(two, BEGIN_REQ);
  up(one, BEGIN_RESP);
  down(one, END_RESP, ns(10));
  up(two, BEGIN_RESP, ns(9));
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE_EXCLUSION"));
}
TEST_F(BaseProtocol, WhatFollowsBeforeTheAnnotatedTimesIsCondemned) {
  for (auto* each : {&one, &two, &write}) {
    down(*each, BEGIN_REQ, ns(1));
    up(*each, END_REQ, ns(2));
    up(*each, BEGIN_RESP, ns(3));
    down(*each, END_RESP, ns(4));
  }
  checker.check_finished();
  EXPECT_THAT(rules(), ElementsAre("TLM_REQUEST_EXCLUSION", "TLM_RESPONSE_EXCLUSION",
                                   "TLM_REQUEST_EXCLUSION", "TLM_RESPONSE_EXCLUSION"))
      << "each begins at 1 ns, and the one before ends its request at 2 and its response at 4";
}
TEST_F(BaseProtocol, UnansweredRequest) {
  down(one, BEGIN_REQ);
  checker.check_finished();
  EXPECT_THAT(rules(), ElementsAre("TLM_UNANSWERED"));
}

// ---- times and interfaces ----

TEST_F(BaseProtocol, EndRespBeforeBeginRespTakesEffect) {
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP, ns(25));
  down(one, END_RESP, ns(10));
  EXPECT_THAT(rules(), ElementsAre("TLM_TIME_ORDER"));
  EXPECT_THAT(log.text(),
              HasSubstr("a read of 4 bytes goes on at 10 ns, after something at 25 ns"));
}
TEST_F(BaseProtocol, EndReqBeforeBeginReqTakesEffect) {
  down(one, BEGIN_REQ, ns(10));
  up(one, END_REQ, ns(9));
  EXPECT_THAT(rules(), ElementsAre("TLM_TIME_ORDER"));
}
TEST_F(BaseProtocol, ReturnBeforeTheCall) {
  ends.fw = [](auto&, auto& phase, auto& delay) {
    phase = END_REQ;
    delay = ns(9);
    return tlm::TLM_UPDATED;
  };
  down(one, BEGIN_REQ, ns(10));
  EXPECT_THAT(rules(), ElementsAre("TLM_TIME_ORDER"));
}
TEST_F(BaseProtocol, BlockingCallThatTakesTimeOff) {
  ends.b = [](auto& payload, auto& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = ns(9);
  };
  blocking(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_TIME_ORDER"));
}
TEST_F(BaseProtocol, AcceptedLeavesPhaseTimeAndTransactionAlone) {
  ends.fw = [](auto&, auto& phase, auto&) {
    phase = END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  ends.fw = [](auto&, auto&, auto& delay) {
    delay = ns(1);
    return tlm::TLM_ACCEPTED;
  };
  down(two, BEGIN_REQ);
  up(two, END_REQ);
  ends.fw = [](auto& payload, auto&, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_ACCEPTED;
  };
  down(write, BEGIN_REQ);
  ends.bw = [](auto&, auto& phase, auto&) {
    phase = END_RESP;
    return tlm::TLM_ACCEPTED;
  };
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_ACCEPTED", "TLM_ACCEPTED", "TLM_ACCEPTED", "TLM_ACCEPTED"));
}
TEST_F(BaseProtocol, BothInterfacesAtOnce) {
  down(one, BEGIN_REQ);
  blocking(one);
  EXPECT_EQ(rules().front(), "TLM_MIXED");
}
TEST_F(BaseProtocol, PhaseOfWhatIsBlocking) {
  ends.b = [this](auto& payload, auto&) {
    down(payload, BEGIN_REQ);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  blocking(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_MIXED"));
}
TEST_F(BaseProtocol, BlockingCallFromAMethodProcess) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  sc_core::sc_spawn([this] { blocking(one); }, "method", &options);
  sc_core::sc_spawn([this] { blocking(two); }, "thread");
  sc_core::sc_start(ns(1));
  EXPECT_THAT(rules(), ElementsAre("TLM_METHOD_PROCESS"));
}
TEST_F(BaseProtocol, NonBlockingCallsThatWait) {
  ends.fw = ends.bw = [](auto&, auto&, auto&) {
    sc_core::wait(ns(1));
    return tlm::TLM_ACCEPTED;
  };
  sc_core::sc_spawn(
      [this] {
        down(one, BEGIN_REQ);
        up(one, BEGIN_RESP);
      },
      "thread");
  sc_core::sc_start(ns(10));
  EXPECT_THAT(rules(), ElementsAre("TLM_NONBLOCKING", "TLM_NONBLOCKING"));
}
TEST_F(BaseProtocol, DirectMemoryDescriptors) {
  tlm::tlm_dmi dmi;
  const auto ask = [&] { return ends.initiator->get_direct_mem_ptr(two, dmi); };
  EXPECT_FALSE(ask());
  ends.dmi = [this](tlm::tlm_dmi& descriptor) {
    descriptor.set_dmi_ptr(data[0]);
    descriptor.allow_read();
    descriptor.set_end_address(0x7f);
    return true;
  };
  EXPECT_TRUE(ask());
  EXPECT_THAT(rules(), IsEmpty());
  ask();  // with what the last call has left in it
  EXPECT_THAT(rules(), ElementsAre("TLM_DMI"));
  dmi.init();
  ends.dmi = [this](tlm::tlm_dmi& descriptor) {
    descriptor.set_dmi_ptr(data[0]);
    descriptor.allow_read();
    descriptor.set_end_address(0x3f);  // asked for: 0x40
    return true;
  };
  ask();
  EXPECT_THAT(rules(), ElementsAre("TLM_DMI", "TLM_DMI"));
  dmi.init();
  ends.dmi = [](tlm::tlm_dmi&) { return true; };
  ask();
  EXPECT_THAT(rules(), ElementsAre("TLM_DMI", "TLM_DMI", "TLM_DMI"));
}
TEST_F(BaseProtocol, DebugAccesses) {
  ends.debug = [] { return 4u; };
  ends.initiator->transport_dbg(one);
  EXPECT_THAT(rules(), IsEmpty());
  ends.debug = [] { return 5u; };
  ends.initiator->transport_dbg(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_DEBUG"));
  ends.debug = [] { return 0u; };
  one.set_data_ptr(nullptr);
  ends.initiator->transport_dbg(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_DEBUG", "TLM_DEBUG"));
}

// ---- the transaction object ----

TEST_F(BaseProtocol, NoMemoryManager) {
  tlm_generic_payload unmanaged;
  unmanaged.deep_copy_from(one);
  unmanaged.set_data_ptr(data[0]);
  down(unmanaged, BEGIN_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_MEMORY_MANAGER"));
}
TEST_F(BaseProtocol, NobodyHoldsAReference) {
  one.release();
  down(one, BEGIN_REQ);
  one.acquire();
  EXPECT_THAT(rules(), ElementsAre("TLM_REFERENCE_COUNT"));
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  one.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  one.release();
  blocking(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_REFERENCE_COUNT", "TLM_REFERENCE_COUNT"));
  one.acquire();
}
TEST_F(BaseProtocol, ObjectUsedAgainWhileItsResponseIsDelivered) {
  ends.bw = [this](auto& payload, auto&, auto&) {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    down(payload, BEGIN_REQ);
    return tlm::TLM_COMPLETED;
  };
  down(one, BEGIN_REQ);
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_REUSE"));
}
TEST_F(BaseProtocol, ExtensionLeftInAnObjectWithoutAMemoryManager) {
  tlm_generic_payload unmanaged;
  unmanaged.deep_copy_from(one);
  unmanaged.set_data_ptr(data[0]);
  ends.b = [this](auto& payload, auto&) {
    payload.set_extension(&mark);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  blocking(unmanaged);
  unmanaged.clear_extension(&mark);
  EXPECT_THAT(rules(), ElementsAre("TLM_EXTENSION"));
}

// ---- attributes ----

using Damage = std::function<void(BaseProtocol&)>;
struct Attribute {
  const char* name;
  const char* rule;
  Damage damage;
};
void PrintTo(const Attribute& attribute, std::ostream* out) { *out << attribute.name; }
template <typename Info>
std::string name_of(const Info& info) {
  return info.param.name;
}

class InARequest : public BaseProtocol, public testing::WithParamInterface<Attribute> {};
TEST_P(InARequest, IsCondemned) {
  GetParam().damage(*this);
  down(write, BEGIN_REQ);
  up(write, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
TEST_P(InARequest, IsCondemnedInABlockingCall) {
  GetParam().damage(*this);
  blocking(write);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
INSTANTIATE_TEST_SUITE_P(
    Attributes, InARequest,
    testing::Values(
        Attribute{"NoData", "TLM_DATA_POINTER",
                  [](auto& bench) { bench.write.set_data_ptr(nullptr); }},
        Attribute{"NoLength", "TLM_DATA_LENGTH",
                  [](auto& bench) { bench.write.set_data_length(0); }},
        Attribute{"NoWidth", "TLM_STREAMING_WIDTH",
                  [](auto& bench) { bench.write.set_streaming_width(0); }},
        Attribute{"EnablesWithoutLength", "TLM_BYTE_ENABLES",
                  [](auto& bench) { bench.write.set_byte_enable_ptr(bench.enables); }},
        Attribute{"DirectMemory", "TLM_DMI_ALLOWED",
                  [](auto& bench) { bench.write.set_dmi_allowed(true); }},
        Attribute{"Status", "TLM_RESPONSE_STATUS",
                  [](auto& bench) { bench.write.set_response_status(tlm::TLM_OK_RESPONSE); }},
        Attribute{"Option", "TLM_OPTION",
                  [](auto& bench) { bench.write.set_gp_option(tlm::TLM_FULL_PAYLOAD); }}),
    name_of<testing::TestParamInfo<Attribute>>);

class InFlight : public BaseProtocol, public testing::WithParamInterface<Attribute> {
 public:
  InFlight() {
    write.set_byte_enable_ptr(enables);
    write.set_byte_enable_length(4);
  }
};
TEST_P(InFlight, IsCondemnedAtEndReq) {
  down(write, BEGIN_REQ);
  GetParam().damage(*this);
  up(write, END_REQ);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
TEST_P(InFlight, IsCondemnedAtBeginResp) {
  down(write, BEGIN_REQ);
  GetParam().damage(*this);
  up(write, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
TEST_P(InFlight, IsCondemnedAtEndResp) {
  down(write, BEGIN_REQ);
  up(write, BEGIN_RESP);
  GetParam().damage(*this);
  down(write, END_RESP);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
TEST_P(InFlight, IsCondemnedAfterABlockingCall) {
  ends.b = [this](auto& payload, auto&) {
    GetParam().damage(*this);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  blocking(write);
  EXPECT_THAT(rules(), ElementsAre(GetParam().rule));
}
INSTANTIATE_TEST_SUITE_P(
    Attributes, InFlight,
    testing::Values(
        Attribute{"Command", "TLM_STABLE", [](auto& bench) { bench.write.set_read(); }},
        Attribute{"DataPointer", "TLM_STABLE",
                  [](auto& bench) { bench.write.set_data_ptr(bench.data[0]); }},
        Attribute{"Length", "TLM_STABLE", [](auto& bench) { bench.write.set_data_length(2); }},
        Attribute{"Enables", "TLM_STABLE",
                  [](auto& bench) { bench.write.set_byte_enable_ptr(nullptr); }},
        Attribute{"EnableLength", "TLM_STABLE",
                  [](auto& bench) { bench.write.set_byte_enable_length(1); }},
        Attribute{"Width", "TLM_STABLE", [](auto& bench) { bench.write.set_streaming_width(2); }},
        Attribute{"Option", "TLM_OPTION",
                  [](auto& bench) { bench.write.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }},
        Attribute{"Data", "TLM_DATA_STABLE", [](auto& bench) { bench.data[2][3] ^= 1; }},
        Attribute{"EnabledBytes", "TLM_DATA_STABLE", [](auto& bench) { bench.enables[3] = 0; }}),
    name_of<testing::TestParamInfo<Attribute>>);

TEST_F(BaseProtocol, AddressesMayChangeOnTheWay) {
  down(one, BEGIN_REQ);
  one.set_address(0x1234);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(BaseProtocol, ReadDataAreTheTargetsUntilItResponds) {
  down(one, BEGIN_REQ);
  data[0][1] = 1;
  up(one, END_REQ);
  data[0][1] = 2;
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), IsEmpty());
  data[0][1] = 3;
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_DATA_STABLE"));
}
TEST_F(BaseProtocol, ResponseStatusAndDirectMemoryAreSetUpToBeginResp) {
  down(one, BEGIN_REQ);
  one.set_dmi_allowed(true);
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), IsEmpty());
  one.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  one.set_dmi_allowed(false);
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE_STATUS", "TLM_DMI_ALLOWED"));
}
TEST_F(BaseProtocol, ResponseWithoutStatus) {
  down(one, BEGIN_REQ);
  tlm_phase phase = BEGIN_RESP;
  sc_time delay;
  ends.target->nb_transport_bw(one, phase, delay);
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE"));
  ends.b = [](auto&, auto&) {};
  blocking(two);
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE", "TLM_RESPONSE"));
}
TEST_F(BaseProtocol, CompletionWithoutStatus) {
  ends.fw = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  down(one, BEGIN_REQ);
  EXPECT_THAT(rules(), ElementsAre("TLM_RESPONSE"));
}

// ---- several hops ----

class TwoHops : public BaseProtocol {
 public:
  TwoHops() {
    far.initiator.bind(below.target);
    below.initiator.bind(far.target);
    checker.watch(below);
    child.set_mm(&far);
    child.acquire();
    child.set_command(tlm::TLM_READ_COMMAND);
    child.set_data_ptr(data[0] + 2);
    child.set_data_length(2);
    child.set_streaming_width(2);
  }
  void child_down(tlm_phase phase) {
    sc_time delay;
    far.initiator->nb_transport_fw(child, phase, delay);
  }
  Ends far{"far"};
  BaseProtocolChecker below{"below"};
  tlm_generic_payload child;
};

TEST_F(TwoHops, BurstThatOutlivesItsParent) {
  down(one, BEGIN_REQ);
  child_down(BEGIN_REQ);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_LIFETIME"));
  EXPECT_THAT(log.text(), HasSubstr("a read of 4 bytes has ended while below has a burst of 2"));
}
TEST_F(TwoHops, BurstThatOutlivesAParentWhoseResponseIsTakenAtOnce) {
  ends.bw = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  down(one, BEGIN_REQ);
  child_down(BEGIN_REQ);
  up(one, BEGIN_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_LIFETIME"));
}
TEST_F(TwoHops, BurstThatOutlivesABlockingParent) {
  ends.b = [this](auto& payload, auto&) {
    child_down(BEGIN_REQ);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  blocking(one);
  EXPECT_THAT(rules(), ElementsAre("TLM_LIFETIME"));
}
TEST_F(TwoHops, ByteEnablesThatOutliveTheirParent) {
  one.set_byte_enable_ptr(enables);
  one.set_byte_enable_length(4);
  uint8_t elsewhere[2];
  child.set_data_ptr(elsewhere);
  child.set_byte_enable_ptr(enables + 2);
  child.set_byte_enable_length(2);
  down(one, BEGIN_REQ);
  child_down(BEGIN_REQ);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), ElementsAre("TLM_LIFETIME"));
}
TEST_F(TwoHops, BurstOfAnotherTransactionThatIsUnderWay) {
  two.set_data_ptr(data[0]);  // both read into one buffer
  down(one, BEGIN_REQ);
  up(one, END_REQ);
  down(two, BEGIN_REQ);
  child_down(BEGIN_REQ);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), IsEmpty());
}
TEST_F(TwoHops, BurstThatHasEnded) {
  down(one, BEGIN_REQ);
  child_down(BEGIN_REQ);
  child.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm_phase phase = BEGIN_RESP;
  sc_time delay;
  far.target->nb_transport_bw(child, phase, delay);
  child_down(END_RESP);
  up(one, BEGIN_RESP);
  down(one, END_RESP);
  EXPECT_THAT(rules(), IsEmpty());
}

TEST_F(BaseProtocol, MessagesHaveRulePlaceAndTime) {
  down(one, BEGIN_REQ);
  down(two, BEGIN_REQ);
  EXPECT_THAT(log.text(),
              HasSubstr("checker @ 0 s: TLM_REQUEST_EXCLUSION: read of 4 bytes at 0x40: "
                        "BEGIN_REQ before"));
  EXPECT_EQ(checker.violation_count(), 1u);
}

}  // namespace
}  // namespace gvp::kit
