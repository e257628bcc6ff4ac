// SPDX-License-Identifier: Apache-2.0
// Memory full of anything as code: a kernel may fault or go on, but never harm the simulator.
// What it can harm shows in the sanitizer build.
#include <gtest/gtest.h>

#include <random>

#include "models/gpgpu/g80/decoder.h"
#include "tests/models/gpgpu/g80/one_warp.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kRegisters = 8;

constexpr size_t kInstructions = 64;  // of 8 bytes

// Random words that decode, mostly; branches mostly stay inside the code.
Words likely_words(std::mt19937& random) {
  for (;;) {
    const Words words{static_cast<uint32_t>(random()) | 1u, static_cast<uint32_t>(random())};
    if (random() % 64 == 0) return words;
    Decoded decoded = decode(words);
    if (!decoded.executable()) continue;
    Instruction& instruction = decoded.instruction;
    const bool ends = instruction.operation == Operation::kReturn ||
                      instruction.operation == Operation::kTrap ||
                      instruction.marker == Marker::kExit;
    if (ends && random() % 8 != 0) continue;
    if (!has_target(instruction.operation) || random() % 16 == 0) return words;
    instruction.target = static_cast<uint32_t>(random() % kInstructions) * 8;
    return encode(instruction);
  }
}

class RandomCode {
 public:
  explicit RandomCode(unsigned seed) : random_(seed), warp_(kRegisters) {}

  // True if the program was executed for a while rather than faulting at once.
  bool execute_one() {
    std::vector<uint32_t> code;
    for (size_t i = 0; i < kInstructions; ++i)
      for (const uint32_t word : likely_words(random_)) code.push_back(word);
    warp_.start(static_cast<simt::Mask>(random_()) | 1u);
    for (unsigned number = 0; number < kRegisters; ++number)
      for (unsigned lane = 0; lane < 32; ++lane)
        warp_.r(number)[lane] = static_cast<uint32_t>(random_()) & (number % 2 == 0 ? 0xff0u : ~0u);
    const Program program(code.data(), code.size(), kRegisters, warp_.machine);
    RunCounters counters;
    std::vector<OpCounts> by_op(program.ops().size());
    for (int turn = 0; turn < 8; ++turn) {
      const Stop stop = run(warp_.machine, program, warp_.warp, 200, counters, by_op.data());
      if (stop == Stop::kFault) {
        EXPECT_NE(warp_.warp.fault.cause, FaultCause::kNone);
        EXPECT_LT(warp_.warp.fault.lane, 32u);
      }
      if (stop == Stop::kFault || stop == Stop::kFinished) break;
      EXPECT_NE(warp_.warp.flow.active, 0u);
    }
    return counters.warp_instructions > 4;
  }

 private:
  std::mt19937 random_;
  OneWarp warp_;
};

TEST(RandomCodeTest, NoWordsHarmTheSimulator) {
  const uint32_t seed = test::seed(20);
  SCOPED_TRACE(test::text_of_seed(seed));
  RandomCode code(seed);
  int executed = 0;
  for (int i = 0; i < 3000; ++i) executed += code.execute_one();
  EXPECT_GT(executed, 300) << "most programs are not worth executing: the generator is too wild";
}

// Each operation with random fields, once, on random registers: more kinds than whole programs
// reach before they fault.
TEST(RandomCodeTest, NoSingleInstructionHarmsTheSimulator) {
  const uint32_t seed = test::seed(21);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  OneWarp warp(kRegisters);
  std::array<unsigned, kOperationCount> seen{};
  for (int i = 0; i < 200000; ++i) {
    const Words words{static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
    const Decoded decoded = decode(words);
    if (!decoded.executable()) continue;
    ++seen[static_cast<unsigned>(decoded.instruction.operation)];
    warp.start();
    for (unsigned lane = 0; lane < 32; ++lane) {
      warp.r(random() % kRegisters)[lane] = static_cast<uint32_t>(random());
      warp.set_flags(random() % 4, lane, random() % 16);
    }
    const Program program(words.data(), 2, kRegisters, warp.machine);
    const Step done = step(warp.machine, program, warp.warp);
    EXPECT_EQ(done.stop == Stop::kFault, warp.warp.fault.cause != FaultCause::kNone);
  }
  for (unsigned operation = 1; operation < kOperationCount; ++operation)
    EXPECT_GT(seen[operation], 0u) << "operation " << operation << " was never drawn";
}

}  // namespace
}  // namespace gvp::gpgpu::g80
