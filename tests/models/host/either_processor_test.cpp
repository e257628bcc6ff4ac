// SPDX-License-Identifier: Apache-2.0
// What whoever watches a processor gets to see is the same from the loosely and the approximately
// timed one: what an observer is told, what a profile holds, how long code from the bus takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/host/processor.h"
#include "tests/models/host/timed_board.h"
#include "tests/support/log_capture.h"
#include "tests/support/temporary_file.h"

namespace gvp::host {

bool operator==(const ControlEvent& a, const ControlEvent& b) {
  return a.kind == b.kind && a.pc == b.pc;
}
std::ostream& operator<<(std::ostream& to, const ControlEvent& event) {
  return to << static_cast<int>(event.kind) << " to " << std::hex << event.pc << std::dec;
}
bool operator==(const LocalAccess& a, const LocalAccess& b) {
  return a.pc == b.pc && a.address == b.address && a.bytes == b.bytes && a.write == b.write;
}
std::ostream& operator<<(std::ostream& to, const LocalAccess& a) {
  return to << (a.write ? "store of " : "load of ") << a.bytes << " at " << std::hex << a.address
            << " from " << a.pc << std::dec;
}

namespace test {
namespace {

using Kind = ControlEvent::Kind;
using testing::ElementsAre;

struct Recorder : Observer {
  explicit Recorder(unsigned subjects) : subjects_(subjects) {}
  unsigned wants() const override { return subjects_; }
  void control(const ControlEvent& event) override {
    EXPECT_GE(event.time_ps, last_ps_);
    last_ps_ = event.time_ps;
    events.push_back(event);
  }
  void local_access(const LocalAccess& access) override {
    EXPECT_LT(access.begin_ps, access.end_ps);
    (access.fetch ? fetches : data).push_back(access);
  }

  std::vector<ControlEvent> events;
  std::vector<LocalAccess> fetches, data;

