// SPDX-License-Identifier: Apache-2.0
// The approximately timed processor in simulated time: when it fetches, when it accesses, when it
// is interrupted.  Cycles are worked out by hand: a word that arrives in cycle n executes in cycle
// n + 1 at the earliest, a taken branch asks for its target one cycle after it has entered
// execution, a load or store reaches the bus one cycle after it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <random>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/host/host.h"
#include "models/host/processor.h"
#include "tests/models/host/assembler.h"

namespace gvp::host::test {
namespace {

using sc_core::sc_time;
using testing::ElementsAre;

constexpr uint64_t kCycle = 10000;  // ps

// RAM at 0x50000000, ten cycles away and with direct access for those who want it; a device at
// 0x80000000: writing n there raises the interrupt after n ns, writing above lowers it.
class Board : public sc_core::sc_module {
 public:
  static constexpr uint32_t kRam = 0x50000000;
  static constexpr uint32_t kDevice = 0x80000000;
  static constexpr uint64_t kLatency = 10;  // cycles

  struct Access {
    uint64_t cycle;
    uint32_t address;
    bool operator==(const Access& other) const {
      return cycle == other.cycle && address == other.address;
    }
  };

  tlm_utils::simple_target_socket<Board> instruction{"instruction"};
  tlm_utils::simple_target_socket<Board> data{"data"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::unique_ptr<Host> host;
  std::vector<uint8_t> ram = std::vector<uint8_t>(1u << 16);
  std::vector<Access> fetches;
  std::vector<Access> accesses;
  std::optional<Stop> stop;

  SC_HAS_PROCESS(Board);
  explicit Board(const sc_core::sc_module_name& name, const Configuration& configuration = {},
                 const std::string& model = "at")
      : sc_module(name) {
    host = make_host("host", model, configuration);
    host->instruction_socket().bind(instruction);
    host->data_socket().bind(data);
    host->interrupt(interrupt);
    instruction.register_b_transport(this, &Board::fetch);
    instruction.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_b_transport(this, &Board::access);
    data.register_get_direct_mem_ptr(this, &Board::get_direct);
    data.register_transport_dbg(this, &Board::debug);
    host->set_stop_handler([this](const Stop& s) { stop = s; });
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
  void run_from(uint32_t address, double microseconds = 1000) {
    host->set_start_address(address);
    sc_core::sc_start(sc_time(microseconds, sc_core::SC_US));
  }
  uint32_t r(size_t n) { return static_cast<Processor&>(*host).engine().state().r[n]; }
  uint64_t stalled(const char* cause) const {
    return host->statistics()["stall_cycles"][cause].get<uint64_t>();
  }
  // Every cycle belongs to an instruction, to a stall or to idling.
  void expect_all_cycles_explained() const {
    const auto json = host->statistics();
    uint64_t sum = host->instructions() + json["idle_cycles"].get<uint64_t>();
    for (const auto& [cause, count] : json["stall_cycles"].items()) sum += count.get<uint64_t>();
    EXPECT_EQ(host->cycles(), sum) << json.dump(2);
  }

 private:
  void drive() { interrupt.write(raise_.triggered()); }
  static uint64_t cycle(const sc_time& delay) {
    return (sc_core::sc_time_stamp() + delay).value() / kCycle;
  }
  void fetch(tlm::tlm_generic_payload& payload, sc_time& delay) {
    fetches.push_back({cycle(delay), static_cast<uint32_t>(payload.get_address())});
    transport(payload, delay);
  }
  void access(tlm::tlm_generic_payload& payload, sc_time& delay) {
    accesses.push_back({cycle(delay), static_cast<uint32_t>(payload.get_address())});
    transport(payload, delay);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const uint64_t address = payload.get_address();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (address - kRam < ram.size()) {
      move(payload);
    } else if (address - kDevice < 8 && payload.is_write()) {
      uint32_t value = 0;
      std::memcpy(&value, payload.get_data_ptr(), 4);
      if (address == kDevice) {
        raise_.notify(delay + sc_time(value, sc_core::SC_NS));
      } else {
        lower_.notify(delay);
      }
    } else {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    delay += sc_time(kLatency * 10, sc_core::SC_NS);
  }
  void move(tlm::tlm_generic_payload& payload) {
    uint8_t* at = &ram[payload.get_address() - kRam];
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    } else {
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    }
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() - kRam >= ram.size()) return 0;
    move(payload);
    return payload.get_data_length();
  }
  bool get_direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    if (payload.get_address() - kRam >= ram.size()) return false;
    dmi.set_dmi_ptr(ram.data());
    dmi.set_start_address(kRam);
    dmi.set_end_address(kRam + ram.size() - 1);
    dmi.allow_read_write();
    return true;
  }

