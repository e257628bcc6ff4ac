// SPDX-License-Identifier: Apache-2.0
// FlexGrip whose code and constants lie in memory on the bus, behind caches: what is fetched and
// what that takes.
#include <gmock/gmock.h>

#include <tuple>

#include "models/gpgpu/observer.h"
#include "tests/models/cache/reference_cache.h"
#include "tests/models/gpgpu/flexgrip/off_chip_boards.h"

namespace gvp::gpgpu::flexgrip {
namespace {

TEST(OffChip, ALoopThatFitsMissesOnceALine) {
  Boards boards(with_instructions(4, 4, 32));
  boards.run([&](Board& board) {
    board.load(kLoop);
    EXPECT_EQ(board.run({}), kDone);
    const ordered_json cache = instruction_cache(board);
    EXPECT_EQ(cache["reads"], 3 + 2 * 5 + 1);
    EXPECT_EQ(misses(cache), 2u);
    EXPECT_EQ(cache["fetches"], 2);
    EXPECT_EQ(cache["fetched_bytes"], 64);
    EXPECT_EQ(cache["evictions"], 0);
    EXPECT_EQ(last_kernel(board)["caches"]["below"]["reads"], 2);
  });
}

TEST(OffChip, ALoopAcrossTwoLinesOfACacheOfOneMissesTwiceARound) {
  Boards boards(with_instructions(1, 1, 32));
  boards.run([&](Board& board) {
    board.load(kLoop);
    EXPECT_EQ(board.run({}), kDone);
    const ordered_json cache = instruction_cache(board);
    EXPECT_EQ(cache["reads"], 14);
    // The first line, the second in each round, and the first again in all rounds but one.
    EXPECT_EQ(misses(cache), 1u + 5 + 4);
    EXPECT_EQ(cache["evictions"], 9);
  });
}

TEST(OffChip, AnInstructionAcrossTwoLinesReadsBoth) {
  Boards boards(with_instructions(4, 4, 32));
  boards.run([&](Board& board) {
    // Of four bytes; then, of eight, at 4, 12, 20, 28 and 36.
    std::vector<uint32_t> words = {
        g80::assemble("MOV32 R4, R3;\n MOV32 R4, R3;\n", "test").kernels.at(0).code.at(0)};
    for (const char* line :
         {"MVI R1, 0x1;\n", "MVI R1, 0x2;\n", "MVI R1, 0x3;\n", "MVI R1, 0x4;\n", "RET;\n"}) {
      const auto code = g80::assemble(line, "test").kernels.at(0).code;
      words.insert(words.end(), code.begin(), code.begin() + 2);
    }
    for (uint32_t i = 0; i < words.size(); ++i) board.code.write32(4 * i, words[i]);
    EXPECT_EQ(board.run({}), kDone);
    const ordered_json cache = instruction_cache(board);
    EXPECT_EQ(cache["reads"], 6 + 1);
    EXPECT_EQ(misses(cache), 2u);
  });
}

// What code in the device takes, and with it.
TEST(OffChip, HitsAreFreeAndMissesHoldTheFetchStage) {
  Boards inside(on_bus(), "inside");
  Boards large(with_instructions(64, 4, 32), "large");
  Boards small(with_instructions(1, 1, 32), "small");
  Configuration slow = with_instructions(64, 4, 32);
  slow.instruction_cache.hit_cycles = 10;
  Boards slower(slow, "slower");
  inside.lt.control.run([&] {
    for (const bool at : {false, true}) {
      std::vector<uint64_t> cycles;
      std::vector<uint64_t> fetching;
      for (Boards* boards : {&inside, &large, &small, &slower}) {
        Board& board = at ? boards->at : boards->lt;
        board.load(kLoop);
        EXPECT_EQ(board.run({}), kDone);
        cycles.push_back(board.counter(FLEXGRIP_COUNT_CYCLES));
        fetching.push_back(last_kernel(board)["cycles_by_class"]["fetch"].get<uint64_t>());
        expect_all_cycles_accounted_for(board);
      }
      // The warp scheduler looks every other cycle: what a fetch takes more may be one less or more
      // for the warp.
      const auto expect_more = [&](size_t which, uint64_t more, uint64_t fetches) {
        SCOPED_TRACE(which);
        EXPECT_NEAR(static_cast<double>(cycles[which] - cycles[0]), static_cast<double>(more),
                    at ? static_cast<double>(fetches) : 0);
        EXPECT_EQ(fetching[which] - fetching[0], more);
      };
      expect_more(1, 2 * kMissCycles, 2);
      expect_more(2, 10 * kMissCycles, 10);
      expect_more(3, 14 * 9 + 2 * kMissCycles, 14);
    }
  });
}

// Remembers the instructions of each warp.
struct Recorder : Observer {
  unsigned wants() const override { return kInstructions; }
  void instruction(const InstructionEvent& e) override {
    pcs.push_back(static_cast<uint32_t>(e.pc));
  }
  std::vector<uint32_t> pcs;
};

// Warps diverge, meet again and call; all instructions have eight bytes.
constexpr const char* kTwists = R"(
          I2I.U32.U16 R1, R0L;
          MVI R5, 0x7;
          LOP.AND R2, R1, R5;
          MVI R5, 0x3;
    loop: SSY join;
          ISET.S32.C0 o[0x7f], R2, R5, GE;
          BRA C0.NE, join;
          IADD32I R6, R6, 0x1;
          IADD32I R6, R6, 0x2;
          CAL function;
    join: NOP.S;
          MVI R7, 0x1;
          IADD.C0 R5, R5, -R7;
          BRA C0.NE, loop;
          RET;
function: IADD32I R6, R6, 0x3;
          IADD32I R6, R6, 0x4;
          RET;
)";

TEST(OffChip, CountsAreThoseOfTheReferenceCacheForTheInstructionsOfTheKernel) {
  const std::tuple<uint32_t, uint32_t, const char*> shapes[] = {
      {1, 1, "lru"}, {2, 1, "lru"}, {1, 2, "fifo"}, {1, 3, "random"}, {4, 4, "lru"}};
  std::vector<std::unique_ptr<Board>> boards;
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const auto& [sets, ways, replacement] : shapes)
    for (const char* model : {"lt", "at"}) {
      Configuration configuration = with_instructions(sets, ways, 32);
      configuration.instruction_cache.replacement = replacement;
      configuration.instruction_cache.seed = 77;
      boards.push_back(
          std::make_unique<Board>(configuration, model, "r" + std::to_string(boards.size())));
      recorders.push_back(std::make_unique<Recorder>());
      boards.back()->device->observe(*recorders.back());
    }
  boards[0]->control.run([&] {
    for (size_t i = 0; i < boards.size(); ++i) {
      SCOPED_TRACE(boards[i]->device->name());
      const auto& [sets, ways, replacement] = shapes[i / 2];
      boards[i]->load(kTwists);
      Launch32 launch;
      launch.block_x = 96;
      launch.grid_x = 3;
      EXPECT_EQ(boards[i]->run(launch), kDone);
      test::ReferenceCache reference(sets, ways, 32, replacement, 77);
      uint64_t reads = 0;
      uint64_t hits = 0;
      uint64_t evictions = 0;
      const auto count = [&](const test::ReferenceCache::Result& result) {
        ++reads;
        hits += result.hit ? 1 : 0;
        evictions += result.evicted ? 1 : 0;
      };
      for (const uint32_t pc : recorders[i]->pcs)  // none is in two lines
        count(reference.access(kBase + pc, true, false));
      EXPECT_EQ(reads, recorders[i]->pcs.size());
      EXPECT_GT(reads, 400u);
      EXPECT_EQ(evictions > 8, sets < 4) << evictions;
      const ordered_json cache = instruction_cache(*boards[i]);
      EXPECT_EQ(cache["reads"], reads);
      EXPECT_EQ(cache["read_hits"], hits);
      EXPECT_EQ(cache["evictions"], evictions);
    }
  });
}