 private:
  unsigned subjects_;
  uint64_t last_ps_ = 0;
};

class EitherProcessor : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, EitherProcessor, testing::Values("lt", "at"));

TEST_P(EitherProcessor, TellsEachAccessOfLocalMemoryWithItsAddressAndSize) {
  Board board("board", {}, GetParam());
  Recorder seen(Observer::kLocalMemory);
  board.host->observe(seen);
  board.load(
      "addik r4, r0, 0x403\n addik r6, r0, 8\n"
      "lwi r5, r4, 0\n lhui r5, r4, 0\n lbui r5, r4, 0\n"  // 0x08: aligned down
      "swi r5, r4, -3\n shi r5, r4, 0\n sbi r5, r4, -4\n"  // 0x14
      "lw r5, r4, r6\n sb r5, r4, r6\n"                    // 0x20
      "imm 0\n lwi r5, r0, 0x600\n"                        // 0x28
      "imm 0x5000\n lwi r5, r0, 64\n"                      // 0x30: not here
      "brid 8\n swi r5, r0, 0x700\n"                       // 0x38
      "xor r5, r5, r5\n srl r5, r5\n bri 0",               // 0x40
      0);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  const auto load = [](uint32_t pc, uint32_t address, uint32_t bytes) {
    return LocalAccess{pc, address, bytes, false, false, 0, 0};
  };
  const auto store = [](uint32_t pc, uint32_t address, uint32_t bytes) {
    return LocalAccess{pc, address, bytes, true, false, 0, 0};
  };
  EXPECT_THAT(seen.data,
              ElementsAre(load(0x08, 0x400, 4), load(0x0c, 0x402, 2), load(0x10, 0x403, 1),
                          store(0x14, 0x400, 4), store(0x18, 0x402, 2), store(0x1c, 0x3ff, 1),
                          load(0x20, 0x408, 4), store(0x24, 0x40b, 1), load(0x2c, 0x600, 4),
                          store(0x3c, 0x700, 4)));
  ASSERT_EQ(seen.fetches.size(), 0x4cu / 4);
  for (uint32_t i = 0; i < seen.fetches.size(); ++i) {
    EXPECT_EQ(seen.fetches[i].pc, 4 * i);
    EXPECT_EQ(seen.fetches[i].address, 4 * i);
    EXPECT_EQ(seen.fetches[i].bytes, 4u);
  }
  EXPECT_TRUE(seen.events.empty()) << "nobody has asked";
}

TEST_P(EitherProcessor, TellsWhereTheProgramGoesOn) {
  Configuration configuration;
  configuration.reset_msr = 1u << 8;  // EE
  Board board("board", configuration, GetParam());
  Recorder seen(Observer::kControl);
  board.host->observe(seen);
  board.load("brai 0x100", 0);
  board.load("rted r17, 0\n addik r9, r9, 1", 0x20);  // to behind what has failed
  board.load(
      "brlid r15, 0x100\n nop\n"          // 0x100: a call
      "beqi r3, 8\n bnei r0, 16\n"        // 0x108: not taken, both
      "bneid r3, 12\n addik r5, r0, 1\n"  // 0x110: taken, slot and all
      "nop\n bri 4\n"                     // 0x118: skipped; a branch to the next instruction
      ".word 0xffffffff\n"                // 0x120: an exception
      "imm 0\n bri 8",                    // 0x124: with its prefix
      0x100);
  board.load("bri 0", 0x130);
  board.load("addik r3, r0, 5\n rtsd r15, 8\n nop", 0x200);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  const auto at = [](Kind kind, uint32_t pc) { return ControlEvent{kind, pc, 0}; };
  EXPECT_THAT(
      seen.events,
      ElementsAre(at(Kind::kStart, 0), at(Kind::kJump, 0x100), at(Kind::kCall, 0x200),
                  at(Kind::kReturn, 0x108), at(Kind::kJump, 0x11c), at(Kind::kException, 0x20),
                  at(Kind::kReturn, 0x124), at(Kind::kJump, 0x130), at(Kind::kJump, 0x130)));
  EXPECT_TRUE(seen.data.empty() && seen.fetches.empty()) << "nobody has asked";
}

// ---- the trace

std::vector<std::string> traced(Board& board, uint32_t start) {
  Log::configure("trace:host");
  std::vector<std::string> lines;
  {
    const gvp::test::LogCapture log;
    board.run_from(start, 10);
    for (const std::string& line : log.lines()) lines.push_back(line.substr(line.find("0x")));
  }
  return lines;
}

TEST_P(EitherProcessor, TracesEachInstructionWithItsAddressesAndResults) {
  Configuration configuration;
  configuration.reset_msr = 1u << 8;  // EE
  Board board("board", configuration, GetParam());
  board.load("bri 0", 0x20);
  board.load(
      "addik r4, r0, 0x400\n addik r6, r0, 8\n"
      "swi r6, r4, 4\n lw r5, r4, r0\n lhui r5, r4, 6\n"
      "imm 0x1\n addik r7, r0, 2\n imm 0\n lwi r5, r0, 0x404\n"
      "brid 8\n addik r8, r5, 1\n.word 0xffffffff",
      0x100);
  EXPECT_THAT(traced(board, 0x100),
              ElementsAre("0x00000100: addik r4, r0, 1024  r4=0x00000400",
                          "0x00000104: addik r6, r0, 8  r6=0x00000008",
                          "0x00000108: swi r6, r4, 4  [0x00000404]",
                          "0x0000010c: lw r5, r4, r0  [0x00000400]",
                          "0x00000110: lhui r5, r4, 6  [0x00000406]", "0x00000114: imm 1",
                          "0x00000118: addik r7, r0, 65538  r7=0x00010002", "0x0000011c: imm 0",
                          "0x00000120: lwi r5, r0, 1028  [0x00000404]  r5=0x00000008",
                          "0x00000124: brid 8 // 12c", "0x00000128: addik r8, r5, 1  r8=0x00000009",
                          "0x0000012c",  // the exception's own message
                          "0x0000012c: exception or interrupt", "0x00000020: bri 0 // 20"));
}

TEST_P(EitherProcessor, TracesWhatStandsAtVirtualAddresses) {
  Configuration configuration;
  configuration.use_mmu = 3;
  Board board("board", configuration, GetParam());
  board.load("addik r3, r3, 1\n bri 0", 0x1000);
  Engine& engine = static_cast<Processor&>(*board.host).engine();
  engine.mmu().set_tlbhi(0xc00000c0);  // a page of 4 KB
  engine.mmu().set_tlblo(0x00001300);  // executable, writable
  engine.state().msr |= msr::kVm;
  engine.state_changed();
  EXPECT_THAT(traced(board, 0xc0000000), ElementsAre("0xc0000000: addik r3, r3, 1  r3=0x00000001",
                                                     "0xc0000004: bri 0 // c0000004"));
}

TEST_P(EitherProcessor, SaysAtItsDeathWhereItWasAndWhatCameBefore) {
  Log::configure("off");
  Board board("board", {}, GetParam());
  Symbols symbols;
  symbols.function = [](uint32_t, std::string& name, uint32_t& start) {
    name = "f";
    start = 0;
    return true;
  };
  board.load("addik r1, r0, 0x700\n brlid r15, 0x100\n nop", 0);
  board.load("bri 8", 0x104);
  board.load("imm 0x7000\n brai 0x40", 0x10c);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kError);
  for (const char* part : {"instruction bus error at 0x70000040", "called from 0x00000004 (r15)",
                           "stack pointer 0x00000700 (r1)",
                           "last blocks executed, newest last:", "0x0000010c: imm 28672"})
    EXPECT_THAT(board.stop->message, testing::HasSubstr(part));
}

// ---- profiles

std::string contents(const std::string& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream.is_open()) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}
// What a profile of so many cycles holds.
std::string profile_of(Board& board, uint64_t cycles) {
  const gvp::test::TemporaryFile file("profile"), table("profile.txt");
  Symbols symbols;
  symbols.function = [](uint32_t, std::string& name, uint32_t& start) {
    name = "loop";
    start = 0;
    return true;
  };
  board.host->set_symbols(symbols);
  board.host->start_profile();
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0, static_cast<double>(cycles) / 100);
  board.host->write_profile(file.path());
  EXPECT_THAT(contents(table.path()), testing::HasSubstr("function"));
  return contents(file.path());
}

