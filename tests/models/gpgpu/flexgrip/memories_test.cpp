// SPDX-License-Identifier: Apache-2.0
// Global memory in block RAM and on the bus, several SMs, determinism.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;

// Blocks of 64 threads reverse their words of s[0x10].. through shared memory, into s[0x14]..
constexpr const char* kReverse = R"(
    I2I.U32.U16 R1, R0L;
    MOV.U16 R2L, g [0x6].U16;
    I2I.U32.U16 R2, R2L;
    SHL R2, R2, 0x6;
    IADD R3, R2, R1;
    SHL R3, R3, 0x2;
    IADD R4, g [0x4], R3;
    GLD.U32 R5, global14[R4];
    R2A A1, R1, 0x2;
    R2G.U32.U32 g[A1+0x10], R5;
    BAR.ARV.WAIT b0, 0xfff;
    MVI R6, 0x3f;
    IADD R6, R6, -R1;
    R2A A2, R6, 0x2;
    MOV R7, g [A2+0x10];
    IADD R4, g [0x5], R3;
    GST.U32 global14[R4], R7;
    RET;
)";

Launch32 reverse(uint32_t blocks, uint32_t from, uint32_t to) {
  Launch32 launch;
  launch.block_x = 64;
  launch.grid_x = blocks;
  launch.shared = 512;
  launch.parameters = {from, to};
  return launch;
}

uint32_t word(uint32_t i) { return i * 2654435761u; }

void expect_reversed(test::Initiator& memory, uint32_t at, uint32_t blocks) {
  for (uint32_t i = 0; i < 64 * blocks; ++i)
    ASSERT_EQ(memory.read32(at + 4 * i), word(i / 64 * 64 + 63 - i % 64)) << i;
}

class SharedMemoryTest : public testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {};

TEST_P(SharedMemoryTest, EveryShapeGivesTheSameResult) {
  Configuration configuration;
  configuration.sms = std::get<0>(GetParam());
  configuration.sps = std::get<1>(GetParam());
  Board board(configuration);
  board.control.run([&] {
    for (uint32_t i = 0; i < 640; ++i) board.global->write32(4 * i, word(i));
    board.load(kReverse);
    EXPECT_EQ(board.run(reverse(10, 0, 0x1000)), kDone);
    expect_reversed(*board.global, 0x1000, 10);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS), 20u * 18);
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, SharedMemoryTest,
                         testing::Combine(testing::Values(1u, 2u, 3u, 16u),
                                          testing::Values(8u, 16u, 32u)));

TEST(MemoriesTest, TwoSmsAreFasterThanOne) {
  Configuration one;
  Configuration two;
  two.sms = 2;
  Board small(one, "lt", "small");
  Board large(two, "lt", "large");
  small.control.run([&] {
    uint64_t cycles[2];
    unsigned n = 0;
    for (Board* board : {&small, &large}) {
      board->load(kReverse);
      board->run(reverse(16, 0, 0x4000));
      cycles[n++] = board->counter(FLEXGRIP_COUNT_CYCLES);
    }
    EXPECT_LT(cycles[1] * 18, cycles[0] * 10);
    EXPECT_GT(cycles[1] * 22, cycles[0] * 10);
  });
}

Configuration on_bus() {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  return configuration;
}

TEST(MemoriesTest, GlobalMemoryMayBeOnTheBus) {
  Board board(on_bus());
  uint8_t* bytes = board.bus.storage().data();
  for (uint32_t i = 0; i < 640; ++i) {
    const uint32_t value = word(i);
    std::memcpy(bytes + 0x1000 + 4 * i, &value, 4);
  }
  board.control.run([&] {
    board.load(kReverse);
    EXPECT_EQ(board.run(reverse(10, 0x1000, 0x8000)), kDone);
  });
  for (uint32_t i = 0; i < 640; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, bytes + 0x8000 + 4 * i, 4);
    ASSERT_EQ(value, word(i / 64 * 64 + 63 - i % 64));
  }
}

TEST(MemoriesTest, DirectAccessChangesNeitherResultsNorTime) {
  Board direct(on_bus(), "lt", "direct");
  Board transactions(on_bus(), "lt", "transactions");
  transactions.bus.allow_dmi(false);
  direct.control.run([&] {
    uint64_t cycles[2];
    unsigned n = 0;
    for (Board* board : {&direct, &transactions}) {
      board->load(kReverse);
      EXPECT_EQ(board->run(reverse(4, 0x1000, 0x8000)), kDone);
      cycles[n++] = board->counter(FLEXGRIP_COUNT_CYCLES);
    }
    EXPECT_NEAR(static_cast<double>(cycles[0]), static_cast<double>(cycles[1]),
                static_cast<double>(cycles[1]) * 0.02);
  });
  EXPECT_LT(direct.device->statistics()["bus_transactions"],
            transactions.device->statistics()["bus_transactions"]);
}

