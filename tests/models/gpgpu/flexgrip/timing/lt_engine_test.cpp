// SPDX-License-Identifier: Apache-2.0
// When things happen: accesses of initiators that run ahead, memory that takes simulated time,
// kernels that run ahead, stall cycles.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "models/tlm/payload.h"
#include "tests/models/gpgpu/flexgrip/board.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

using sc_core::SC_MS;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;

// Memory without direct access that takes its time in one of three ways.
struct SlowMemory : sc_core::sc_module {
  enum class Way { kAnnotates, kWaits, kWaitsAndAnnotates };

  SlowMemory(const sc_core::sc_module_name& name, Way how, const sc_time& time)
      : sc_core::sc_module(name), way(how), latency(time), bytes(Board::kBusBytes) {
    socket.register_b_transport(this, &SlowMemory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    if (sc_core::sc_time_stamp() + delay < busy_until) ++overlapping;
    if (way != Way::kAnnotates) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
      sc_core::wait(way == Way::kWaits ? latency : latency / 2);
    }
    if (way != Way::kWaits) delay += way == Way::kAnnotates ? latency : latency / 2;
    busy_until = sc_core::sc_time_stamp() + delay;
    kit::transfer(payload, bytes.data() + payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  sc_time busy_until;        // with the last transaction
  unsigned overlapping = 0;  // that began before
  tlm_utils::simple_target_socket<SlowMemory> socket{"socket"};
  const Way way;
  const sc_time latency;
  std::vector<uint8_t> bytes;
};

// Each thread adds 5 to a word of its own.
constexpr const char* kAddFive = R"(
    I2I.U32.U16 R1, R0L;
    I2I.U32.U16 R4, g[0x6].U16;
    SHL R4, R4, 0x8;
    IADD R1, R1, R4;
    SHL R2, R1, 0x2;
    GLD.U32 R3, global14[R2];
    IADD32I R3, R3, 0x5;
    GST.U32 global14[R2], R3;
    RET;
)";

Configuration on_bus(unsigned sms = 1) {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.sms = sms;
  return configuration;
}

struct SlowBoard {
  SlowBoard(const std::string& name, const std::string& model, SlowMemory::Way way, double ns,
            unsigned sms = 1)
      : memory((name + "_memory").c_str(), way, sc_time(ns, SC_NS)),
        board(on_bus(sms), model, name, &memory.socket) {}

  // The cycles of the kernel, which are those that pass until its interrupt.
  uint64_t cycles() {
    Launch32 launch;
    launch.block_x = 256;
    launch.grid_x = 4;
    board.load(kAddFive);
    board.configure(launch);
    board.control.advance();
    const sc_time begun = sc_core::sc_time_stamp();
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    if (!board.interrupt.read()) sc_core::wait(board.interrupt.posedge_event());
    const sc_time taken = sc_core::sc_time_stamp() - begun;
    board.control.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    const uint64_t shown = board.counter(FLEXGRIP_COUNT_CYCLES);
    EXPECT_EQ(shown * sc_time(10, SC_NS).value(), taken.value());
    EXPECT_EQ(board.status(), kDone);
    return shown;
  }

  SlowMemory memory;
  Board board;
};

TEST(LtEngineTest, TimeThatPassesInMemoryCountsLikeTimeThatItAnnotates) {
  SlowBoard annotates("annotates", "lt", SlowMemory::Way::kAnnotates, 200);
  SlowBoard waits("waits", "lt", SlowMemory::Way::kWaits, 200);
  SlowBoard both("both", "lt", SlowMemory::Way::kWaitsAndAnnotates, 200);
  annotates.board.control.run([&] {
    const uint64_t cycles = annotates.cycles();
    EXPECT_EQ(waits.cycles(), cycles);
    EXPECT_EQ(both.cycles(), cycles);
  });
}

TEST(LtEngineTest, EveryLaneTakesAsLongAsMemoryAnswers) {
  SlowBoard fast("fast", "lt", SlowMemory::Way::kWaits, 195);  // 20 cycles
  SlowBoard slow("slow", "lt", SlowMemory::Way::kWaits, 395);  // 40 cycles
  fast.board.control.run([&] {
    // 1024 threads load and store.
    EXPECT_EQ(slow.cycles() - fast.cycles(), 2u * 1024 * 20);
  });
}

TEST(LtEngineTest, IsNearTheApproximatelyTimedDevice) {
  SlowBoard lt("lt", "lt", SlowMemory::Way::kWaits, 300);
  SlowBoard at("at", "at", SlowMemory::Way::kWaits, 300);
  lt.board.control.run([&] {
    const auto exact = static_cast<double>(at.cycles());
    EXPECT_NEAR(static_cast<double>(lt.cycles()), exact, 0.05 * exact);
  });
}

TEST(LtEngineTest, SmsShareTheBusPort) {
  SlowBoard one("one", "lt", SlowMemory::Way::kWaits, 1000);
  SlowBoard two("two", "lt", SlowMemory::Way::kWaits, 1000, 2);
  one.board.control.run([&] {
    const uint64_t transactions = 2 * 1024;
    EXPECT_GT(one.cycles(), transactions * 100);
    EXPECT_GT(two.cycles(), transactions * 100) << "one transaction at a time";
  });
}

class TimingOf : public testing::TestWithParam<const char*> {};

// Warps and SMs have clocks of their own; what they ask for goes through one port.
TEST_P(TimingOf, TransactionsAnnotatedInAdvanceDoNotOverlap) {
  SlowBoard one("one", GetParam(), SlowMemory::Way::kAnnotates, 195);
  SlowBoard two("two", GetParam(), SlowMemory::Way::kAnnotates, 195, 2);
  one.board.control.run([&] {
    one.cycles();
    EXPECT_EQ(one.memory.overlapping, 0u);
    two.cycles();
    EXPECT_EQ(two.memory.overlapping, 0u) << "with two SMs";
  });
}

TEST_P(TimingOf, AKernelStartsAtTheLocalTimeOfTheStore) {
  Board board({}, GetParam());
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch;
    launch.parameters = {0};
    board.configure(launch);
    board.control.advance();
    const sc_time begun = sc_core::sc_time_stamp();
    board.control.delay = sc_time(7, SC_US);  // ahead of simulated time
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    sc_core::wait(board.interrupt.posedge_event());
    const sc_time ended = sc_core::sc_time_stamp();
    const uint64_t cycles = board.counter(FLEXGRIP_COUNT_CYCLES);
    EXPECT_EQ(ended - begun,
              sc_time(7, SC_US) + sc_time(10.0 * static_cast<double>(cycles), SC_NS));
  });
}

