// SPDX-License-Identifier: Apache-2.0
// No guest program, however broken, crashes or hangs the simulator: random memory executed as code,
// in all configurations, with interrupts and mode changes.  Worth most under the sanitizers.
#include <gtest/gtest.h>

#include <random>

#include "models/base/log.h"
#include "tests/models/host/machine.h"

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
  state.msr |= static_cast<uint32_t>(random()) & (msr::kEe | msr::kIe | msr::kVm | msr::kUm);
  m.engine.state_changed();
  state.pc = (static_cast<uint32_t>(random()) % kBytes) & ~3u;
  for (int i = 0; i < 200; ++i) {
    m.engine.set_interrupt((random() & 3) == 0);
    const Engine::Run run = (random() & 7) == 0 ? m.engine.step() : m.engine.run(100);
    ASSERT_LT(run.cycles, 1000000u) << "seed " << seed;
    if (run.exit == Engine::Exit::kSelfBranch || run.exit == Engine::Exit::kStalled)
      state.pc = (static_cast<uint32_t>(random()) % kBytes) & ~3u;
    if (run.exit == Engine::Exit::kError) {
      ASSERT_FALSE(m.engine.error().empty());
      break;
    }
    ASSERT_EQ(state.r[0], 0u) << "seed " << seed;
  }
}

TEST(RandomCodeTest, RandomWordsNeverCrash) {
  Log::configure("off");
  for (unsigned seed = 1; seed <= 300; ++seed) run_random_program(seed, false);
}

TEST(RandomCodeTest, RandomInstructionsNeverCrash) {
  Log::configure("off");
  for (unsigned seed = 1; seed <= 1000; ++seed) run_random_program(seed, true);
}

// Stepping, short runs and long runs are three ways through the same program.
TEST(RandomCodeTest, SteppingAndRunningGiveTheSameResult) {
  Log::configure("off");
  for (unsigned seed = 1; seed <= 300; ++seed) {
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
      ASSERT_EQ(stepped.engine.state().pc, ran.engine.state().pc) << "seed " << seed;
      ASSERT_EQ(stepped.engine.state().full_msr(), ran.engine.state().full_msr())
          << "seed " << seed;
      for (size_t r = 0; r < 32; ++r) ASSERT_EQ(stepped.r(r), ran.r(r)) << "seed " << seed;
      ASSERT_EQ(stepped.bus.ram, ran.bus.ram) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gvp::host::test
