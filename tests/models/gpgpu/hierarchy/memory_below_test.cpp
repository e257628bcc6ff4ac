// SPDX-License-Identifier: Apache-2.0
// The level of a GPGPU's memory hierarchy that makes transactions of requests.
#include "models/gpgpu/hierarchy/memory_below.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <vector>

#include "tests/models/gpgpu/script.h"

namespace gvp::gpgpu {
namespace {

using hierarchy::LineBytes;
using sc_core::SC_NS;
using sc_core::sc_time;

// Takes 50 ns an access, and writes down what it is asked for.
class Target : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Target> socket{"socket"};

  explicit Target(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &Target::b_transport);
    socket.register_transport_dbg(this, &Target::transport_dbg);
  }

  std::vector<std::string> asked;
  bool knows_strobes = true;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    delay += sc_time(50, SC_NS);
    write_down(payload);
    const bool fits = knows_strobes || payload.get_byte_enable_ptr() == nullptr;
    payload.set_response_status(fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    write_down(payload);
    return payload.get_data_length();
  }
  void write_down(const tlm::tlm_generic_payload& payload) {
    std::string text =
        std::to_string(payload.get_address()) + "+" + std::to_string(payload.get_data_length());
    if (payload.get_byte_enable_ptr() != nullptr) {
      EXPECT_EQ(payload.get_byte_enable_length(), payload.get_data_length());
      text += " ";
      for (unsigned i = 0; i < payload.get_byte_enable_length(); ++i)
        text += payload.get_byte_enable_ptr()[i] == TLM_BYTE_ENABLED ? "1" : "0";
    }
    asked.push_back(text);
  }
};

class MemoryBelowTest : public testing::Test {
 protected:
  MemoryBelowTest() {
    port.socket.bind(target.socket);
    for (const uint32_t byte : {0u, 1u, 2u, 3u, 9u}) strobes.set(byte);
  }

  Target target{"target"};
  DirectRange range;
  const kit::Clock clock{100e6, "a clock"};
  MemoryPort port{"port", range, clock};
  hierarchy::MemoryBelow below{port, clock, 2, 4};
  hierarchy::PerfectMemory perfect{port};
  LineBytes strobes;
  const std::vector<uint8_t> data = std::vector<uint8_t>(12);
  test::Script script{"script"};
};

TEST_F(MemoryBelowTest, StrobesAreTheByteEnablesOfOneTransaction) {
  script.run([&] {
    below.begin(sc_core::SC_ZERO_TIME, true);
    uint64_t cycle = 0;
    EXPECT_EQ(below.write_strobed(64, data.data(), 12, &strobes, cycle), FaultCause::kNone);
    EXPECT_EQ(target.asked, std::vector<std::string>{"64+12 111100000100"});
    EXPECT_EQ(cycle, 5u);
    EXPECT_EQ(below.counters().writes, 1u);
    EXPECT_EQ(below.counters().bytes_written, 5u);
  });
}

TEST_F(MemoryBelowTest, WhatRefusesStrobesIsWrittenRunByRun) {
  script.run([&] {
    target.knows_strobes = false;
    below.begin(sc_core::SC_ZERO_TIME, true);
    uint64_t cycle = 0;
    EXPECT_EQ(below.write_strobed(64, data.data(), 12, &strobes, cycle), FaultCause::kNone);
    EXPECT_EQ(target.asked, (std::vector<std::string>{"64+12 111100000100", "64+4", "73+1"}));
    EXPECT_EQ(below.counters().writes, 2u);
    EXPECT_EQ(below.counters().bytes_written, 5u);
  });
}

TEST_F(MemoryBelowTest, RequestIsTakenWhenItsTransactionBegins) {
  script.run([&] {
    below.begin(sc_core::SC_ZERO_TIME, true);
    uint64_t begun[3];
    for (uint64_t& each : begun) {
      uint64_t cycle = 0;
      below.write(64, data.data(), 4, cycle);
      each = below.accepted();
    }
    EXPECT_EQ(begun[0], 0u);
    EXPECT_EQ(begun[1], 1u);
    EXPECT_EQ(begun[2], 5u);  // two are under way until the first is answered
  });
}

TEST_F(MemoryBelowTest, AnswerThatIsNotTakenHoldsTheDataChannelAndItsTransaction) {
  script.run([&] {
    below.begin(sc_core::SC_ZERO_TIME, true);
    uint64_t first = 0, second = 0, third = 0;
    below.write(64, data.data(), 4, first);
    EXPECT_EQ(first, 5u);
    below.answer_taken(40);
    below.write(64, data.data(), 4, second);
    EXPECT_EQ(second, 41u);
    below.write(64, data.data(), 4, third);
    EXPECT_EQ(below.accepted(), 40u);
  });
}

TEST_F(MemoryBelowTest, PerfectMemoryTakesTheBytesOfStrobesInOneCycle) {
  script.run([&] {
    perfect.begin();
    uint64_t cycle = 7;
    EXPECT_EQ(perfect.write_strobed(64, data.data(), 12, &strobes, cycle), FaultCause::kNone);
    EXPECT_EQ(target.asked, (std::vector<std::string>{"64+4", "73+1"}));
    EXPECT_EQ(cycle, 8u);
    EXPECT_EQ(perfect.counters().writes, 1u);
    EXPECT_EQ(perfect.counters().bytes_written, 5u);
  });
}

}  // namespace
}  // namespace gvp::gpgpu