// Memory that reads and writes at different speeds; direct access has one price for both.
TEST(MemoriesTest, DirectAccessTakesTheLongerOfItsTwoLatencies) {
  const sc_core::sc_time fast(50, sc_core::SC_NS);
  const sc_core::sc_time slow(500, sc_core::SC_NS);
  kit::Memory fast_memory("fast_memory", {Board::kBusBytes, fast, fast});
  kit::Memory slow_reads("slow_reads", {Board::kBusBytes, slow, fast});
  kit::Memory slow_writes("slow_writes", {Board::kBusBytes, fast, slow});
  kit::Memory slow_memory("slow_memory", {Board::kBusBytes, slow, slow});
  Board fast_board(on_bus(), "lt", "fast", &fast_memory.socket);
  Board reads(on_bus(), "lt", "reads", &slow_reads.socket);
  Board writes(on_bus(), "lt", "writes", &slow_writes.socket);
  Board slow_board(on_bus(), "lt", "slow", &slow_memory.socket);
  reads.control.run([&] {
    const auto cycles = [](Board& board) {
      board.load(kReverse);
      EXPECT_EQ(board.run(reverse(4, 0x1000, 0x8000)), kDone);
      return board.counter(FLEXGRIP_COUNT_CYCLES);
    };
    const uint64_t shortest = cycles(fast_board);
    const uint64_t longest = cycles(slow_board);
    EXPECT_GT(longest, 2 * shortest);
    EXPECT_EQ(cycles(reads), longest);
    // The first load of the first warp, an access a thread, came before direct access.
    const auto saved = static_cast<uint64_t>((slow - fast) / sc_core::sc_time(10, sc_core::SC_NS));
    EXPECT_EQ(cycles(writes), longest - 32 * saved);
  });
}

TEST(MemoriesTest, CountersHave64Bits) {
  const sc_core::sc_time ages(30, sc_core::SC_SEC);
  kit::Memory memory("memory", {Board::kBusBytes, ages, ages});
  Board board(on_bus(), "lt", "board", &memory.socket);
  memory.allow_dmi(false);
  board.control.run([&] {
    board.load("MVI R1, 0x100;\n GLD.U32 R2, global14[R1];\n RET;\n");
    Launch32 launch;
    launch.block_x = 2;  // an access each: 3,000,000,000 cycles of 10 ns
    board.configure(launch);
    board.start();
    board.control.advance(sc_core::sc_time(70, sc_core::SC_SEC));
    EXPECT_EQ(board.status(), kDone);
    const uint64_t cycles = board.counter(FLEXGRIP_COUNT_CYCLES);
    EXPECT_GT(cycles, 6'000'000'000u);
    EXPECT_LT(cycles, 6'000'001'000u);
  });
}

TEST(MemoriesTest, RevokedDirectAccessIsRespected) {
  Board board(on_bus());
  board.control.run([&] {
    board.load(kReverse);
    EXPECT_EQ(board.run(reverse(1, 0x1000, 0x8000)), kDone);
    const uint64_t before = board.device->statistics()["bus_transactions"];
    board.bus.allow_dmi(false);
    EXPECT_EQ(board.run(reverse(1, 0x1000, 0x8000)), kDone);
    EXPECT_EQ(board.device->statistics()["bus_transactions"].get<uint64_t>() - before, 128u);
  });
}

TEST(MemoriesTest, AnErrorOnTheBusStopsTheKernel) {
  Board board(on_bus());
  const test::LogCapture quiet;
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch;
    launch.parameters = {Board::kBusBytes - 64};
    EXPECT_EQ(board.run(launch), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_BUS_ERROR);
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_ADDRESS), Board::kBusBytes);
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_WARP) & 0xffu, 16u);
  });
}

TEST(MemoriesTest, TwoRunsGiveTheSameStatistics) {
  Board first({}, "lt", "first");
  Board second({}, "lt", "second");
  first.control.run([&] {
    for (Board* board : {&first, &second}) {
      for (uint32_t i = 0; i < 640; ++i) board->global->write32(4 * i, word(i));
      board->load(kReverse);
      board->run(reverse(10, 0, 0x1000));
    }
  });
  EXPECT_EQ(first.statistics_without_begin(), second.statistics_without_begin());
}

TEST(MemoriesTest, WindowsGrantDirectAccessToCodeAndGlobalMemory) {
  Board board;
  for (test::Initiator* initiator : {&board.code, board.global.get()}) {
    tlm::tlm_generic_payload payload;
    payload.set_address(0);
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(initiator->socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_TRUE(dmi.is_read_write_allowed());
  }
  board.control.run([] {});
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