  sc_core::sc_event raise_;
  sc_core::sc_event lower_;
};

// Cycles from the first instruction's execution to that of the branch to itself behind the program.
uint64_t local_cycles(const char* program, bool area_optimized = false) {
  Configuration configuration;
  configuration.area_optimized = area_optimized;
  Board board("board", configuration);
  board.load(std::string(program) + "\n bri 0", 0);
  board.run_from(0);
  EXPECT_TRUE(board.stop.has_value());
  EXPECT_TRUE(board.fetches.empty());
  board.expect_all_cycles_explained();
  return board.host->cycles() - 2 - 1;  // filling the pipeline; the branch itself
}

// ---- code in the local memory

TEST(ApproximatelyTimedTest, LocalCodeTakesACycleAnInstruction) {
  EXPECT_EQ(local_cycles("addik r3, r0, 1\n swi r3, r0, 64\n addik r4, r0, 2"), 3u);
}
TEST(ApproximatelyTimedTest, LocalLoadAndUseTakeTwoMoreInFiveStages) {
  EXPECT_EQ(local_cycles("lwi r3, r0, 64\n addk r4, r3, r3"), 4u);
}
TEST(ApproximatelyTimedTest, LocalLoadTakesTwoInThreeStages) {
  EXPECT_EQ(local_cycles("lwi r3, r0, 64\n addk r4, r3, r3", true), 3u);
}
TEST(ApproximatelyTimedTest, BranchNotTakenTakesOne) {
  EXPECT_EQ(local_cycles("addik r3, r0, 1\n beqi r3, 8\n addik r3, r0, 0"), 3u);
}
TEST(ApproximatelyTimedTest, BranchTakenTakesThree) {
  EXPECT_EQ(local_cycles("bri 8\n addik r3, r0, 0\n addik r4, r0, 0"), 3u + 1);
}
TEST(ApproximatelyTimedTest, BranchTakenTakesThreeInThreeStages) {
  EXPECT_EQ(local_cycles("bri 8\n addik r3, r0, 0\n addik r4, r0, 0", true), 3u + 1);
}
TEST(ApproximatelyTimedTest, BranchWithSlotTakesTwoAndTheSlotOne) {
  EXPECT_EQ(local_cycles("brid 12\n addik r3, r0, 0\n addik r3, r0, 0\n addik r4, r0, 0"),
            2u + 1 + 1);
}
TEST(ApproximatelyTimedTest, BranchWithSlotNotTakenTakesOneAndTheSlotOne) {
  EXPECT_EQ(local_cycles("bneid r0, 12\n addik r3, r0, 0\n addik r3, r0, 0"), 3u);
}
// Branch 0, slot 1, target 3 at the earliest; the load's result is there in cycle 1 + 3.
TEST(ApproximatelyTimedTest, LoadInASlotDelaysTheTargetThatUsesIt) {
  EXPECT_EQ(local_cycles("brid 12\n lwi r3, r0, 64\n addik r3, r0, 0\n addk r4, r3, r0"), 5u);
}
// Load 0, call 1 and slot 2; the return reads r15 without a wait.
TEST(ApproximatelyTimedTest, CallAndReturn) {
  EXPECT_EQ(local_cycles("brlid r15, 12\n nop\n bri 12\n rtsd r15, 8\n nop"), 3u + 3 + 3);
}
TEST(ApproximatelyTimedTest, SynchronisingBranchEmptiesThePipeline) {
  EXPECT_EQ(local_cycles("bri 4\n addik r3, r0, 0"), 3u + 1);
}

// ---- code on the bus: each word takes 10 cycles

TEST(ApproximatelyTimedTest, EveryFetchOfCodeInMemoryIsOnTheBus) {
  Board board("board");
  board.load("addik r3, r0, 1\n addik r3, r3, 1\n addik r3, r3, 1\n bri 0", Board::kRam);
  board.run_from(Board::kRam, 0.425);
  const uint32_t a = Board::kRam;
  ASSERT_GE(board.fetches.size(), 4u);
  board.fetches.resize(4);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 8}, Board::Access{30, a + 12}));
  EXPECT_TRUE(board.accesses.empty());
  EXPECT_EQ(board.r(3), 3u);
  ASSERT_TRUE(board.stop.has_value());
  // The last word arrives in cycle 40 and executes in 41.
  EXPECT_EQ(board.host->cycles(), 42u);
  board.expect_all_cycles_explained();
}

