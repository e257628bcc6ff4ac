// SPDX-License-Identifier: Apache-2.0
// What observers of a device are told: against its counters, its statistics and its memory.
#include "models/gpgpu/observer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/models/gpgpu/flexgrip/board.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kBlocks = 5;
constexpr uint32_t kAddress = 0x100;

// Remembers everything it is told of.
struct Recorder : Observer {
  explicit Recorder(unsigned subjects) : subjects_(subjects) {}
  unsigned wants() const override { return subjects_; }
  void kernel_begins(const KernelEvent& e) override { begun.push_back(e); }
  void kernel_ends(const KernelEvent& e) override { ended.push_back(e); }
  void progress(const ProgressEvent& e) override { reached.push_back(e.cycle); }
  void block_begins(const BlockEvent& e) override {
    blocks_begun.push_back(e);
    begins(e.cycle);
  }
  void block_ends(const BlockEvent& e) override { blocks_ended.push_back(e); }
  void instruction(const InstructionEvent& e) override {
    instructions.push_back(e);
    begins(e.begin);
  }
  void stages(const StageEvent& e) override {
    rows.push_back(e);
    begins(e.issue);
  }
  void memory(const MemoryEvent& e) override {
    accesses.push_back(e);
    begins(e.cycle);
  }
  void interrupt(const InterruptEvent& e) override { interrupts.push_back(e); }

  std::vector<KernelEvent> begun, ended;
  std::vector<BlockEvent> blocks_begun, blocks_ended;
  std::vector<InstructionEvent> instructions;
  std::vector<StageEvent> rows;
  std::vector<MemoryEvent> accesses;
  std::vector<InterruptEvent> interrupts;
  std::vector<uint64_t> reached;  // cycles
  unsigned early = 0;             // events before what had been reached

 private:
  void begins(uint64_t cycle) { early += !reached.empty() && cycle < reached.back() ? 1 : 0; }

  unsigned subjects_;
};

constexpr unsigned kAll = Observer::kKernels | Observer::kBlocks | Observer::kInstructions |
                          Observer::kStages | Observer::kMemory | Observer::kInterrupts;

void run_numbers(Board& board) {
  Launch32 launch;
  launch.grid_x = kBlocks;
  launch.parameters = {kAddress};
  board.control.run([&] {
    board.load(kStoreNumber);
    board.configure(launch);
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.wait();
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE);
    board.control.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    board.control.advance(sc_core::sc_time(1, sc_core::SC_US));
  });
}

class ObserverOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, ObserverOf, testing::Values("lt", "at"));

TEST_P(ObserverOf, AKernelIsToldWithItsExtentsItsTimesAndItsEnd) {
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  run_numbers(board);
  const auto kernel = board.device->statistics().at("kernels").at(0);
  ASSERT_EQ(seen.begun.size(), 1u);
  ASSERT_EQ(seen.ended.size(), 1u);
  EXPECT_EQ(seen.begun[0].launch, 1u);
  EXPECT_EQ(seen.begun[0].name, kernel.at("name"));
  EXPECT_EQ(seen.begun[0].grid, (std::array<uint32_t, 3>{kBlocks, 1, 1}));
  EXPECT_EQ(seen.begun[0].block, (std::array<uint32_t, 3>{32, 1, 1}));
  EXPECT_EQ(seen.begun[0].period_ps, 10000u);
  EXPECT_EQ(seen.ended[0].cause, 0u);
  EXPECT_EQ(seen.ended[0].cycles, kernel.at("cycles"));
  EXPECT_EQ(seen.ended[0].end_ps, seen.ended[0].time_ps(seen.ended[0].cycles));
}

TEST_P(ObserverOf, EveryBlockBeginsOnceAndEndsOnceWithinTheKernel) {
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  run_numbers(board);
  ASSERT_EQ(seen.blocks_begun.size(), kBlocks);
  ASSERT_EQ(seen.blocks_ended.size(), kBlocks);
  std::set<uint32_t> indices;
  for (const BlockEvent& end : seen.blocks_ended) {
    indices.insert(end.place.x);
    EXPECT_LT(end.cycle, seen.ended.at(0).cycles);
    for (const BlockEvent& begin : seen.blocks_begun) {
      if (begin.place.x == end.place.x) {
        EXPECT_LT(begin.cycle, end.cycle);
      }
    }
  }
  EXPECT_EQ(indices.size(), kBlocks);
}

TEST_P(ObserverOf, NothingBeginsBeforeTheProgressThatWasTold) {
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  run_numbers(board);
  // the loosely timed one executes all of these blocks at once
  EXPECT_GE(seen.reached.size(), GetParam() == std::string("lt") ? 1u : 2u);
  EXPECT_TRUE(std::is_sorted(seen.reached.begin(), seen.reached.end()));
  EXPECT_GT(seen.reached.back(), 0u);
  EXPECT_LE(seen.reached.back(), seen.ended.at(0).cycles);
  EXPECT_EQ(seen.early, 0u);
}

TEST_P(ObserverOf, InstructionsAreAsManyAsTheDeviceCounts) {
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  run_numbers(board);
  const auto kernel = board.device->statistics().at("kernels").at(0);
  EXPECT_EQ(seen.instructions.size(), kernel.at("warp_instructions"));
  uint64_t threads = 0;
  std::map<uint32_t, uint64_t> last;  // issue, by warp slot
  for (const InstructionEvent& e : seen.instructions) {
    threads += static_cast<uint64_t>(__builtin_popcountll(e.active));
    EXPECT_LT(e.begin, e.end);
    EXPECT_LE(last[e.place.slot], e.begin) << "pc " << e.pc;
    last[e.place.slot] = e.begin;
    EXPECT_LE(e.end, seen.ended.at(0).cycles);
  }
  EXPECT_EQ(threads, kernel.at("thread_instructions"));
}

