// SPDX-License-Identifier: Apache-2.0
// No guest program, however broken, crashes or hangs the simulator: random memory executed as code,
// in all configurations, with interrupts and mode changes.  Worth most under the sanitizers.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "models/base/log.h"
#include "tests/models/host/machine.h"
#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

Configuration random_configuration(std::mt19937& random) {
  const auto flip = [&] { return (random() & 1) != 0; };
  Configuration c;
  c.big_endian = flip();
  c.use_barrel = flip();
  c.use_hw_mul = static_cast<unsigned>(random() % 3);
  c.use_div = flip();
  c.use_fpu = static_cast<unsigned>(random() % 3);
  c.use_pcmp_instr = flip();
  c.use_reorder_instr = flip();
  c.fsl_links = static_cast<unsigned>(random() % 17);
  c.use_extended_fsl_instr = flip();
  c.use_mmu = static_cast<unsigned>(random() % 4);
  c.mmu_zones = static_cast<unsigned>(random() % 17);
  c.use_stack_protection = flip();
  c.unaligned_exceptions = flip();
  c.fpu_exception = flip();
  c.div_zero_exception = flip();
  c.use_icache = flip();
  c.use_dcache = flip();
  c.cache_model = flip() ? "contents" : "always-hit";
  c.lmb_size = 0;
  c.icache_baseaddr = c.dcache_baseaddr = 0;
  c.icache_highaddr = flip() ? 0xfff : 0xffffffff;
  c.dcache_highaddr = flip() ? 0xfff : 0xffffffff;
  c.cache_byte_size = 64u << random() % 8;
  c.dcache_byte_size = 64u << random() % 8;
  c.icache_line_len = 4u << random() % 3;
  c.dcache_line_len = 4u << random() % 3;
  c.dcache_use_writeback = flip();
  return c;
}

// Words that mostly decode: a random row of the table with random operands.
uint32_t plausible_word(std::mt19937& random) {
  if (random() % 16 == 0) return static_cast<uint32_t>(random());
  const InstructionInfo& row = kInstructionTable[random() % kOperations];
  return (static_cast<uint32_t>(random()) & ~row.mask) | row.match;
}

void run_random_program(unsigned seed, bool plausible) {
  std::mt19937 random(seed);
  constexpr uint32_t kBytes = 16384;
  Machine m(random_configuration(random), kBytes);
  for (uint32_t i = 0; i < kBytes; i += 4) {
    const uint32_t word = plausible ? plausible_word(random) : static_cast<uint32_t>(random());
    std::memcpy(&m.bus.ram[i], &word, 4);
  }
  State& state = m.engine.state();
  for (size_t i = 1; i < 32; ++i) state.r[i] = static_cast<uint32_t>(random()) % (2 * kBytes);
  state.msr |= static_cast<uint32_t>(random()) &
               (msr::kEe | msr::kIe | msr::kVm | msr::kUm | msr::kIce | msr::kDce);
  m.engine.state_changed();
  state.pc = (static_cast<uint32_t>(random()) % kBytes) & ~3u;
  for (int i = 0; i < 200; ++i) {
    m.engine.set_interrupt((random() & 3) == 0);
    const Engine::Run run = (random() & 7) == 0 ? m.engine.step() : m.engine.run(100);
    ASSERT_LT(run.cycles, 1000000u) << gvp::test::text_of_seed(seed);
    if (run.exit == Engine::Exit::kSelfBranch || run.exit == Engine::Exit::kStalled)
      state.pc = (static_cast<uint32_t>(random()) % kBytes) & ~3u;
    if (run.exit == Engine::Exit::kError) {
      ASSERT_FALSE(m.engine.error().empty());
      break;
    }
    ASSERT_EQ(state.r[0], 0u) << gvp::test::text_of_seed(seed);
  }
}

TEST(RandomCodeTest, RandomWordsNeverCrash) {
  Log::configure("off");
  const uint32_t first = gvp::test::seed(1);
  for (uint32_t seed = first; seed != first + 300; ++seed) run_random_program(seed, false);
}

TEST(RandomCodeTest, RandomInstructionsNeverCrash) {
  Log::configure("off");
  const uint32_t first = gvp::test::seed(1);
  for (uint32_t seed = first; seed != first + 1000; ++seed) run_random_program(seed, true);
}