// The word behind the branch is being fetched when the branch executes: its answer is awaited.
TEST(ApproximatelyTimedTest, TakenBranchWaitsForTheOutstandingFetch) {
  Board board("board");
  board.load("bri 32", Board::kRam);
  board.load("bri 0", Board::kRam + 32);
  board.run_from(Board::kRam, 0.3);
  const uint32_t a = Board::kRam;
  board.fetches.resize(3);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 32}));
  EXPECT_EQ(board.host->statistics()["discarded_fetches"], 1u);
}

// Here the outstanding fetch is the slot's, and nothing is thrown away.
TEST(ApproximatelyTimedTest, DelaySlotUsesTheFetchBehindTheBranch) {
  Board board("board");
  board.load("brid 32\n addik r3, r0, 5", Board::kRam);
  board.load("bri 0", Board::kRam + 32);
  board.run_from(Board::kRam, 0.3);
  const uint32_t a = Board::kRam;
  board.fetches.resize(3);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 32}));
  EXPECT_EQ(board.host->statistics()["discarded_fetches"], 0u);
  EXPECT_EQ(board.r(3), 5u);
}

// The load executes in cycle 21, reaches the bus in 22 and is answered in 32.  The addition behind
// it, whose word arrives in 30, executes in 31.
TEST(ApproximatelyTimedTest, FetchesGoOnWhileALoadWaits) {
  Board board("board");
  board.load("imm 0x5000\n lwi r3, r0, 64\n addk r4, r4, r4\n addk r5, r5, r5\n bri 0",
             Board::kRam);
  board.run_from(Board::kRam, 0.6);
  const uint32_t a = Board::kRam;
  board.fetches.resize(5);
  EXPECT_THAT(board.fetches,
              ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4}, Board::Access{20, a + 8},
                          Board::Access{30, a + 12}, Board::Access{40, a + 16}));
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{22, a + 64}));
  // One cycle in memory access is every load's; the next one executes in 22 + 9.
  EXPECT_EQ(board.stalled("data"), 9u);
  board.expect_all_cycles_explained();
}

// The first word executes in cycle 11, the divisions in 21 and 55, what follows in 89.  The words
// behind the second division arrive in 40, 50, 60 and 70: then the buffer is full until the first
// of them is decoded, in cycle 88.
TEST(ApproximatelyTimedTest, ThePrefetchBufferHoldsFourWords) {
  Board board("board");
  board.load(
      "addik r4, r0, 1\n idiv r3, r4, r5\n idiv r3, r4, r5\n nop\n nop\n nop\n nop\n"
      "nop\n bri 0",
      Board::kRam);
  board.run_from(Board::kRam, 1.5);
  std::vector<uint64_t> cycles;
  for (const auto& fetch : board.fetches) cycles.push_back(fetch.cycle);
  ASSERT_GE(cycles.size(), 9u);
  cycles.resize(9);
  EXPECT_THAT(cycles, ElementsAre(0, 10, 20, 30, 40, 50, 60, 88, 98));
  EXPECT_EQ(board.stalled("divide"), 66u);
}