TEST_P(EitherProcessor, AProfileCountsCyclesByTheSample) {
  Board board("board", {}, GetParam());
  std::istringstream line(profile_of(board, 100000));
  std::string name;
  uint64_t cycles = 0;
  line >> name >> cycles;
  EXPECT_EQ(name, "loop");
  EXPECT_LE(cycles, board.host->cycles());
  EXPECT_GT(cycles, board.host->cycles() - 15000) << "all but what the last sample has not seen";
}
TEST_P(EitherProcessor, AProgramShorterThanASampleHasNone) {
  Board board("board", {}, GetParam());
  EXPECT_EQ(profile_of(board, 2000), "");
}
TEST_P(EitherProcessor, AProfileThatCannotBeWrittenIsAnError) {
  Board board("board", {}, GetParam());
  board.host->write_profile("/nowhere/profile");  // there is none to be written
  board.host->start_profile();
  try {
    board.host->write_profile("/nowhere/profile");
    FAIL() << "nothing said";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/profile"));
  }
}
TEST_P(EitherProcessor, AProfileOnTheStandardOutputIsTheStacksAlone) {
  Board board("board", {}, GetParam());
  profile_of(board, 100000);
  testing::internal::CaptureStdout();
  board.host->write_profile("-");
  EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::MatchesRegex("loop [0-9]+\n"));
}

// ---- code from the bus

class CodeOnTheBus : public testing::TestWithParam<const char*> {};

TEST_P(CodeOnTheBus, TakesTheLooselyTimedProcessorAsLong) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  tlm::tlm_global_quantum::instance().set(sc_time(1, sc_core::SC_US));
  Board lt("lt", {}, "lt"), at("at", {}, "at");
  uint64_t lt_cycles = 0, at_cycles = 0;  // at its end
  for (auto [board, cycles] : {std::pair(&lt, &lt_cycles), std::pair(&at, &at_cycles)}) {
    board->allow_direct = false;
    board->load(GetParam(), Board::kRam);
    board->host->set_start_address(Board::kRam);
    board->host->set_stop_handler(
        [board = board, cycles = cycles](const Stop&) { *cycles = board->host->cycles(); });
  }
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_EQ(lt_cycles, at_cycles + 1) << "it counts the last branch's own cycle, too";
  EXPECT_GT(at_cycles, 0u);
}
INSTANTIATE_TEST_SUITE_P(
    Programs, CodeOnTheBus,
    testing::Values("addik r3, r0, 1\n addik r3, r3, 1\n addik r3, r3, 1\n bri 0",
                    "bri 12\n nop\n nop\n addik r3, r3, 1\n bri 0",
                    "brid 12\n addik r3, r0, 1\n nop\n addik r3, r3, 1\n bri 0",
                    "addik r3, r0, 4\n addik r3, r3, -1\n bneid r3, -4\n nop\n bri 0",
                    "addik r3, r0, 4\n addik r3, r3, -1\n bnei r3, -4\n nop\n bri 0"));

}  // namespace
}  // namespace test
}  // namespace gvp::host
