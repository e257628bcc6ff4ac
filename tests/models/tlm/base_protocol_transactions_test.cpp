// SPDX-License-Identifier: Apache-2.0
// The transaction object, and transactions that are parts of others.  For each rule an initiator or
// a target that breaks just this one.
#include "tests/models/tlm/base_protocol.h"

namespace gvp::kit {
namespace {

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

}  // namespace
}  // namespace gvp::kit
