// SPDX-License-Identifier: Apache-2.0
// GDB over a real socket against the SystemC module: a scripted client in a thread of its own.
#include "models/host/gdb_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <atomic>
#include <optional>
#include <thread>

#include "models/base/error.h"
#include "models/host/host.h"
#include "tests/models/host/load.h"
#include "tests/support/guest/tested_engine.h"
#include "tests/support/rsp_client.h"

namespace gvp::host::test {
namespace {

using gvp::test::RspClient;
using testing::HasSubstr;
using testing::StartsWith;

constexpr unsigned kPc = 32;

// A processor with local memory only; its bus answers nothing.
class Board : public sc_core::sc_module {
 public:
  std::unique_ptr<Host> host;
  std::optional<Stop> stop;
  uint16_t port = 0;

  explicit Board(const sc_core::sc_module_name& name, const char* model = "lt") : sc_module(name) {
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(10, sc_core::SC_US));
    host = make_host("host", model, gvp::test::with_tested_engine({}));
    host->instruction_socket().bind(instruction_);
    host->data_socket().bind(data_);
    host->interrupt(interrupt_);
    instruction_.register_b_transport(this, &Board::refuse);
    data_.register_b_transport(this, &Board::refuse);
    host->set_stop_handler([this](const Stop& s) {
      stop = s;
      sc_core::sc_stop();
    });
    port = host->attach_debugger(0);
  }
  void load(std::string_view text, uint32_t address) { load_program(*host, text, address); }
  // Simulates while the script plays GDB.
  template <typename Script>
  void play(Script script) {
    std::thread client([&] {
      try {
        script(port);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        host->request_stop();
      }
    });
    sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_SEC));
    host->request_stop();
    client.join();
  }

 private:
  void refuse(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  tlm_utils::simple_target_socket<Board> instruction_{"instruction"};
  tlm_utils::simple_target_socket<Board> data_{"data"};
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
};

constexpr const char* kProgram = R"(
  addik r3, r0, 0
  brlid r15, 0x100     # a call, with work in its slot
  addik r3, r3, 1
  imm 1
  addik r4, r0, 2
  swi r4, r0, 0x400
  addik r3, r3, 1
  bri 0
)";
constexpr const char* kFunction = R"(
  addik r5, r0, 7
  rtsd r15, 8
  addik r3, r3, 10
)";

class GdbServerOfEitherModel : public testing::TestWithParam<const char*> {};

TEST_P(GdbServerOfEitherModel, StepTakesUnitsAndBreakpointsStop) {
  Board board("board", GetParam());
  board.load(kProgram, 0);
  board.load(kFunction, 0x104);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    EXPECT_THAT(gdb.exchange("qSupported:swbreak+"), HasSubstr("qXfer:features:read+"));
    EXPECT_THAT(gdb.exchange("?"), StartsWith("T05"));
    EXPECT_EQ(gdb.registers().at(kPc), 0u);
    EXPECT_THAT(gdb.exchange("s"), StartsWith("T05"));
    EXPECT_EQ(gdb.registers().at(kPc), 4u);
    gdb.exchange("s");  // the call with its slot
    EXPECT_EQ(gdb.registers().at(kPc), 0x104u);
    EXPECT_EQ(gdb.registers().at(3), 1u);
    EXPECT_EQ(gdb.exchange("Z0,c,4"), "OK");  // where "next" puts its breakpoint
    EXPECT_THAT(gdb.exchange("c"), HasSubstr("swbreak"));
    EXPECT_EQ(gdb.registers().at(kPc), 0xcu);
    EXPECT_EQ(gdb.registers().at(3), 11u);
    EXPECT_EQ(gdb.exchange("z0,c,4"), "OK");
    gdb.exchange("s");  // imm with its instruction
    EXPECT_EQ(gdb.registers().at(kPc), 0x14u);
    EXPECT_EQ(gdb.registers().at(4), 0x10002u);
    EXPECT_EQ(gdb.exchange("Z2,400,4"), "OK");
    EXPECT_EQ(gdb.exchange("c"), "T05thread:1;watch:400;");
    EXPECT_EQ(gdb.read_word(0x400), 0x10002u);
    EXPECT_EQ(gdb.exchange("c"), "W0c") << "exit code 12";
  });
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 12u);
}

