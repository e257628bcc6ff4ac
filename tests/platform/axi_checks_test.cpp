// SPDX-License-Identifier: Apache-2.0
#include "platform/axi_checks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/tlm/memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::platform {
namespace {

kit::MemoryConfiguration some_bytes() {
  kit::MemoryConfiguration configuration;
  configuration.size = 0x1000;
  return configuration;
}

// A read whose response is set before it is asked for (IEEE 1666-2011, 14.17).
void break_a_rule(test::Initiator& initiator) {
  uint32_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(0x10);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  initiator.socket->b_transport(payload, initiator.delay);
}

TEST(AxiChecks, ViolationIsCountedAndListedWithSocketRuleAndTime) {
  test::LogCapture log;
  test::Initiator initiator("initiator");
  kit::Memory memory("memory", some_bytes());
  AxiChecks checks(true);
  checks.connect("host_data", initiator.socket, memory.socket, {});
  initiator.run([&] {
    initiator.write32(0, 1);
    initiator.advance(sc_core::sc_time(5, sc_core::SC_US));
    break_a_rule(initiator);
  });
  EXPECT_EQ(checks.violations(), 1u);
  const nlohmann::ordered_json json = checks.to_json();
  EXPECT_EQ(json["transactions"], 2);
  ASSERT_EQ(json["list"].size(), 1u);
  EXPECT_EQ(json["list"][0]["socket"], "host_data");
  EXPECT_EQ(json["list"][0]["rule"], "TLM_RESPONSE_STATUS");
  EXPECT_GE(json["list"][0]["time_ns"], 5000);
  EXPECT_NE(json["list"][0]["text"].get<std::string>().find("0x10"), std::string::npos);
}

TEST(AxiChecks, OffNothingIsInBetween) {
  test::Initiator initiator("initiator");
  kit::Memory memory("memory", some_bytes());
  AxiChecks checks(false);
  checks.connect("host_data", initiator.socket, memory.socket, {});
  EXPECT_EQ(sc_core::sc_find_object("check_host_data"), nullptr);
  initiator.run([&] { break_a_rule(initiator); });
  EXPECT_EQ(checks.violations(), 0u);
}

}  // namespace
}  // namespace gvp::platform