TEST(ApproximatelyTimedTest, DivisionByZeroTakesOneCycle) {
  EXPECT_EQ(local_cycles("idiv r3, r4, r5\n addik r4, r0, 1\n idiv r3, r4, r5"), 1u + 1 + 34);
}

TEST(ApproximatelyTimedTest, ALoadFromTheBusHoldsThePipeline) {
  Board board("board");
  board.load("imm 0x5000\n lwi r3, r0, 64\n addk r4, r3, r3\n bri 0", 0);
  board.run_from(0, 10);
  // imm executes in cycle 2, the load in 3, on the bus 4 to 14: nine cycles more than the local
  // memory; then the addition waits 2, as for any load.
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{4, Board::kRam + 64}));
  EXPECT_EQ(board.stalled("data"), 9u);
  EXPECT_EQ(board.stalled("load_use"), 2u);
  EXPECT_EQ(board.host->cycles(), 2u + 4 + 9 + 2);
}

TEST(ApproximatelyTimedTest, StoresWaitForTheirResponse) {
  Board board("board");
  board.load("imm 0x5000\n swi r3, r0, 64\n imm 0x5000\n swi r3, r0, 68\n bri 0", 0);
  board.run_from(0, 10);
  EXPECT_THAT(board.accesses,
              ElementsAre(Board::Access{4, Board::kRam + 64}, Board::Access{15, Board::kRam + 68}));
}

TEST(ApproximatelyTimedTest, AStoreIntoPrefetchedWordsIsSeen) {
  Board board("board");
  // Makes "addik r3, r0, 1" out of the word two behind the store.
  board.load(
      "imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n swi r4, r0, 20\n nop\n addik r3, r0, 9\n"
      "bri 0",
      Board::kRam);
  board.load("addik r3, r0, 1", Board::kRam + 64);
  board.run_from(Board::kRam, 10);
  EXPECT_EQ(board.r(3), 1u);
}

// ---- caches

Configuration with_caches() {
  Configuration configuration;
  configuration.use_icache = true;
  configuration.use_dcache = true;
  configuration.icache_baseaddr = configuration.dcache_baseaddr = 0x40000000;
  configuration.icache_highaddr = configuration.dcache_highaddr = 0x5fffffff;
  configuration.reset_msr = 1u << 5 | 1u << 7;  // ICE, DCE
  return configuration;
}

// Ten rounds of a loop that fits into two lines of four words.  The first line arrives in cycle 10,
// the load executes in 14 and is on the bus from 15 to 25; the second line is asked for then.
TEST(ApproximatelyTimedTest, HitsDoNotReachTheBus) {
  Board board("board", with_caches());
  board.load(
      "imm 0x5000\n addik r6, r0, 256\n addik r5, r0, 10\n lwi r3, r6, 0\n addik r5, r5, -1\n"
      "bnei r5, -8\n bri 0",
      Board::kRam);
  board.run_from(Board::kRam, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_THAT(board.fetches,
              ElementsAre(Board::Access{0, Board::kRam}, Board::Access{25, Board::kRam + 16}));
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{15, Board::kRam + 256}));
  const auto json = board.host->statistics();
  EXPECT_EQ(json["icache"]["misses"], 2u);
  EXPECT_EQ(json["dcache"]["misses"], 1u);
  EXPECT_EQ(json["dcache"]["hits"], 9u);
  // Every round but the last: load, addition, branch taken, as in the local memory.
  EXPECT_EQ(board.stalled("branch"), 2u + 9 * 2);
  board.expect_all_cycles_explained();
}

TEST(ApproximatelyTimedTest, CachesThatAlwaysHitAreRefused) {
  Configuration configuration = with_caches();
  configuration.cache_model = "always-hit";
  EXPECT_THROW(make_host("host", "at", configuration), Error);
}