// A warp alone has one order, whatever the timing.
TEST(OffChip, OfAWarpHitsAreTheSameInBothTimings) {
  Configuration configuration = with_instructions(1, 2, 32);
  configuration.instruction_cache.replacement = "random";
  Boards boards(configuration);
  std::vector<ordered_json> caches;
  boards.run([&](Board& board) {
    board.load(kTwists);
    EXPECT_EQ(board.run({}), kDone);
    caches.push_back(instruction_cache(board));
  });
  EXPECT_GT(caches[0]["evictions"], 3);
  EXPECT_EQ(caches[0], caches[1]);
}

// Nor do several, where the cache holds the kernel.
TEST(OffChip, OfWarpsThatShareALargeCacheHitsAreTheSameInBothTimings) {
  Boards boards(with_instructions());
  std::vector<ordered_json> caches;
  boards.run([&](Board& board) {
    board.load(kTwists);
    Launch32 launch;
    launch.block_x = 96;
    launch.grid_x = 3;
    EXPECT_EQ(board.run(launch), kDone);
    caches.push_back(instruction_cache(board));
  });
  EXPECT_EQ(misses(caches[0]), 2u);
  EXPECT_EQ(caches[0], caches[1]);
}

// Four lines of 32 bytes, three of them the loop's; of constants four of 64.
constexpr const char* kLongLoop = R"(
          I2I.U32.U16 R1, R0L;
          SHL R1, R1, 0x2;
          R2A A1, R1, 0x0;
          MVI R2, 0x7d0;
    more: MVC R4, c[0x1] [A1+0x0];
          MVI R3, 0x1;
          IADD R5, R5, c[0x1] [0x20];
          IADD R6, R5, R4;
          IADD R5, R5, c[0x1] [0x30];
          IADD R6, R5, R4;
          IADD R6, R6, R4;
          IADD R5, R5, c[0x1] [0x40];
          IADD R6, R5, R4;
          IADD.C0 R2, R2, -R3;
          BRA C0.NE, more;
          RET;
)";

