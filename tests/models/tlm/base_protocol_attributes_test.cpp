// SPDX-License-Identifier: Apache-2.0
// Attributes of a transaction, at its request and while it is under way.  For each rule an
// initiator or a target that breaks just this one.
#include "tests/models/tlm/base_protocol.h"

namespace gvp::kit {
namespace {

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

}  // namespace
}  // namespace gvp::kit