// ---- interrupts

constexpr const char* kVectors = "brai 0x100\n nop\n nop\n nop\n brai 0x200";

// The store that starts the timer executes in cycle `e`, reaches the device in e + 1; the interrupt
// rises n ns later.
TEST(ApproximatelyTimedTest, AnInterruptIsTakenAtTheNextInstruction) {
  Board board("board");
  board.load(kVectors, 0);
  // brai 2, imm 5, addik 6, addik 7, swi 8 (bus 9 to 19), msrset 18, then additions.
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 200\n swi r4, r10, 0\n msrset r0, 2\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n bri 0",
      0x100);
  board.load("addk r3, r20, r0\n bri 0", 0x200);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  // msrset executes in cycle 18, the n-th addition in 18 + n.  The line rises in cycle 29, so the
  // input is seen high in cycle 29 or 30, by what would execute in the cycle after: ten or eleven
  // additions are done.
  EXPECT_GE(board.stop->exit_code, 10u);
  EXPECT_LE(board.stop->exit_code, 12u);
  EXPECT_EQ(board.stalled("interrupt"), 3u);
  board.expect_all_cycles_explained();
}

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
  addk r3, r20, r0
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

// How often the main loop goes round until three ticks have passed.
uint32_t rounds(const std::string& model, double quantum_ns, uint32_t code) {
  tlm::tlm_global_quantum::instance().set(sc_time(quantum_ns, sc_core::SC_NS));
  Board board("board", {}, model);
  board.load(kVectors, 0);
  board.load(kMain, code);
  board.load(kHandler, 0x200);
  board.run_from(code, 10000);
  EXPECT_TRUE(board.stop && board.stop->reason == StopReason::kExit);
  board.expect_all_cycles_explained();
  return board.stop ? board.stop->exit_code : 0;
}

// 15 us at 5 cycles a round (3 instructions, and 2 cycles for the branch taken), less what comes
// before and after each tick.
constexpr uint32_t kRounds = 296;
TEST(ApproximatelyTimedTest, TickingFirmwareInLocalMemory) {
  EXPECT_NEAR(kRounds, 1500 / 5, 15);
  EXPECT_EQ(rounds("at", 1000, 0x100), kRounds);
}
TEST(ApproximatelyTimedTest, TheQuantumDoesNotMatter) {
  EXPECT_EQ(rounds("at", 100000, 0x100), kRounds);
}
TEST(ApproximatelyTimedTest, TheShortestQuantumDoesNotMatter) {
  EXPECT_EQ(rounds("at", 10, 0x100), kRounds);
}
// 3 words of 10 cycles and 10 for the fetch that the branch throws away.
TEST(ApproximatelyTimedTest, TickingFirmwareInMemory) {
  EXPECT_NEAR(rounds("at", 1000, Board::kRam), 1500 / 40, 4);
}

TEST(ApproximatelyTimedTest, IdleLoopInLocalMemoryWaitsWithoutExecuting) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n imm 1\n addik r4, r0, 0\n swi r4, r10, 0\n"
      "msrset r0, 2\n bri 0",
      0x100);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_LT(board.host->instructions(), 30u);
  EXPECT_GT(board.host->statistics()["idle_cycles"], 6500u);
  board.expect_all_cycles_explained();
}

TEST(ApproximatelyTimedTest, IdleLoopInMemoryGoesOnFetching) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "addik r10, r0, 0\n imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 5000\n"
      "swi r4, r10, 0\n msrset r0, 2\n bri 0",
      Board::kRam);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run_from(Board::kRam);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_GT(board.fetches.size(), 45u);  // 5 us, 10 cycles a fetch
}

TEST(ApproximatelyTimedTest, SleepWakesOnTheInterrupt) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 20000\n swi r4, r10, 0\n sleep\n"
      "addik r3, r0, 5\n bri 0",
      0x100);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 5u);
  EXPECT_GT(board.host->cycles(), 2000u);
}

