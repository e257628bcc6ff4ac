// SPDX-License-Identifier: Apache-2.0
// The approximately timed processor computes what the loosely timed one does: random programs.
#include <gtest/gtest.h>

#include <random>

#include "models/base/log.h"
#include "tests/models/host/timed_board.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

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
    SCOPED_TRACE(gvp::test::text_of_seed(first_seed + i / 2));
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
  compare_random_programs(0x8000, false, false, gvp::test::seed(100));
}
TEST(SameResultsTest, RandomProgramsInMemory) {
  compare_random_programs(Board::kRam + 0x8000, false, false, gvp::test::seed(200));
}
TEST(SameResultsTest, RandomProgramsInMemoryInThreeStages) {
  compare_random_programs(Board::kRam + 0x8000, false, true, gvp::test::seed(300));
}
TEST(SameResultsTest, RandomProgramsThroughCaches) {
  compare_random_programs(Board::kRam + 0x8000, true, false, gvp::test::seed(400));
}

}  // namespace
}  // namespace gvp::host::test
