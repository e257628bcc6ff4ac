// SPDX-License-Identifier: Apache-2.0
// The whole program in this process: what it returns for what happens in the simulation.
#include "platform/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/tlm/base_protocol_checker.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;
using testing::Not;

// Behaves as a master would that breaks a rule: sends a request whose response is already set
// (IEEE 1666-2011, 14.17) through the checker at the host's data port, if there is one.
class RuleBreaker : public sc_core::sc_module {
 public:
  explicit RuleBreaker(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(RuleBreaker);
    SC_THREAD(run);
  }
  bool found_checker = false;

 private:
  void run() {
    wait(1, sc_core::SC_US);
    auto* checker = dynamic_cast<kit::BaseProtocolChecker*>(
        sc_core::sc_find_object("platform.check_host_data_tlm"));
    if (checker == nullptr) return;
    found_checker = true;
    uint32_t word = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0x50000000);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time delay;
    checker->target.get_base_export()->b_transport(payload, delay);
  }
};

int run_hello(const char* check) {
  const std::string setting = std::string("axi.check=") + check;
  const char* const arguments[] = {"gpgpu-vp", "--set", setting.c_str(),
                                   GVP_SOURCE_DIR "/firmware/prebuilt/hello.elf"};
  return run_program(4, arguments);
}

TEST(Session, AProtocolViolationFailsARunThatEndedWell) {
  RuleBreaker breaker("breaker");
  testing::internal::CaptureStderr();
  const int exit_code = run_hello("true");
  const std::string text = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(breaker.found_checker);
  EXPECT_EQ(exit_code, 125) << text;
  EXPECT_THAT(text, HasSubstr("check_host_data_tlm @ 1 us: TLM_RESPONSE_STATUS"));
  // Seen at the host's port and again in front of the memory.
  EXPECT_THAT(text, HasSubstr("gpgpu-vp: 2 violations of the AXI protocol, see the log"));
  EXPECT_THAT(text, HasSubstr("(else the end: exit, exit code 0)"));
  EXPECT_THAT(text, HasSubstr("gpgpu-vp: protocol violation, exit code 125"));
}

TEST(Session, WithoutAxiCheckThereIsNoChecker) {
  RuleBreaker breaker("breaker");
  testing::internal::CaptureStderr();
  const int exit_code = run_hello("false");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(exit_code, 0) << text;
  EXPECT_FALSE(breaker.found_checker);
  EXPECT_THAT(text, Not(HasSubstr("violation")));
}

}  // namespace
}  // namespace gvp::platform
