// SPDX-License-Identifier: Apache-2.0
// Atomic operations and votes, against what the CUDA programming guide (appendix on atomic
// functions) says of each, in 64-bit arithmetic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "tests/models/gpgpu/g80/one_warp.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

using Function = std::function<int64_t(int64_t old, int64_t value)>;

struct Atomic {
  const char* name;
  unsigned code;  // w1[5:2]
  bool is_signed;
  bool reduces;  // also without a result
  Function function;
};

const std::vector<Atomic>& atomics() {
  const Function add = [](int64_t old, int64_t v) { return old + v; };
  const Function max = [](int64_t old, int64_t v) { return old > v ? old : v; };
  const Function min = [](int64_t old, int64_t v) { return old > v ? v : old; };
  static const std::vector<Atomic> all = {
      {"IADD", 0, false, true, add},
      {"IADD", 0, true, true, add},
      {"EXCH", 1, false, false, [](int64_t, int64_t v) { return v; }},
      {"INC", 4, false, true, [](int64_t old, int64_t v) { return old >= v ? 0 : old + 1; }},
      {"DEC", 5, false, true,
       [](int64_t old, int64_t v) { return old == 0 || old > v ? v : old - 1; }},
      {"IMAX", 6, false, true, max},
      {"IMAX", 6, true, true, max},
      {"IMIN", 7, false, true, min},
      {"IMIN", 7, true, true, min},
      {"AND", 10, false, true, [](int64_t old, int64_t v) { return old & v; }},
      {"OR", 11, false, true, [](int64_t old, int64_t v) { return old | v; }},
      {"XOR", 12, false, true, [](int64_t old, int64_t v) { return old ^ v; }}};
  return all;
}

int64_t widened(uint32_t word, bool is_signed) {
  return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
}

std::string text_of(const Atomic& atomic, bool returns) {
  return fmt::format("{}.{}{} {}global14[R2], R3;", returns ? "GATOM" : "GRED", atomic.name,
                     atomic.is_signed ? ".S32" : "", returns ? "R1, " : "");
}

class AtomicTest : public testing::Test {
 protected:
  AtomicTest() { warp.machine.device_extensions = true; }

  // Numbers that are often alike and often at the ends.
  uint32_t number() {
    constexpr uint32_t kEnds[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, ~0u};
    return random() % 3 == 0 ? static_cast<uint32_t>(random()) : kEnds[random() % 8];
  }
  uint32_t word_at(uint32_t address) { return warp.global_word(address); }

  std::mt19937 random{test::seed(1)};
  OneWarp warp;
};

TEST_F(AtomicTest, EachDoesWhatTheGuideSaysLaneAfterLane) {
  SCOPED_TRACE(test::text_of_seed(test::seed(1)));
  for (const Atomic& atomic : atomics())
    for (unsigned n = 0; n < 20; ++n) {
      // One address for all, one each, or a few.
      const uint32_t places = n % 3 == 0 ? 1 : n % 3 == 1 ? 32 : 5;
      std::map<uint32_t, uint32_t> expected;
      for (uint32_t place = 0; place < places; ++place) {
        const uint32_t word = number();
        std::memcpy(&warp.global[512 + 4 * place], &word, 4);
        expected[512 + 4 * place] = word;
      }
      const auto lanes = n % 4 == 0 ? ~0u : static_cast<uint32_t>(random());
      for (unsigned lane = 0; lane < 32; ++lane) {
        warp.r(1)[lane] = 0x12345678;
        warp.r(2)[lane] = 512 + 4 * static_cast<uint32_t>(random() % places);
        warp.r(3)[lane] = number();
        warp.set_flags(0, lane, lanes >> lane & 1);
      }
      const bool returns = !atomic.reduces || n % 2 == 0;
      std::string text = text_of(atomic, returns);
      text.insert(text.find(returns ? "," : "]") + (returns ? 0 : 1), " (C0.EQ)");
      ASSERT_EQ(warp.execute(text).stop, Stop::kNone) << text;
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1) == 0) {
          EXPECT_EQ(warp.r(1)[lane], 0x12345678u);
          continue;
        }
        uint32_t& word = expected[warp.r(2)[lane]];
        if (returns) {
          EXPECT_EQ(warp.r(1)[lane], word) << text << " lane " << lane;
        }
        word = static_cast<uint32_t>(atomic.function(widened(word, atomic.is_signed),
                                                     widened(warp.r(3)[lane], atomic.is_signed)));
      }
      for (const auto& [address, word] : expected) EXPECT_EQ(word_at(address), word) << text;
    }
}

TEST_F(AtomicTest, CompareAndSwapLetsOneOfAllLanesThrough) {
  const uint32_t free = 7;
  std::memcpy(&warp.global[1024], &free, 4);
  for (unsigned lane = 0; lane < 32; ++lane) {
    warp.r(2)[lane] = 1024;
    warp.r(3)[lane] = lane < 5 ? 8 : 7;  // lane 5 is the first that compares with what is there
    warp.r(4)[lane] = 100 + lane;
  }
  ASSERT_EQ(warp.execute("GATOM.CAS R1, global14[R2], R3, R4;").stop, Stop::kNone);
  EXPECT_EQ(word_at(1024), 105u);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.r(1)[lane], lane <= 5 ? 7u : 105u);
}

