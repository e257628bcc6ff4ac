// SPDX-License-Identifier: Apache-2.0
// What is right, and phases that come from the wrong side, out of order or not at all.  For each
// rule an initiator or a target that breaks just this one.
#include <gtest/gtest-spi.h>

#include "tests/models/tlm/base_protocol.h"
#include "tests/support/checked_hop.h"

namespace gvp::kit {
namespace {

DECLARE_EXTENDED_PHASE(OWN_PHASE);

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

TEST_F(BaseProtocol, MessagesHaveRulePlaceAndTime) {
  down(one, BEGIN_REQ);
  down(two, BEGIN_REQ);
  EXPECT_THAT(log.text(),
              HasSubstr("checker @ 0 s: TLM_REQUEST_EXCLUSION: read of 4 bytes at 0x40: "
                        "BEGIN_REQ before"));
  EXPECT_EQ(checker.violation_count(), 1u);
}

TEST_F(BaseProtocol, WithinAnInitiatorOrATargetOfTheTestsAViolationFailsTheTest) {
  static tlm_generic_payload* payload;
  payload = &one;
  EXPECT_NONFATAL_FAILURE(
      {
        Ends other("other");
        test::CheckedHop hop("hop");
        other.initiator.bind(hop.target);
        hop.initiator.bind(other.target);
        tlm_phase phase = END_RESP;
        sc_time delay;
        other.initiator->nb_transport_fw(*payload, phase, delay);
      },
      "hop at 0 s: TLM_PHASE_ORDER: ");
}

}  // namespace
}  // namespace gvp::kit