struct Lookup {
  uint32_t instruction_ways, constant_ways, hit_cycles;
};

class LookingUp : public testing::TestWithParam<Lookup> {};

// Who watches makes the pipeline work out each instruction; else it looks up what it has seen.
// Where lines go at random an instruction finds its own or its constant one time and not another.
TEST_P(LookingUp, WhatThePipelineHasDoneBeforeChangesNoCycle) {
  const Lookup& c = GetParam();
  Configuration configuration = with_instructions(1, c.instruction_ways, 32);
  configuration.instruction_cache.replacement = "random";
  configuration.instruction_cache.hit_cycles = c.hit_cycles;
  configuration.constant_cache = configuration.instruction_cache;
  configuration.constant_cache.line_bytes = configuration.constant_cache.sector_bytes = 64;
  configuration.constant_cache.ways = c.constant_ways;
  Board watched(configuration, "at", "watched");
  Recorder recorder;
  watched.device->observe(recorder);
  Board alone(configuration, "at", "alone");
  watched.control.run([&] {
    for (Board* board : {&watched, &alone}) {
      board->load(kLongLoop);
      Launch32 launch;
      launch.block_x = 64;
      EXPECT_EQ(board->run(launch), kDone);
    }
  });
  EXPECT_EQ(watched.statistics_without_begin(), alone.statistics_without_begin());
  EXPECT_EQ(misses(instruction_cache(alone)) > 1000, c.instruction_ways < 3);
  EXPECT_EQ(misses(constant_cache(alone)) > 1000, c.constant_ways < 4);
}

INSTANTIATE_TEST_SUITE_P(Caches, LookingUp,
                         testing::Values(Lookup{8, 8, 1}, Lookup{2, 8, 1}, Lookup{8, 3, 1},
                                         Lookup{8, 8, 4}, Lookup{2, 8, 300}),
                         [](const auto& information) {
                           const Lookup& c = information.param;
                           return "Instructions" + std::to_string(c.instruction_ways) +
                                  "Constants" + std::to_string(c.constant_ways) + "Hit" +
                                  std::to_string(c.hit_cycles);
                         });

TEST(OffChip, ConstantsAreReadOnceAnAddress) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    board.load(kConstantReads);
    for (uint32_t i = 0; i < 32; ++i) write_constant(board, 4 * i, 1000 + i);
    write_constant(board, 0x100, 7);
    EXPECT_EQ(board.run({}), kDone);
    for (uint32_t i = 0; i < 32; ++i) {
      ASSERT_EQ(word(board, 8 * i), 1000 + i);
      ASSERT_EQ(word(board, 8 * i + 4), 7u);
    }
    const ordered_json cache = constant_cache(board);
    // A read for each lane, of two lines, and one for all of a third.
    EXPECT_EQ(cache["reads"], 32 + 1);
    EXPECT_EQ(misses(cache), 3u);
    EXPECT_EQ(cache["fetched_bytes"], 3 * 64);
    expect_all_cycles_accounted_for(board);
  });
}