// ---- exceptions, errors, limits

TEST(ApproximatelyTimedTest, AnExceptionGoesToItsVectorLikeABranch) {
  Configuration configuration;
  configuration.reset_msr = 1u << 8;  // EE
  Board board("board", configuration);
  board.load("addik r4, r0, 1\n idiv r3, r0, r4\n bri 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  board.expect_all_cycles_explained();
}

TEST(ApproximatelyTimedTest, AFetchThatFailsRaisesAnException) {
  Log::configure("off");
  Configuration configuration;
  configuration.reset_msr = 1u << 8;
  Board board("board", configuration);
  board.load("imm 0x7000\n brai 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  board.expect_all_cycles_explained();
}

TEST(ApproximatelyTimedTest, ALoadThatFailsRaisesAnException) {
  Log::configure("off");
  Configuration configuration;
  configuration.reset_msr = 1u << 8;
  Board board("board", configuration);
  board.load("imm 0x7000\n lwi r4, r0, 0\n bri 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  EXPECT_EQ(board.host->statistics()["bus_errors"], 1u);
  board.expect_all_cycles_explained();
}

TEST(ApproximatelyTimedTest, InstructionLimitStopsExactly) {
  Configuration configuration;
  configuration.max_instructions = 1001;
  Board board("board", configuration);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kInstructionLimit);
  EXPECT_EQ(board.host->instructions(), 1001u);
}

TEST(ApproximatelyTimedTest, RequestStopEndsAnEndlessLoop) {
  Board board("board");
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0, 10);
  EXPECT_FALSE(board.stop.has_value());
  board.host->request_stop();
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kRequested);
}

TEST(ApproximatelyTimedTest, LoaderWritesReplaceKnownCode) {
  Board board("board");
  board.load("bri 0", 0x100);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0, 50);
  board.load("brai 0x100", 4);
  sc_core::sc_start(sc_time(50, sc_core::SC_US));
  EXPECT_TRUE(board.stop.has_value());
}

// Words that are in the prefetch buffer, or on their way, when they are replaced are not executed.
TEST(ApproximatelyTimedTest, LoaderWritesReplacePrefetchedCode) {
  Board board("board");
  std::string program;
  std::string end;
  for (int i = 0; i < 600; ++i) {
    program += "addik r3, r3, 1\n";
    end += "bri 0\n";
  }
  board.load(program, Board::kRam);
  board.run_from(Board::kRam, 50);
  const uint32_t before = board.r(3);
  EXPECT_GT(before, 400u);
  board.load(end, Board::kRam);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, before);
}

// ---- the same results as the loosely timed processor

// A random instruction with random operands, chosen so that the program stays at home: branches go
// 32 words back or 96 forward at most, r20 to r31 keep pointing into memory.
uint32_t random_word(std::mt19937& random) {
  if (random() % 200 == 0) return static_cast<uint32_t>(random());
  const InstructionInfo& row = kInstructionTable[random() % kOperations];
  uint32_t word = (static_cast<uint32_t>(random()) & ~row.mask) | row.match;
  const Operation operation = row.operation;
  if ((row.attributes & kBranch) != 0) {
    const bool by_register = row.format != Format::kRaImm && row.format != Format::kImm;
    const bool absolute = operation == Operation::kBrai || operation == Operation::kBraid;
    const bool is_return = operation >= Operation::kRtsd && operation <= Operation::kRted;
    if (by_register || absolute || is_return) return assemble("addik r19, r19, 1");
    const auto offset = (static_cast<int32_t>(random() % 128) - 32) * 4;
    return (word & 0xffff0000) | (static_cast<uint32_t>(offset) & 0xffff);
  }
  if (operation == Operation::kMts) return assemble("sra r18, r18");
  if (operation == Operation::kMsrset || operation == Operation::kMsrclr)
    word &= ~0x7fffu | msr::kC;
  if (word >> 30 == 3) {
    word = (word & ~(31u << 16)) | (20u + static_cast<uint32_t>(random() % 12)) << 16;
    if (row.format == Format::kRdRaImm) word &= 0xffff0ffc;
    if (row.format == Format::kRdRaRb) word &= ~(31u << 11);  // rb: r0
  }
  const uint32_t rd = word >> 21 & 31;
  if (row.format != Format::kImm && rd >= 20) word ^= 16u << 21;
  return word;
}

