// SPDX-License-Identifier: Apache-2.0
// Atomic operations, locks of shared memory and votes, against what the CUDA programming guide
// (appendix on atomic functions) says of each, in 64-bit arithmetic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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
                                 "VOTE.ALL C1 (C0.NE);", "G2R.LOCK.C1 R1, s[0x10];"};
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

// They do not look at the bit that unlocks.
TEST_F(AtomicTest, DevicesWithoutExtensionsStoreWhereOthersUnlock) {
  warp.machine.device_extensions = false;
  warp.fill(1, 77);
  EXPECT_EQ(warp.execute("R2G.UNLOCK s[0x10], R1;").stop, Stop::kNone);
  EXPECT_EQ(warp.shared[0x10], 77);
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
  EXPECT_EQ(encode(assemble_instruction("G2R.LOCK.C1 R1, s[A1+0x10];")),
            (Words{0x14000001u | 4u << 9 | 1u << 2, 0x4480c050 | kAlways}));
  EXPECT_EQ(encode(assemble_instruction("R2G.UNLOCK s[A1+0x10], R3;")),
            (Words{0x04000001u | 4u << 9, 0xe4a00000 | 3u << 14 | kAlways}));
  EXPECT_EQ(encode(assemble_instruction("VOTE.ANY C1 (C2.LT);")),
            (Words{0x10000201, 0x60000010 | 2u << 12 | 1u << 7}));
  EXPECT_EQ(encode(assemble_instruction("VOTE.ALL C3 (C0.NE);")),
            (Words{0x10000401, 0x60000030 | 5u << 7}));
}

// The first lane that wants a word gets it, each time, as none leaves here.
TEST_F(AtomicTest, OfLanesThatWantOneWordOneAtATimeGetsIt) {
  SCOPED_TRACE(test::text_of_seed(test::seed(1)));
  for (unsigned n = 0; n < 20; ++n) {
    const uint32_t places = n % 3 == 0 ? 1 : n % 3 == 1 ? 32 : 5;
    std::map<uint32_t, std::vector<unsigned>> lanes_of;
    const auto active = n % 4 == 0 ? ~0u : static_cast<uint32_t>(random());
    warp.start(active);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t address = 256 + 4 * static_cast<uint32_t>(random() % places);
      warp.r(2)[lane] = address;
      warp.r(3)[lane] = lane;
      if ((active >> lane & 1) != 0) lanes_of[address].push_back(lane);
    }
    for (const auto& [address, lanes] : lanes_of) {
      const uint32_t word = 100;
      std::memcpy(&warp.shared[address], &word, 4);
    }
    warp.execute("R2A A1, R2, 0x0;");
    for (unsigned turn = 0; turn < 3; ++turn) {
      warp.fill(1, 0x12345678);
      ASSERT_EQ(warp.execute("G2R.LOCK.C1 R1, s[A1];").stop, Stop::kNone);
      for (const auto& [address, lanes] : lanes_of)
        for (size_t i = 0; i < lanes.size(); ++i) {
          const unsigned lane = lanes[i];
          EXPECT_EQ(warp.flags(1, lane), i == 0 ? 2u : 1u) << lane;
          EXPECT_EQ(warp.r(1)[lane], turn == 0 ? 100u : lanes[0]);
        }
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((active >> lane & 1) == 0) {
          EXPECT_EQ(warp.r(1)[lane], 0x12345678u);
        }
      // Nobody gets a word that is locked, and without a lock there is nothing to unlock.
      const ConditionRegister outcome = warp.warp.condition[1];
      warp.execute("G2R.LOCK.C2 R4, s[A1];");
      EXPECT_EQ(~warp.warp.condition[2].zero & active, 0u);
      warp.warp.condition[1] = outcome;
      ASSERT_EQ(warp.execute("R2G.UNLOCK s[A1] (C1.NE), R3;").stop, Stop::kNone);
      for (const auto& [address, lanes] : lanes_of) {
        uint32_t word;
        std::memcpy(&word, &warp.shared[address], 4);
        EXPECT_EQ(word, lanes[0]);
      }
    }
    EXPECT_EQ(std::count(warp.locks.begin(), warp.locks.end(), 1), 0);
  }
}

TEST_F(AtomicTest, LocksThatFaultTakeNoEffect) {
  warp.fill(2, 256);
  warp.r(2)[7] = OneWarp::kSharedBytes;
  warp.execute("R2A A1, R2, 0x0;");
  EXPECT_EQ(warp.execute("G2R.LOCK.C1 R1, s[A1];").stop, Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kSharedOutOfRange);
  EXPECT_EQ(warp.warp.fault.lane, 7);
  EXPECT_EQ(warp.locks[256 / 4], 0);
  warp.start();
  warp.fill(2, 256);
  warp.r(2)[7] = OneWarp::kSharedBytes;
  warp.fill(3, 5);
  warp.locks[256 / 4] = 1;
  warp.execute("R2A A1, R2, 0x0;");
  EXPECT_EQ(warp.execute("R2G.UNLOCK s[A1], R3;").stop, Stop::kFault);
  EXPECT_EQ(warp.locks[256 / 4], 1);
  EXPECT_EQ(warp.shared[256], 0);
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