TEST_P(ObserverOf, MemoryAccessesHaveTheAddressesThatChange) {
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  run_numbers(board);
  std::set<uint64_t> written;
  unsigned shared = 0;
  for (const MemoryEvent& e : seen.accesses) {
    EXPECT_EQ(e.lanes, 0xffffffffu);
    if (e.space == MemorySpace::kShared) {
      // ctaid.x, and the parameter
      EXPECT_TRUE(e.address[0] == 0xc || e.address[0] == 0x10) << e.address[0];
      EXPECT_EQ(e.bytes, e.address[0] == 0xc ? 2u : 4u);
      EXPECT_FALSE(e.write);
      ++shared;
      continue;
    }
    EXPECT_EQ(e.space, MemorySpace::kGlobal);
    EXPECT_TRUE(e.write);
    EXPECT_EQ(e.bytes, 4u);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(e.address[lane], kAddress + 4 * (32 * e.place.block.x + lane));
    written.insert(e.address[0]);
  }
  EXPECT_EQ(shared, 2 * kBlocks);
  EXPECT_EQ(written.size(), kBlocks);
}

TEST_P(ObserverOf, InterruptsAreToldAsTheirLineChanges) {
  Board board({}, GetParam());
  Recorder seen(Observer::kInterrupts | Observer::kKernels);
  board.device->observe(seen);
  run_numbers(board);
  std::vector<bool> levels;
  for (const InterruptEvent& e : seen.interrupts) levels.push_back(e.level);
  EXPECT_EQ(levels, (std::vector<bool>{true, false}));
  EXPECT_GE(seen.interrupts.at(0).time_ps, seen.ended.at(0).end_ps);
}

TEST_P(ObserverOf, WatchingTakesNoSimulatedTime) {
  Board alone({}, GetParam(), "alone");
  Board watched({}, GetParam(), "watched");
  Recorder all(kAll);
  Recorder few(Observer::kBlocks);
  watched.device->observe(few);
  watched.device->observe(all);
  Launch32 launch;
  launch.grid_x = kBlocks;
  launch.parameters = {kAddress};
  alone.control.run([&] {
    for (Board* board : {&alone, &watched}) {
      board->load(kStoreNumber);
      board->run(launch);
    }
  });
  EXPECT_EQ(alone.statistics_without_begin(), watched.statistics_without_begin());
  // Each is told what it asked for and no more.
  EXPECT_EQ(few.blocks_begun.size(), all.blocks_begun.size());
  EXPECT_EQ(few.instructions.size() + few.accesses.size() + few.begun.size(), 0u);
}

TEST_P(ObserverOf, ARefusedKernelIsToldWithItsCause) {
  Board board({}, GetParam());
  Recorder seen(kAll);
  board.device->observe(seen);
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch;
    launch.block_x = 1024;
    board.run(launch);
  });
  ASSERT_EQ(seen.ended.size(), 1u);
  EXPECT_EQ(seen.ended[0].cause, FLEXGRIP_CAUSE_TOO_MANY_THREADS);
  EXPECT_EQ(seen.ended[0].cycles, 0u);
  EXPECT_TRUE(seen.instructions.empty());
}

TEST(ObserverTest, RowsPassTheStagesInTheirOrder) {
  Configuration configuration;
  configuration.sps = 16;
  Board board(configuration, "at");
  Recorder seen(Observer::kStages | Observer::kInstructions);
  board.device->observe(seen);
  run_numbers(board);
  const size_t stages = board.device->stages().size();
  EXPECT_EQ(stages, 5u);
  EXPECT_EQ(seen.rows.size(), 2 * seen.instructions.size());  // 32 lanes through 16 processors
  for (const StageEvent& e : seen.rows) {
    uint64_t before = e.issue;
    for (size_t stage = 0; stage < stages; ++stage) {
      EXPECT_LT(before, e.left[stage]) << "stage " << stage;
      before = e.left[stage];
    }
  }
}

TEST(ObserverTest, LooselyTimedDevicesHaveNoStages) {
  Board board;
  Recorder seen(Observer::kStages);
  board.device->observe(seen);
  run_numbers(board);
  EXPECT_TRUE(board.device->stages().empty());
  EXPECT_TRUE(seen.rows.empty());
}

TEST(ObserverTest, LocalAndConstantAccessesAreToldWithTheirOwnAddresses) {
  Board board;
  Recorder seen(Observer::kMemory);
  board.device->observe(seen);
  board.control.run([&] {
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BASE(3), 0x40);
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BYTES(3), 0x100);
    board.load(R"(
      IADD R1, R0, c [0x3] [0x2];
      LST.U32 local[0x14], R1;
      LLD.U32 R2, local[0x14];
      RET;
    )");
    EXPECT_EQ(board.run({}), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE);
  });
  ASSERT_EQ(seen.accesses.size(), 3u);
  EXPECT_EQ(seen.accesses[0].space, MemorySpace::kConstant);
  EXPECT_EQ(seen.accesses[0].address[7], 0x48u);  // words count in assembler text
  EXPECT_EQ(seen.accesses[1].space, MemorySpace::kLocal);
  EXPECT_TRUE(seen.accesses[1].write);
  EXPECT_EQ(seen.accesses[2].address[0], seen.accesses[1].address[0]);
  EXPECT_FALSE(seen.accesses[2].write);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