TEST(OffChip, LanesThatMeetAtAnAddressReadOnce) {
  Boards boards(with_both());
  boards.run([&](Board& board) {
    // Eight threads an address.
    board.load(R"(
        I2I.U32.U16 R1, R0L;
        SHR R2, R1, 0x3;
        SHL R2, R2, 0x2;
        R2A A1, R2, 0x0;
        MVC R3, c[0x1] [A1+0x0];
        SHL R5, R1, 0x2;
        GST.U32 global14[R5], R3;
        RET;
    )");
    for (uint32_t i = 0; i < 4; ++i) write_constant(board, 4 * i, 50 + i);
    EXPECT_EQ(board.run({}), kDone);
    for (uint32_t i = 0; i < 32; ++i) ASSERT_EQ(word(board, 4 * i), 50 + i / 8);
    EXPECT_EQ(constant_cache(board)["reads"], 4);
    EXPECT_EQ(misses(constant_cache(board)), 1u);
  });
}

TEST(OffChip, ConstantMissesHoldTheReadStage) {
  Configuration constants = on_bus();
  constants.constant_cache.enabled = true;
  Boards inside(on_bus(), "inside");
  Boards cached(constants, "cached");
  inside.lt.control.run([&] {
    for (const bool at : {false, true}) {
      uint64_t cycles[2];
      uint64_t reading[2];
      unsigned n = 0;
      for (Boards* boards : {&inside, &cached}) {
        Board& board = at ? boards->at : boards->lt;
        board.load("IADD R1, R0, c[0x1] [0x0];\n IADD R1, R0, c[0x1] [0x1];\n RET;\n");
        EXPECT_EQ(board.run({}), kDone);
        cycles[n] = board.counter(FLEXGRIP_COUNT_CYCLES);
        reading[n++] = last_kernel(board)["cycles_by_class"]["constant"].get<uint64_t>();
        expect_all_cycles_accounted_for(board);
      }
      EXPECT_FALSE(last_kernel(at ? cached.at : cached.lt)["caches"].contains("instruction"));
      EXPECT_NEAR(static_cast<double>(cycles[1] - cycles[0]), kMissCycles, at ? 1 : 0);
      EXPECT_GE(reading[1] - reading[0], kMissCycles - 1);
      EXPECT_LE(reading[1] - reading[0], kMissCycles);
    }
  });
}

TEST(OffChip, ASharedL2CacheServesTheCachesOfSeveralSms) {
  Configuration configuration = with_both();
  configuration.sms = 3;
  configuration.l2.enabled = true;
  configuration.network.topology = "mesh";
  Boards boards(configuration);
  boards.run([&](Board& board) {
    board.load(kConstantReads);
    for (uint32_t i = 0; i < 32; ++i) write_constant(board, 4 * i, 1000 + i);
    Launch32 launch;
    launch.grid_x = 6;
    EXPECT_EQ(board.run(launch), kDone);
    for (uint32_t i = 0; i < 32; ++i) ASSERT_EQ(word(board, 8 * i), 1000 + i);
    const ordered_json caches = last_kernel(board)["caches"];
    ASSERT_EQ(caches["instruction"].size(), 3u);
    ASSERT_EQ(caches["constant"].size(), 3u);
    for (unsigned sm = 0; sm < 3; ++sm) {
      EXPECT_EQ(caches["instruction"][sm]["reads"], 2 * 12);
      EXPECT_EQ(misses(caches["instruction"][sm]), 1u);
      EXPECT_EQ(misses(caches["constant"][sm]), 3u);
    }
    // Each line comes from memory once, of constants a line of 128 bytes for two of 64.
    EXPECT_EQ(caches["l2"]["reads"], 3 * (1 + 3));
    EXPECT_EQ(caches["below"]["reads"], 1 + 2);
    expect_all_cycles_accounted_for(board);
  });
}

TEST(OffChip, PerfectMemoryAnswersFetchesInTheNextCycle) {
  Configuration configuration = with_instructions(1, 1, 32);
  configuration.perfect_memory = true;
  Boards inside(on_bus(), "inside");
  Boards perfect(configuration, "perfect");
  inside.lt.control.run([&] {
    for (Boards* boards : {&inside, &perfect}) {
      boards->lt.load(kLoop);
      EXPECT_EQ(boards->lt.run({}), kDone);
    }
  });
  EXPECT_EQ(last_kernel(perfect.lt)["cycles"].get<uint64_t>(),
            last_kernel(inside.lt)["cycles"].get<uint64_t>() + 10);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