TEST_F(AtomicTest, ResultsMayGoWhereOperandsCameFrom) {
  for (const char* text :
       {"GATOM.IADD R2, global14[R2], R3;", "GATOM.IADD R3, global14[R2], R3;"}) {
    std::memset(warp.global.data(), 0, OneWarp::kGlobalBytes);
    for (unsigned lane = 0; lane < 32; ++lane) {
      warp.r(2)[lane] = 256;
      warp.r(3)[lane] = 1;
    }
    warp.execute(text);
    EXPECT_EQ(word_at(256), 32u) << text;
  }
}

TEST_F(AtomicTest, FaultsComeBeforeAnyEffect) {
  warp.fill(3, 1);
  warp.fill(2, 512);
  warp.r(2)[9] = OneWarp::kGlobalBytes;
  EXPECT_EQ(warp.execute("GRED.IADD global14[R2], R3;").stop, Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kGlobalOutOfRange);
  EXPECT_EQ(warp.warp.fault.address, OneWarp::kGlobalBytes);
  EXPECT_EQ(warp.warp.fault.lane, 9);
  EXPECT_EQ(word_at(512), 0u);
  warp.start();
  warp.fill(3, 1);
  warp.fill(2, 512);
  warp.r(2)[4] = 514;
  EXPECT_EQ(warp.execute("GATOM.IADD R1, global14[R2], R3;").stop, Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kMisaligned);
  EXPECT_EQ(word_at(512), 0u);
}

TEST_F(AtomicTest, DevicesWithoutExtensionsCallThemIllegal) {
  warp.machine.device_extensions = false;
  std::vector<std::string> texts{"GATOM.CAS R1, global14[R2], R3, R4;", "VOTE.ANY C1 (C0.NE);",
                                 "VOTE.ALL C1 (C0.NE);"};
  for (const Atomic& atomic : atomics()) {
    texts.push_back(text_of(atomic, true));
    if (atomic.reduces) texts.push_back(text_of(atomic, false));
  }
  for (const std::string& text : texts) {
    warp.start();
    EXPECT_EQ(warp.execute(text).stop, Stop::kFault) << text;
    EXPECT_EQ(warp.warp.fault.cause, FaultCause::kIllegalInstruction) << text;
  }
}

// Fields as envydis has them.
TEST_F(AtomicTest, WordsAreThoseOfTheEncodings) {
  constexpr uint32_t kAddress = 2 << 9, kAlways = 0xf << 7;
  for (const Atomic& atomic : atomics()) {
    const uint32_t type = (atomic.is_signed ? 7u : 6u) << 21;
    const uint32_t second = type | atomic.code << 2 | kAlways;
    const Words returning = {0xd0000001u | 14u << 23 | 3u << 16 | kAddress | 1u << 2,
                             7u << 29 | second};
    EXPECT_EQ(encode(assemble_instruction(text_of(atomic, true))), returning) << atomic.name;
    if (!atomic.reduces) continue;
    const Words reducing = {0xd0000001u | 14u << 16 | kAddress | 3u << 2, 6u << 29 | second};
    EXPECT_EQ(encode(assemble_instruction(text_of(atomic, false))), reducing) << atomic.name;
  }
  EXPECT_EQ(encode(assemble_instruction("GATOM.CAS R1, global0[R2], R3, R4;")),
            (Words{0xd0030405, 0xe0c00008 | 4u << 14 | kAlways}));
  EXPECT_EQ(encode(assemble_instruction("VOTE.ANY C1 (C2.LT);")),
            (Words{0x10000201, 0x60000010 | 2u << 12 | 1u << 7}));
  EXPECT_EQ(encode(assemble_instruction("VOTE.ALL C3 (C0.NE);")),
            (Words{0x10000401, 0x60000030 | 5u << 7}));
}

TEST_F(AtomicTest, VotesCountTheActiveThreadsAlone) {
  SCOPED_TRACE(test::text_of_seed(test::seed(1)));
  for (unsigned n = 0; n < 200; ++n) {
    const simt::Mask active = n % 3 == 0 ? ~0u : static_cast<simt::Mask>(random()) | 1u << n % 32;
    const simt::Mask holds = n % 5 == 0   ? 0
                             : n % 5 == 1 ? active
                             : n % 5 == 2 ? ~active
                                          : static_cast<simt::Mask>(random());
    warp.start(active);
    for (unsigned lane = 0; lane < 32; ++lane) {
      warp.set_flags(2, lane, holds >> lane & 1 ? 0 : 1);  // C2.NE: zero is not set
      warp.set_flags(1, lane, 0xc);
    }
    const bool all = n % 2 == 0;
    warp.execute(fmt::format("VOTE.{} C1 (C2.NE);", all ? "ALL" : "ANY"));
    const bool expected = all ? (active & ~holds) == 0 : (active & holds) != 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(warp.flags(1, lane), (active >> lane & 1) == 0 ? 0xcu
                                     : expected                ? 2u
                                                               : 1u)
          << lane << " of " << active;
  }
}

}  // namespace
}  // namespace gvp::gpgpu::g80