// Stepping, short runs and long runs are three ways through the same program.
TEST(RandomCodeTest, SteppingAndRunningGiveTheSameResult) {
  Log::configure("off");
  const uint32_t first = gvp::test::seed(1);
  for (uint32_t seed = first; seed != first + 300; ++seed) {
    std::mt19937 random(seed);
    constexpr uint32_t kBytes = 16384;
    Machine stepped(Configuration{}, kBytes);
    Machine ran(Configuration{}, kBytes);
    for (uint32_t i = 0; i < kBytes; i += 4) {
      const uint32_t word = plausible_word(random);
      std::memcpy(&stepped.bus.ram[i], &word, 4);
    }
    ran.bus.ram = stepped.bus.ram;
    for (size_t i = 1; i < 32; ++i)
      stepped.r(i) = ran.r(i) = static_cast<uint32_t>(random()) % (2 * kBytes);
    uint64_t instructions = 0;
    uint64_t total = 0;
    Engine::Run run;
    for (int i = 0; i < 20 && run.exit == Engine::Exit::kLimit; ++i) {
      run = ran.engine.run(50);
      total += run.instructions;
      Engine::Run step;
      while (instructions < total && step.exit == Engine::Exit::kLimit) {
        step = stepped.engine.step();
        instructions += step.instructions;
      }
      if (run.exit != Engine::Exit::kLimit || instructions != total) break;
      ASSERT_EQ(stepped.engine.state().pc, ran.engine.state().pc) << gvp::test::text_of_seed(seed);
      ASSERT_EQ(stepped.engine.state().full_msr(), ran.engine.state().full_msr())
          << gvp::test::text_of_seed(seed);
      for (size_t r = 0; r < 32; ++r)
        ASSERT_EQ(stepped.r(r), ran.r(r)) << gvp::test::text_of_seed(seed);
      ASSERT_EQ(stepped.bus.ram, ran.bus.ram) << gvp::test::text_of_seed(seed);
    }
  }
}

// Arithmetic, loads and stores in a data area, and branches ahead: a program that neither changes
// its code nor its mode.  r20 points at the data.
std::vector<uint32_t> tame_program(std::mt19937& random, uint32_t data_bytes) {
  static constexpr const char* kMemory[] = {"lbui", "lhui", "lwi", "sbi", "shi", "swi"};
  static constexpr const char* kArithmetic[] = {"addk", "rsubk", "xor", "mul", "cmp", "add", "srl"};
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const auto reg = [&] { return "r" + std::to_string(1 + below(19)); };
  std::vector<uint32_t> words;
  while (words.size() < 300) {
    const uint32_t kind = below(10);
    if (kind < 5) {
      const uint32_t op = below(6);
      const uint32_t offset = below(data_bytes) & ~((1u << op % 3) - 1);
      words.push_back(
          assemble(std::string(kMemory[op]) + " " + reg() + ", r20, " + std::to_string(offset)));
    } else if (kind < 7) {
      const bool slot = below(2) == 0;
      words.push_back(assemble(std::string(slot ? "bgtid " : "bneid ") + reg() + ", " +
                               std::to_string(8 + 4 * below(12))));
      words.push_back(assemble("addik " + reg() + ", " + reg() + ", " + std::to_string(below(99))));
    } else if (kind == 7) {
      words.push_back(assemble("imm " + std::to_string(below(65536))));
      words.push_back(assemble("addik " + reg() + ", " + reg() + ", 77"));
    } else {
      const std::string op = kArithmetic[below(7)];
      words.push_back(
          assemble(op + " " + reg() + ", " + reg() + (op == "srl" ? "" : ", " + reg())));
    }
  }
  words.insert(words.end(), 16, assemble("nop"));  // where the last branches lead
  words.push_back(assemble("bri 0"));
  return words;
}