// At a breakpoint it stops each time that it comes by, and at nothing else.
TEST_P(GdbServerOfEitherModel, ABreakpointInALoopStopsOnceInEachRound) {
  Board board("board", GetParam());
  board.load("addik r3, r3, 1\n addik r4, r3, -3\n bnei r4, -8\n bri 0", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.exchange("?");
    EXPECT_EQ(gdb.exchange("Z0,4,4"), "OK");
    for (uint32_t round = 1; round <= 3; ++round) {
      EXPECT_THAT(gdb.exchange("c"), HasSubstr("swbreak"));
      EXPECT_EQ(gdb.registers().at(kPc), 4u);
      EXPECT_EQ(gdb.registers().at(3), round);
    }
    EXPECT_EQ(gdb.exchange("c"), "W03");
  });
}

INSTANTIATE_TEST_SUITE_P(Models, GdbServerOfEitherModel, testing::Values("lt", "at"));

TEST(GdbServerTest, ConsolesAreServedWhileTheProcessorIsHeld) {
  Board board("board");
  board.load("bri 0", 0);
  std::atomic<int> served{0};
  board.host->set_held_handler([&] { ++served; });
  board.play([&](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.exchange("?");
    const int before = served;
    for (int i = 0; i < 1000 && served < before + 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_GE(served, before + 3);
    gdb.send("k");
  });
}

TEST(GdbServerTest, InterruptByteStopsAnEndlessLoopAndMonitorAnswers) {
  Board board("board");
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.exchange("?");
    do {  // on a busy machine it may be stopped before it has begun
      gdb.send("c");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      gdb.send_raw("\x03");
      ASSERT_THAT(gdb.receive(), StartsWith("T02"));
    } while (gdb.registers().at(3) == 0);
    const std::string stats = "stats";
    EXPECT_THAT(gdb.exchange("qRcmd," + gvp::test::to_hex({stats.begin(), stats.end()})),
                StartsWith(gvp::test::to_hex({'i', 'n', 's', 't'})));
    gdb.send("k");
  });
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kRequested);
}

TEST(GdbServerTest, DetachLetsTheProgramRunAndAnotherClientMayAttach) {
  Board board("board");
  board.load("addik r3, r3, 1\n lwi r4, r0, 0x400\n beqi r4, -8\n bri 0", 0);
  board.play([](uint16_t port) {
    {
      RspClient first = RspClient::connect_tcp(port);
      first.exchange("?");
      EXPECT_EQ(first.exchange("Z0,0,4"), "OK");
      EXPECT_EQ(first.exchange("D"), "OK");
      EXPECT_TRUE(first.closed_by_peer());
    }
    for (;;) {  // it runs on, past the old breakpoint, in its own time
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      RspClient second = RspClient::connect_tcp(port);
      EXPECT_THAT(second.exchange("?"), StartsWith("T05"));
      if (second.registers().at(3) <= 1) {
        ASSERT_EQ(second.exchange("D"), "OK");
        continue;
      }
      second.write_memory(0x400, {1, 0, 0, 0});
      EXPECT_THAT(second.exchange("c"), StartsWith("W"));
      return;
    }
  });
  EXPECT_TRUE(board.stop.has_value());
}

TEST(GdbServerTest, LostConnectionLetsTheProgramRun) {
  Board board("board");
  board.load("addik r3, r0, 5\n bri 0", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.exchange("?");
  });
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kExit);
}

TEST(GdbServerTest, GarbageIsAnsweredWithARequestToRepeat) {
  Board board("board");
  board.load("bri 0", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.send_raw("garbage$g#00\x7f\xff$$$m#zz");
    EXPECT_THAT(gdb.exchange("?"), StartsWith("T05"));
    gdb.send("k");
  });
  EXPECT_TRUE(board.stop.has_value());
}

TEST(GdbServerTest, WhatWasNotUnderstoodIsSentAgain) {
  Board board("board");
  board.load("bri 0", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    const std::string answer = gdb.exchange("?");
    gdb.send_raw("-");
    EXPECT_EQ(gdb.receive(), answer);
    gdb.send("k");
  });
  EXPECT_TRUE(board.stop.has_value());
}

TEST(GdbServerTest, DeadProgramCanBeLookedAt) {
  Board board("board");
  board.load("addik r3, r0, 5\n .word 0xffffffff", 0);
  board.play([](uint16_t port) {
    RspClient gdb = RspClient::connect_tcp(port);
    gdb.exchange("?");
    EXPECT_THAT(gdb.exchange("c"), StartsWith("T0b"));
    EXPECT_EQ(gdb.registers().at(kPc), 4u);
    gdb.send("c");
  });
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kError);
}

TEST(GdbServerTest, PortInUseIsRefused) {
  Board board("board");
  EXPECT_THROW(board.host->attach_debugger(board.port), Error);
}

}  // namespace
}  // namespace gvp::host::test
