// SPDX-License-Identifier: Apache-2.0
// Annotated times, the blocking interface, direct memory and debug accesses.  For each rule an
// initiator or a target that breaks just this one.
#include "tests/models/tlm/base_protocol.h"

namespace gvp::kit {
namespace {

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

}  // namespace
}  // namespace gvp::kit