// Both memories full of random code; exceptions return to the next instruction.
void load_random_program(Board& board, unsigned seed) {
  std::mt19937 random(seed);
  for (const auto& [base, bytes] : {std::pair{0u, 128u << 10}, {Board::kRam, 64u << 10}}) {
    for (uint32_t address = base; address < base + bytes; address += 4) {
      const uint32_t word = random_word(random);
      board.host->debug_write(address, &word, sizeof word);
    }
  }
  board.load("rted r17, 0\n nop", 0x20);
  auto& state = static_cast<Processor&>(*board.host).engine().state();
  for (size_t i = 1; i < 32; ++i)
    state.r[i] = (random() & 1 ? Board::kRam : 0) + static_cast<uint32_t>(random()) % 0xe000;
}

void compare_random_programs(uint32_t start, bool caches, bool area_optimized,
                             unsigned first_seed) {
  Log::configure("off");
  tlm::tlm_global_quantum::instance().set(sc_time(1000, sc_core::SC_NS));
  Configuration configuration;
  if (caches) configuration = with_caches();
  configuration.area_optimized = area_optimized;
  configuration.use_mmu = 0;
  configuration.use_fpu = 2;
  configuration.reset_msr |= 1u << 8;  // EE
  configuration.max_instructions = 20000;
  if (caches) configuration.cache_model = "contents";
  std::vector<std::unique_ptr<Board>> boards;
  for (unsigned i = 0; i < 16; ++i) {
    boards.push_back(std::make_unique<Board>(sc_core::sc_gen_unique_name("board"), configuration,
                                             i % 2 == 0 ? "lt" : "at"));
    load_random_program(*boards.back(), first_seed + i / 2);
    boards.back()->host->set_start_address(start);
  }
  sc_core::sc_start(sc_time(100, sc_core::SC_MS));
  uint64_t executed = 0;
  for (unsigned i = 0; i < 16; i += 2) {
    SCOPED_TRACE("seed " + std::to_string(first_seed + i / 2));
    Board& lt = *boards[i];
    Board& at = *boards[i + 1];
    at.expect_all_cycles_explained();
    executed += at.host->instructions();
    const auto& a = static_cast<Processor&>(*lt.host).engine().state();
    const auto& b = static_cast<Processor&>(*at.host).engine().state();
    EXPECT_EQ(lt.stop.has_value(), at.stop.has_value());
    EXPECT_EQ(a.pc, b.pc);
    for (size_t r = 0; r < 32; ++r) EXPECT_EQ(a.r[r], b.r[r]) << "r" << r;
    EXPECT_EQ(a.full_msr(), b.full_msr());
    EXPECT_EQ(a.fsr, b.fsr);
    EXPECT_EQ(lt.ram, at.ram);
    EXPECT_EQ(static_cast<Processor&>(*lt.host).engine().exceptions_taken(),
              static_cast<Processor&>(*at.host).engine().exceptions_taken());
  }
  EXPECT_GT(executed, 50000u);
}

TEST(SameResultsTest, RandomProgramsInLocalMemory) {
  compare_random_programs(0x8000, false, false, 100);
}
TEST(SameResultsTest, RandomProgramsInMemory) {
  compare_random_programs(Board::kRam + 0x8000, false, false, 200);
}
TEST(SameResultsTest, RandomProgramsInMemoryInThreeStages) {
  compare_random_programs(Board::kRam + 0x8000, false, true, 300);
}
TEST(SameResultsTest, RandomProgramsThroughCaches) {
  compare_random_programs(Board::kRam + 0x8000, true, false, 400);
}

}  // namespace
}  // namespace gvp::host::test
