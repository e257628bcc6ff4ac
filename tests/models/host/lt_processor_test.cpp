// SPDX-License-Identifier: Apache-2.0
// The SystemC module: sockets, time, interrupts, the end of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/host/host.h"
#include "models/tlm/direct_account.h"
#include "tests/models/host/assembler.h"
#include "tests/support/guest/tested_engine.h"

namespace gvp::host::test {
namespace {

using sc_core::sc_time;

// RAM at 0x50000000 with direct access; a device at 0x80000000: writing n there raises the
// interrupt after n ns, writing anywhere above lowers it.
class Board : public sc_core::sc_module {
 public:
  static constexpr uint64_t kRam = 0x50000000;
  static constexpr uint64_t kTimer = 0x80000000;

  tlm_utils::simple_target_socket<Board> instruction{"instruction"};
  tlm_utils::simple_target_socket<Board> data{"data"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::unique_ptr<Host> host;
  std::vector<uint8_t> ram = std::vector<uint8_t>(1u << 20);
  std::vector<sc_time> accesses;
  struct Transfer {
    bool write;
    uint32_t address;
    unsigned bytes;
    bool operator==(const Transfer& o) const {
      return write == o.write && address == o.address && bytes == o.bytes;
    }
  };
  std::vector<Transfer> transfers;  // of RAM over the bus
  kit::DirectTraffic direct;        // past it, as the processor tells
  uint64_t granted = 0;             // bytes of the ranges that are granted; 0: all of RAM
  std::vector<kit::DirectTraffic> direct_by_range;  // in place of direct, if there are any
  bool allow_direct = true;
  uint32_t direct_from = 0;  // bytes of RAM: what is below has no direct access
  std::function<bool(tlm::tlm_dmi&)> grant = [](tlm::tlm_dmi&) {
    return true;
  };  // has the last word
  sc_time read_latency{100, sc_core::SC_NS}, write_latency{100, sc_core::SC_NS};  // direct ones
  std::optional<Stop> stop;

  SC_HAS_PROCESS(Board);
  explicit Board(const sc_core::sc_module_name& name, const Configuration& configuration = {})
      : sc_module(name) {
    host = make_host("host", "lt", gvp::test::with_tested_engine(configuration));
    host->instruction_socket().bind(instruction);
    host->data_socket().bind(data);
    host->interrupt(interrupt);
    instruction.register_b_transport(this, &Board::b_transport);
    instruction.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_b_transport(this, &Board::b_transport);
    data.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_transport_dbg(this, &Board::debug);
    host->set_stop_handler([this](const Stop& s) {
      stop = s;
      sc_core::sc_stop();
    });
    SC_METHOD(drive);
    sensitive << raise_ << lower_;
    dont_initialize();
  }

  void load(std::string_view text, uint32_t address) {
    for (const uint32_t word : assemble_program(text)) {
      ASSERT_EQ(host->debug_write(address, &word, 4), 4u);
      address += 4;
    }
  }
  void run(double microseconds = 1000) { sc_core::sc_start(sc_time(microseconds, sc_core::SC_US)); }

 private:
  void drive() { interrupt.write(raise_.triggered()); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const uint64_t address = payload.get_address();
    if (address - kRam < ram.size()) {
      access(payload);
      transfers.push_back(
          {payload.is_write(), static_cast<uint32_t>(address), payload.get_data_length()});
      delay += sc_time(100, sc_core::SC_NS);
    } else if (address - kTimer < 8) {
      accesses.push_back(sc_core::sc_time_stamp() + delay);
      uint32_t value = 0;
      if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), &value, 4);
      } else if (address == kTimer) {
        std::memcpy(&value, payload.get_data_ptr(), 4);
        raise_.notify(delay + sc_time(value, sc_core::SC_NS));
      } else {
        lower_.notify(delay);
      }
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void access(tlm::tlm_generic_payload& payload) {
    uint8_t* at = &ram[payload.get_address() - kRam];
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
      return;
    }
    const uint8_t* enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (enables == nullptr || enables[i] == TLM_BYTE_ENABLED) at[i] = payload.get_data_ptr()[i];
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() - kRam >= ram.size()) return 0;
    EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
    access(payload);
    return payload.get_data_length();
  }
  bool get_direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    const uint64_t offset = payload.get_address() - kRam;
    if (offset >= ram.size() || offset < direct_from || !allow_direct) return false;
    const uint64_t bytes = granted == 0 ? ram.size() : granted;
    const uint64_t range = offset / bytes;
    const uint64_t first = std::max<uint64_t>(range * bytes, direct_from);
    kit::account_for_direct(payload, direct_by_range.empty() ? direct : direct_by_range.at(range));
    dmi.set_dmi_ptr(&ram[first]);
    dmi.set_start_address(kRam + first);
    dmi.set_end_address(kRam + range * bytes + bytes - 1);
    dmi.set_read_latency(read_latency);
    dmi.set_write_latency(write_latency);
    dmi.allow_read_write();
    return grant(dmi);
  }

  sc_core::sc_event raise_;
  sc_core::sc_event lower_;
};

