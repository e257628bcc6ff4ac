// SPDX-License-Identifier: Apache-2.0
// The approximately timed processor as an initiator: whatever its targets make of TLM-2.0's base
// protocol, the program does the same, and the protocol is kept (the targets check it).
#include <gtest/gtest.h>

#include <cstring>

#include "models/host/host.h"
#include "tests/models/axi/varied_target.h"
#include "tests/models/host/assembler.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

// Sums of what is written and read back, by words, halves and bytes.
constexpr const char* kProgram = R"(
  addik r5, r0, 0x1000
  addik r6, r0, 40
  addik r3, r0, 0
  swi r6, r5, 0
  lwi r7, r5, 0
  addk r3, r3, r7
  sbi r6, r5, 5
  lbui r7, r5, 5
  addk r3, r3, r7
  shi r3, r5, 10
  lhui r7, r5, 10
  xor r3, r3, r7
  swi r3, r5, 12
  addik r5, r5, 16
  addik r6, r6, -1
  bneid r6, -48
  addik r3, r3, 1
  swi r3, r0, 0x800
  bri 0
)";

struct Wanted {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(0x4000);
  uint32_t sum = 0;
};

// The same in C++.
Wanted wanted() {
  Wanted result;
  uint8_t* at = &result.bytes[0x1000];
  for (uint32_t i = 40; i > 0; --i, at += 16) {
    std::memcpy(at, &i, 4);
    at[5] = static_cast<uint8_t>(i);
    result.sum += 2 * i;
    const auto half = static_cast<uint16_t>(result.sum);
    std::memcpy(at + 10, &half, 2);
    result.sum ^= half;
    std::memcpy(at + 12, &result.sum, 4);
    ++result.sum;
  }
  std::memcpy(&result.bytes[0x800], &result.sum, 4);
  return result;
}

class AtProcessorOnTheBus : public testing::TestWithParam<uint32_t> {};

TEST_P(AtProcessorOnTheBus, DoesTheSameWhateverWayItsTargetsAnswer) {
  const uint32_t seed = gvp::test::seed(GetParam());
  SCOPED_TRACE(gvp::test::text_of_seed(seed));
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  Configuration configuration;
  configuration.lmb_size = 0;
  const auto host = make_host("host", "at", configuration);
  gvp::test::VariedTarget code("code", 0x4000, seed), data("data", 0x4000, seed + 1);
  code.has_ids = data.has_ids = false;  // the processor has one
  sc_core::sc_signal<bool> interrupt("interrupt");
  host->instruction_socket().bind(code.socket);
  host->data_socket().bind(data.socket);
  host->interrupt(interrupt);
  std::optional<Stop> stop;
  host->set_stop_handler([&](const Stop& s) { stop = s; });
  size_t at = 0;
  for (const uint32_t word : assemble_program(kProgram)) {
    std::memcpy(&code.bytes[at], &word, 4);
    at += 4;
  }
  host->set_start_address(0);
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS));
  ASSERT_TRUE(stop.has_value());
  const Wanted expected = wanted();
  EXPECT_EQ(stop->exit_code, expected.sum);
  EXPECT_EQ(data.bytes, expected.bytes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AtProcessorOnTheBus, testing::Range(1u, 6u));

}  // namespace
}  // namespace gvp::host::test