// Alone on the bus, a program cannot tell whether there are caches: whatever their shape.
TEST(RandomCodeTest, CachesDoNotChangeResults) {
  Log::configure("off");
  constexpr uint32_t kBytes = 65536;
  constexpr uint32_t kData = 0x8000;
  constexpr uint32_t kDataBytes = 4096;
  const uint32_t first = gvp::test::seed(1);
  for (uint32_t seed = first; seed != first + 200; ++seed) {
    std::mt19937 random(seed);
    Configuration without = Machine::everything();
    without.big_endian = (seed & 1) != 0;
    Configuration with = without;
    with.lmb_size = 0;
    with.use_icache = with.use_dcache = true;
    with.cache_model = "contents";
    with.icache_baseaddr = with.dcache_baseaddr = 0;
    with.icache_highaddr = with.dcache_highaddr = kBytes - 1;
    with.cache_byte_size = 64u << random() % 6;
    with.dcache_byte_size = 64u << random() % 6;
    with.icache_line_len = 4u << random() % 3;
    with.dcache_line_len = 4u << random() % 3;
    with.dcache_use_writeback = random() % 2 == 0;
    Machine plain(without, kBytes);
    Machine cached(with, kBytes);
    cached.bus.allow_direct = random() % 2 == 0;
    uint32_t at = Machine::kCode;
    for (const uint32_t word : tame_program(random, kDataBytes)) {
      plain.poke(at, word);
      at += 4;
    }
    for (uint32_t i = 0; i < kDataBytes; ++i)
      plain.bus.ram[kData + i] = static_cast<uint8_t>(random());
    cached.bus.ram = plain.bus.ram;
    for (size_t i = 1; i < 20; ++i) plain.r(i) = cached.r(i) = static_cast<uint32_t>(random());
    plain.r(20) = cached.r(20) = kData;
    cached.engine.state().msr |= msr::kIce | msr::kDce;
    cached.engine.state_changed();
    for (int round = 0; round < 4; ++round) {
      plain.engine.state().pc = cached.engine.state().pc = Machine::kCode;
      ASSERT_EQ(plain.run().exit, Engine::Exit::kSelfBranch) << gvp::test::text_of_seed(seed);
      const Engine::Exit exit = round % 2 == 0 ? cached.run().exit : [&] {
        Engine::Run run;
        while (run.exit == Engine::Exit::kLimit) run = cached.engine.step();
        return run.exit;
      }();
      ASSERT_EQ(exit, Engine::Exit::kSelfBranch) << gvp::test::text_of_seed(seed);
      for (size_t r = 0; r < 32; ++r)
        ASSERT_EQ(plain.r(r), cached.r(r)) << gvp::test::text_of_seed(seed);
      std::vector<uint8_t> seen = cached.bus.ram;
      const CacheController& caches = cached.engine.memory().caches();
      caches.overlay(Port::kData, 0, seen.data(), seen.size());
      ASSERT_EQ(plain.bus.ram, seen) << gvp::test::text_of_seed(seed);
      EXPECT_GT(caches.data_counters().misses, 0u);
      EXPECT_GT(caches.instruction_counters().misses, 0u);
    }
  }
}

// A block of nothing but prefixes must take time, or the run would never end.
TEST(RandomCodeTest, ALongRunOfPrefixesEnds) {
  std::string program;
  for (int i = 0; i < 300; ++i) program += "imm " + std::to_string(i) + "\n";
  Machine m;
  m.execute(program + "addik r3, r0, 1");
  EXPECT_EQ(m.r(3), (299u << 16) + 1);
  EXPECT_EQ(m.engine.state().pc, Machine::kCode + 301 * 4);
}

// Dead blocks are freed after a while: nothing may lead to them then.
TEST(RandomCodeTest, FreedBlocksAreForgotten) {
  Machine m;
  m.load("addik r3, r3, 1\nrtsd r15, 0\nnop");
  for (uint32_t i = 0; i < 10000; ++i) {
    m.r(15) = Machine::kCode + 12;
    m.engine.state().pc = Machine::kCode;
    m.run(50);
    m.engine.invalidate_code(Machine::kCode, Machine::kCode + 3);
  }
  EXPECT_EQ(m.r(3), 10000u);
}

// A branch at the end of a region, of a page, of memory, with its slot behind it.
TEST(RandomCodeTest, BranchesAtBoundariesTakeTheirCycles) {
  uint64_t expected = 0;
  for (const uint32_t start : {0x1100u, 0x13f8u, 0x1ff8u}) {
    Machine m;
    m.load("addik r3, r3, -1\nbneid r3, -4\naddik r4, r4, 1", start);
    m.r(3) = 100;
    m.engine.state().pc = start;
    const Engine::Run run = m.run();
    EXPECT_EQ(m.r(4), 100u);
    if (expected == 0) expected = run.cycles;
    EXPECT_EQ(run.cycles, expected) << std::hex << start;
  }
}

// Code is forgotten when either of the two pages changes that it stands in.
TEST(RandomCodeTest, CodeAcrossAPageBoundaryFollowsChangesInBothPages) {
  for (const uint32_t changed : {0x1ffcu, 0x2000u}) {
    Machine m;
    m.load("addik r3, r3, 1\naddik r3, r3, 1", 0x1ffc);
    for (int round = 0; round < 2; ++round) {
      m.engine.state().pc = 0x1ffc;
      m.run();
    }
    EXPECT_EQ(m.r(3), 4u);
    m.r(5) = assemble("addik r3, r3, 16");
    m.r(6) = changed;
    m.execute("swi r5, r6, 0");
    m.engine.state().pc = 0x1ffc;
    m.run();
    EXPECT_EQ(m.r(3), 4u + 17);
  }
}

}  // namespace
}  // namespace gvp::host::test