void set_quantum(double nanoseconds) {
  tlm::tlm_global_quantum::instance().set(sc_time(nanoseconds, sc_core::SC_NS));
}

TEST(LtProcessorTest, BranchToItselfWithInterruptsOffEndsTheProgram) {
  set_quantum(1000);
  Board board("board");
  board.load("addik r3, r0, 42\n bri 0", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kExit);
  EXPECT_EQ(board.stop->exit_code, 42u);
  EXPECT_EQ(board.stop->pc, 4u);
  EXPECT_EQ(board.host->instructions(), 2u);
}

TEST(LtProcessorTest, LocalMemoryTakesOneCycleAnInstruction) {
  set_quantum(1000);
  Board board("board");
  board.load("lwi r4, r0, 64\n swi r4, r0, 68\n addk r5, r4, r4\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 3u + 3);  // the branch to itself is taken: 3 cycles
}

// A loop in the memory at 0x50000000 that reads and writes words, halfwords and bytes there, and
// one access of the local memory.
constexpr const char* kTouches =
    "imm 0x5000\n ori r4, r0, 0x100\n addik r7, r0, 20\n"
    "lwi r5, r4, 0\n swi r5, r4, 4\n lhui r6, r4, 2\n sbi r6, r4, 9\n shi r6, r4, 10\n"
    "lbui r6, r4, 7\n swi r5, r0, 64\n addik r7, r7, -1\n bneid r7, -32\n nop\n bri 0";

// What goes through pointers is as much as goes over the bus where there are none: fetches (words),
// loads and stores, whichever engine executes them and however often pointers are taken back.
TEST(LtProcessorTest, DirectAccessesAreCountedAsTransactionsAre) {
  for (const bool direct : {true, false}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(1000);
    Configuration configuration;
    configuration.jit_threshold = 3;
    Board board("board", configuration);
    board.allow_direct = direct;
    board.load("imm 0x5000\n brai 0", 0);
    board.load(kTouches, Board::kRam);
    sc_core::sc_spawn([&] {
      for (int i = 0; i < 4; ++i) {
        sc_core::wait(sc_time(3 + i, sc_core::SC_US));
        board.data->invalidate_direct_mem_ptr(0, ~0u);
        board.instruction->invalidate_direct_mem_ptr(0, ~0u);
      }
    });
    board.run();
    board.host->account_for_direct();
    board.host->account_for_direct();  // nothing is told twice
    kit::DirectTraffic all = board.direct;
    for (const Board::Transfer& each : board.transfers) {
      ++(each.write ? all.writes : all.reads);
      (each.write ? all.bytes_written : all.bytes_read) += each.bytes;
    }
    // 3 words, 10 in each round, and the branch to itself; 3 reads and 3 writes in each round
    const uint64_t words = 3 + 20 * 10 + 1;
    const bool right = all.reads == words + 20 * 3 && all.writes == 20u * 3 &&
                       all.bytes_read == words * 4 + 20 * (4 + 2 + 1) &&
                       all.bytes_written == 20u * (4 + 1 + 2) &&
                       (board.direct.reads != 0) == direct;
    if (!right)
      std::cerr << all.reads << ' ' << all.writes << ' ' << all.bytes_read << ' '
                << all.bytes_written << ' ' << board.direct.reads << std::endl;
    _exit(right && board.stop.has_value() ? 0 : 1);
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

// A load and a store in each of a thousand ranges.
constexpr uint64_t kRanges = 1000;
constexpr const char* kTouchesRanges =
    "imm 0x5000\n ori r4, r0, 0x400\n addik r7, r0, 1000\n"
    "lwi r5, r4, 0\n swi r5, r4, 4\n addik r4, r4, 1024\n addik r7, r7, -1\n bneid r7, -16\n nop\n"
    "bri 0";
constexpr uint64_t kRangeWords = 3 + kRanges * 6 + 1;

TEST(LtProcessorTest, DirectAccessesInAnyNumberOfRangesAreCounted) {
  set_quantum(1000);
  Board board("board");
  board.granted = 1024;
  board.load("imm 0x5000\n brai 0", 0);
  board.load(kTouchesRanges, Board::kRam);
  board.run(10000);
  board.host->account_for_direct();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.transfers.size(), 0u);
  EXPECT_EQ(board.direct.reads, kRangeWords + kRanges);
  EXPECT_EQ(board.direct.writes, kRanges);
}

// Who grants more pointers than can be told apart gets the transactions instead.
TEST(LtProcessorTest, AccessesThatCouldNotBeCountedGoOverTheBus) {
  set_quantum(1000);
  Board board("board");
  board.granted = 1024;
  board.direct_by_range.resize(board.ram.size() / board.granted);
  board.load("imm 0x5000\n brai 0", 0);
  board.load(kTouchesRanges, Board::kRam);
  board.run(10000);
  board.host->account_for_direct();
  ASSERT_TRUE(board.stop.has_value());
  kit::DirectTraffic all;
  for (const kit::DirectTraffic& range : board.direct_by_range) all += range;
  EXPECT_GT(all.writes, 200u);
  EXPECT_GT(board.transfers.size(), 200u);
  for (const Board::Transfer& each : board.transfers) ++(each.write ? all.writes : all.reads);
  EXPECT_EQ(all.reads, kRangeWords + kRanges);
  EXPECT_EQ(all.writes, kRanges);
}

TEST(LtProcessorTest, DirectMemoryCostsTheLatencyItStates) {
  for (const bool direct : {true, false}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(1000);
    Board board("board");
    board.allow_direct = direct;
    board.load("imm 0x5000\n lwi r4, r0, 64\n bri 0", 0);
    board.run();
    _exit(board.host->cycles() == 1u + 11 + 3 ? 0 : 1);
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

// A cycle that has begun is taken: 71 ns are 8 cycles of 10 ns, 135 ns are 14.
TEST(LtProcessorTest, DirectLatenciesAreOfReadsAndOfWritesAndCountInWholeCycles) {
  set_quantum(1000);
  Board board("board");
  board.read_latency = sc_time(71, sc_core::SC_NS);
  board.write_latency = sc_time(135, sc_core::SC_NS);
  board.load("imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n swi r4, r0, 68\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 1u + (1 + 8) + 1 + (1 + 14) + 3);
}

TEST(LtProcessorTest, DirectAccessThatIsRefusedSomewhereIsUsedInTheNextPage) {
  set_quantum(1000);
  Board board("board");
  board.direct_from = 0x1000;
  board.load(
      "imm 0x5000\n addik r20, r0, 0\n lwi r4, r20, 0xffc\n lwi r4, r20, 0x1000\n swi r4, r20, "
      "0x1004\n bri 0",
      0);
  board.run();
  EXPECT_EQ(board.transfers,
            (std::vector<Board::Transfer>{{false, uint32_t{Board::kRam} + 0xffc, 4}}));
}

// A refusal holds for its page of 4 KiB, and is not asked for again.
TEST(LtProcessorTest, DirectAccessIsAskedForOnceInAPageThatRefusesIt) {
  set_quantum(1000);
  Board board("board");
  unsigned asked = 0;
  board.grant = [&](tlm::tlm_dmi&) {
    ++asked;
    return false;
  };
  std::string program = "imm 0x5000\n addik r20, r0, 0\n";
  for (const char* offset : {"0x1000", "0x1ffc", "0x1abc", "0x2000", "0xffc", "0", "0x2ffc"})
    for (int i = 0; i < 3; ++i) program += std::string("lwi r4, r20, ") + offset + "\n";
  board.load(program + " bri 0", 0);
  board.run();
  EXPECT_EQ(board.transfers.size(), 21u);
  EXPECT_EQ(asked, 3u);
}

// A pointer that came with a refusal, or that must not be read through, is not used.
TEST(LtProcessorTest, DirectAccessTakesAGrantAndTheRightToRead) {
  const std::function<bool(tlm::tlm_dmi&)> refusals[] = {[](tlm::tlm_dmi&) { return false; },
                                                         [](tlm::tlm_dmi& dmi) {
                                                           dmi.allow_write();
                                                           return true;
                                                         }};
  set_quantum(1000);
  std::vector<std::unique_ptr<Board>> boards;
  for (const auto& refusal : refusals) {
    auto board = std::make_unique<Board>(sc_core::sc_gen_unique_name("board"));
    board->grant = refusal;
    board->load(
        "imm 0x5000\n addik r20, r0, 0\n lwi r4, r20, 64\n swi r4, r20, 68\n addik r21, r21, 1\n "
        "bri -4",
        0);
    boards.push_back(std::move(board));
  }
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  for (const auto& board : boards) EXPECT_EQ(board->transfers.size(), 2u);
}

TEST(LtProcessorTest, NothingStartsBehindTheTimeLimitWhateverTheQuantum) {
  for (const double quantum : {100.0, 10000.0, 1e6}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(quantum);
    Board board("board");
    board.load("addik r3, r3, 1\n bri -4", 0);
    // 4 cycles each time: the 12,501st addition starts at 500 us, the limit.
    board.host->set_time_limit(sc_time(500, sc_core::SC_US));
    board.run(500);
    const bool exact = board.host->instructions() == 2u * 12500 && board.host->cycles() == 50000;
    _exit(exact && !board.stop ? 0 : 1);
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(LtProcessorTest, CodeRunsFromTheBusWithAndWithoutDirectAccess) {
  set_quantum(1000);
  Board board("board");
  board.allow_direct = false;
  board.load("addik r3, r0, 7\n brid 12\n addik r3, r3, 1\n addik r3, r0, 0\n bri 0", Board::kRam);
  board.host->set_start_address(Board::kRam);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 8u);
}

TEST(LtProcessorTest, DeviceSeesTheLocalTime) {
  set_quantum(1000);
  Board board("board");
  board.load("imm 0x8000\n lwi r4, r0, 0\n addk r5, r4, r4\n imm 0x8000\n lwi r4, r0, 0\n bri 0",
             0);
  board.run();
  ASSERT_EQ(board.accesses.size(), 2u);
  // One cycle (10 ns) passed before the first access, and imm, lwi, addk, imm before the second.
  EXPECT_EQ(board.accesses[0], sc_time(10, sc_core::SC_NS));
  EXPECT_EQ(board.accesses[1], sc_time(40, sc_core::SC_NS));
}

// A tick each 5 us, handled three times; the main loop counts in r20.
constexpr const char* kVectors = R"(
  brai 0x100
  nop
  nop
  nop
  brai 0x200
)";
constexpr const char* kMain = R"(
  imm 0x8000
  addik r10, r0, 0
  addik r4, r0, 5000
  swi r4, r10, 0
  msrset r0, 2
  addik r20, r20, 1
  addik r5, r21, -3
  bnei r5, -8
  msrclr r0, 2
  addk r3, r21, r0
  bri 0
)";
constexpr const char* kHandler = R"(
  addik r21, r21, 1
  swi r0, r10, 4
  addik r11, r0, 5000
  swi r11, r10, 0
  rtid r14, 0
  nop
)";

TEST(LtProcessorTest, InterruptsAreTakenWhateverTheQuantum) {
  for (const double quantum : {100.0, 10000.0, 1000000.0}) {
    if (fork() != 0) continue;
    set_quantum(quantum);
    Board board("board");
    board.load(kVectors, 0);
    board.load(kMain, 0x100);
    board.load(kHandler, 0x200);
    board.run(10000);
    _exit(board.stop && board.stop->reason == StopReason::kExit && board.stop->exit_code == 3 ? 0
                                                                                              : 1);
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(LtProcessorTest, IdleLoopWaitsForTheInterruptWithoutExecuting) {
  set_quantum(1000);
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n imm 1\n addik r4, r0, 0\n swi r4, r10, 0\n"
      "msrset r0, 2\n bri 0",
      0x100);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_LT(board.host->instructions(), 30u);
  EXPECT_GT(board.host->cycles(), 6500u);  // 65536 ns at 100 MHz
}

TEST(LtProcessorTest, SleepWakesOnTheInterrupt) {
  set_quantum(1000);
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 20000\n swi r4, r10, 0\n sleep\n"
      "addik r3, r0, 5\n bri 0",
      0x100);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 5u);
  EXPECT_GT(board.host->cycles(), 2000u);
}

TEST(LtProcessorTest, InstructionLimitStopsExactly) {
  set_quantum(1000);
  Configuration configuration;
  configuration.max_instructions = 1001;
  Board board("board", configuration);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kInstructionLimit);
  EXPECT_EQ(board.host->instructions(), 1001u);
}

TEST(LtProcessorTest, RequestStopEndsAnEndlessLoop) {
  set_quantum(1000);
  Board board("board");
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run(10);
  EXPECT_FALSE(board.stop.has_value());
  board.host->request_stop();
  board.run(10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kRequested);
}

TEST(LtProcessorTest, JumpIntoNothingStopsWithTheLastBlocks) {
  set_quantum(1000);
  Log::configure("off");
  Board board("board");
  board.load("addik r3, r0, 1\n imm 0x7000\n brai 0", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kError);
  EXPECT_THAT(board.stop->message, testing::HasSubstr("instruction bus error at 0x70000000"));
  EXPECT_THAT(board.stop->message, testing::HasSubstr("0x00000000"));
}

TEST(LtProcessorTest, LoaderWritesReplaceDecodedCode) {
  set_quantum(1000);
  Board board("board");
  board.load("bri 0", 0x100);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run(50);
  board.load("brai 0x100", 4);
  board.run(50);
  EXPECT_TRUE(board.stop.has_value());
}

Configuration cached() {
  Configuration configuration;
  configuration.use_icache = configuration.use_dcache = true;
  configuration.cache_model = "contents";
  configuration.dcache_use_writeback = true;
  configuration.icache_line_len = 8;
  return configuration;
}

TEST(LtProcessorTest, CacheLinesAreBurstsAndUncachedAccessesAreNot) {
  set_quantum(1000);
  Board board("board", cached());
  board.allow_direct = false;
  board.load(
      "imm 0x5000\n addik r20, r0, 64\n msrset r0, 0x80\n lwi r4, r20, 4\n"
      "swi r4, r20, 32\n swi r4, r20, 40\n wdc.flush r20, r0\n addik r21, r20, 32\n"
      "wdc.flush r21, r0\n swi r4, r20, 4\n wdc.flush r20, r0\n msrclr r0, 0x80\n"
      "sbi r4, r20, 1\n imm 0x5000\n brai 0x100",
      0);
  board.load("msrset r0, 0x20\n bri 12", Board::kRam + 0x100);
  board.load("bri 0", Board::kRam + 0x110);
  const auto at = [](uint32_t offset) { return static_cast<uint32_t>(Board::kRam) + offset; };
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  const std::vector<Board::Transfer> expected = {
      {false, at(64), 16},     // the load's line
      {true, at(96), 16},      // two valid words: a burst with byte enables
      {true, at(68), 4},       // one valid word
      {true, at(65), 1},       // the cache is off
      {false, at(0x100), 4},   // fetched while the instruction cache is off
      {false, at(0x100), 32},  // the same line once it is on
  };
  EXPECT_EQ(board.transfers, expected);
}

TEST(LtProcessorTest, AMissTakesTheTimeOfItsBurst) {
  set_quantum(1000);
  Board board("board", cached());
  board.load(
      "msrset r0, 0x80\n addik r9, r0, 1\n imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n lwi r4, r0, "
      "68\n bri 0",
      0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 2u + 2 + 10 + 2 + 3);
}

TEST(LtProcessorTest, DebuggersSeeWhatTheProgramSees) {
  set_quantum(1000);
  Board board("board", cached());
  board.load(
      "imm 0x5000\n addik r20, r0, 0\n msrset r0, 0x80\n addik r4, r0, 7\n"
      "swi r4, r20, 0\n lwi r5, r20, 16\n bri 8",
      0);
  board.load("addik r6, r6, 1\n lwi r3, r20, 0\n addik r7, r3, -9\n bnei r7, -12\n bri 0", 0x20);
  board.run(50);
  const auto debug_word = [&](uint32_t offset) {
    uint32_t word = 0;
    EXPECT_EQ(board.host->debug_read(Board::kRam + offset, &word, 4), 4u);
    return word;
  };
  EXPECT_EQ(debug_word(0), 7u) << "a dirty line";
  EXPECT_EQ(board.ram[0], 0) << "memory is as the cache left it";
  board.ram[16] = 5;
  EXPECT_EQ(debug_word(16), 0u) << "a stale line";
  EXPECT_FALSE(board.stop.has_value());
  const uint32_t nine = 9;
  EXPECT_EQ(board.host->debug_write(Board::kRam, &nine, 4), 4u);
  EXPECT_EQ(board.ram[0], 9);
  board.run(50);
  ASSERT_TRUE(board.stop.has_value()) << "the cached copy follows";
  EXPECT_EQ(board.stop->exit_code, 9u);
}

// The local memory and what is on the bus, over borders of pages, and no byte beyond.
TEST(LtProcessorTest, DebuggersMoveExactlyTheBytesThatTheyAskFor) {
  set_quantum(1000);
  Board board("board");
  for (const uint32_t memory : {0u, uint32_t{Board::kRam}}) {
    for (const auto& [offset, size] :
         {std::pair(0xff0u, 0x20u), std::pair(0x1000u, 0x1000u), std::pair(0x1ffcu, 0x1008u),
          std::pair(0x2001u, 1u), std::pair(0xfffu, 0x2002u)}) {
      std::vector<uint8_t> written(size), read(size + 16, 0xee), before(16), after(16);
      for (uint32_t i = 0; i < size; ++i) written[i] = static_cast<uint8_t>(i * 7 + offset);
      const uint32_t address = memory + offset;
      board.host->debug_read(address - 16, before.data(), 16);
      board.host->debug_read(address + size, after.data(), 16);
      EXPECT_EQ(board.host->debug_write(address, written.data(), size), size);
      EXPECT_EQ(board.host->debug_read(address, read.data(), size), size);
      EXPECT_EQ(std::vector<uint8_t>(read.begin() + size, read.end()),
                std::vector<uint8_t>(16, 0xee));
      read.resize(size);
      EXPECT_EQ(read, written) << std::hex << address;
      std::vector<uint8_t> now(16);
      board.host->debug_read(address - 16, now.data(), 16);
      EXPECT_EQ(now, before);
      board.host->debug_read(address + size, now.data(), 16);
      EXPECT_EQ(now, after);
    }
  }
  // As far as something answers.
  std::vector<uint8_t> bytes(0x2000, 0x5a);
  const auto last = static_cast<uint32_t>(Board::kRam + board.ram.size() - 0x1800);
  EXPECT_EQ(board.host->debug_read(last, bytes.data(), bytes.size()), 0x1800u);
  EXPECT_EQ(board.host->debug_read(0x70000000, bytes.data(), 4), 0u);
}

TEST(LtProcessorTest, UnlessAskedForCachesHaveNoContents) {
  set_quantum(1000);
  Configuration configuration;
  configuration.use_icache = configuration.use_dcache = true;
  Board board("board", configuration);
  board.load("imm 0x5000\n lwi r4, r0, 64\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 1u + 1 + 3);
  EXPECT_FALSE(board.host->statistics().contains("dcache"));
}

TEST(LtProcessorTest, CacheableRangesOverLocalMemoryAreRefused) {
  Configuration configuration = cached();
  configuration.dcache_baseaddr = 0;
  EXPECT_THROW(make_host("host", "lt", configuration), Error);
}

TEST(LtProcessorTest, UnknownModelIsRefused) { EXPECT_THROW(make_host("host", "fast", {}), Error); }

TEST(LtProcessorTest, LocalMemoryOfOddSizeIsRefused) {
  Configuration configuration;
  configuration.lmb_size = 1000;
  EXPECT_THROW(make_host("host", "lt", configuration), Error);
}

}  // namespace
}  // namespace gvp::host::test