TEST_P(TimingOf, CyclesAreCountedToTheLocalTimeOfTheLoad) {
  Board board({}, GetParam());
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.control.advance();
    board.start();
    board.control.advance(sc_time(100, SC_US));
    const uint64_t cycles = board.counter(FLEXGRIP_COUNT_CYCLES);
    board.control.delay += sc_time(50, SC_US);
    EXPECT_NEAR(static_cast<double>(board.counter(FLEXGRIP_COUNT_CYCLES) - cycles), 5000, 4);
    EXPECT_LE(sc_core::sc_time_stamp(), sc_time(110, SC_US)) << "the initiator is still ahead";
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  });
}

TEST_P(TimingOf, ARunningKernelIsStoppedAtTheLocalTimeOfTheReset) {
  Board board({}, GetParam());
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.control.advance();
    board.start();
    board.control.advance();
    const sc_time begun = sc_core::sc_time_stamp();
    board.control.delay = sc_time(30, SC_US);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_GE(sc_core::sc_time_stamp() - begun, sc_time(30, SC_US));
  });
}

// Cycles of a kernel but for its start, end and the configuration of its one block.
uint64_t executing(uint64_t cycles, uint32_t threads) {
  const PipelineTiming t;
  return cycles - t.kernel_start - t.kernel_end - t.configure_batch - t.configure_block -
         uint64_t{t.configure_thread} * threads - uint64_t{t.configure_warp} * (threads / 32);
}

TEST_P(TimingOf, StallCyclesAreThoseInWhichAnSmWithBlocksIssuesNothing) {
  Configuration configuration;
  std::vector<std::unique_ptr<Board>> boards;
  for (const unsigned sps : {8u, 16u, 32u}) {
    configuration.sps = sps;
    boards.push_back(
        std::make_unique<Board>(configuration, GetParam(), "board" + std::to_string(sps)));
  }
  boards[0]->control.run([&] {
    for (unsigned i = 0; i < 3; ++i) {
      Board& board = *boards[i];
      for (const uint32_t threads : {32u, 256u}) {
        board.load("MOV R1, R2;\n MOV R2, R3;\n RET;\n");
        Launch32 launch;
        launch.block_x = threads;
        EXPECT_EQ(board.run(launch), kDone);
        const uint64_t cycles = board.counter(FLEXGRIP_COUNT_CYCLES);
        const uint64_t rows = 3 * (threads / 32) * (4 >> i);
        EXPECT_EQ(board.counter(FLEXGRIP_COUNT_STALL_CYCLES), executing(cycles, threads) - rows);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Models, TimingOf, testing::Values("lt", "at"),
                         [](const auto& information) { return std::string(information.param); });

// Instructions that an endless kernel has executed 100 us after its start.
uint64_t executed_after_100_us(Board& board) {
  board.load(kForever);
  board.configure({});
  board.control.advance();
  board.start();
  board.control.advance(sc_time(100, SC_US));
  const uint64_t executed = board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS);
  board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  board.control.advance();
  return executed;
}

TEST(LtEngineTest, KernelsRunAheadAsFarAsTheQuantumSays) {
  Board board;
  board.control.run([&] {
    tlm::tlm_global_quantum::instance().set(sc_time(100, SC_NS));
    const uint64_t little = executed_after_100_us(board);
    tlm::tlm_global_quantum::instance().set(sc_time(1, SC_MS));
    const uint64_t much = executed_after_100_us(board);
    EXPECT_GT(much, 8 * little) << "1.1 ms of instructions in the place of 100 us";
  });
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
