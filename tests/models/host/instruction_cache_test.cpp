// SPDX-License-Identifier: Apache-2.0
// The instruction cache as programs see it: what wic does, what a fetch costs (UG984 chapter 2 and
// the page of wic).
#include "tests/models/host/cache_machine.h"

namespace gvp::host::test {
namespace {

class InstructionCacheTest : public CacheTest {
 protected:
  InstructionCacheTest() {
    m.load("addik r3, r3, 1\n rtsd r15, 8\n nop", 0x2000);
    set(msr::kIce);
    clear(msr::kDce);
  }
  // Calls 0x2000; the caller is not in the same line of the cache.
  void call() {
    m.load("brlid r15, 0xfe0\n nop", 0x1020);
    see(0x1020);
    m.engine.state().pc = 0x1020;
    m.run();
  }
  // Lets the processor see what load() wrote.
  void see(uint32_t address) {
    for (uint32_t at = address; at < address + 32; at += 4)
      m.engine.memory().caches().invalidate_instruction_line(at);
  }
  void other_master_writes_code(const char* text) {
    for (const uint32_t word : assemble_program(text)) other_master_writes(0x2000, word);
  }
};

TEST_F(InstructionCacheTest, ChangedCodeRunsOnlyAfterWic) {
  call();
  EXPECT_EQ(m.r(3), 1u);
  other_master_writes_code("addik r3, r3, 100");
  call();
  EXPECT_EQ(m.r(3), 2u) << "the old instruction";
  m.r(20) = 0x2008;
  m.load("wic r20, r0", 0x1040);
  m.engine.state().pc = 0x1040;
  m.run();
  call();
  EXPECT_EQ(m.r(3), 102u);
}

TEST_F(InstructionCacheTest, TheProcessorsOwnStoresDoNotChangeItEither) {
  call();
  m.r(20) = 0x2000;
  m.r(21) = assemble("addik r3, r3, 100");
  m.load("swi r21, r20, 0\n mbar 2", 0x1040);
  m.engine.state().pc = 0x1040;
  m.run();
  call();
  EXPECT_EQ(m.r(3), 2u);
}

TEST_F(InstructionCacheTest, ALineThatGivesWayIsReadAnew) {
  call();
  other_master_writes_code("addik r3, r3, 100");
  m.load("nop", 0x2000 + kCache);
  m.engine.state().pc = 0x2000 + kCache;
  m.run();
  call();
  EXPECT_EQ(m.r(3), 101u);
}

TEST_F(InstructionCacheTest, OffItIsBypassedAndKeepsItsContents) {
  call();
  other_master_writes_code("addik r3, r3, 100");
  clear(msr::kIce);
  call();
  EXPECT_EQ(m.r(3), 101u);
  set(msr::kIce);
  call();
  EXPECT_EQ(m.r(3), 102u);
}

TEST_F(InstructionCacheTest, ABlockMayEndBehindItsLine) {
  // The branch is its line's last word; the imm before it is another line's.
  m.load("nop\n nop\n nop\n imm 0x1234\n addik r4, r0, 0x5678\n nop\n nop\n bri 12", 0x3000);
  m.load("addik r5, r0, 7\n bri 0", 0x3028);
  m.engine.state().pc = 0x3000;
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(4), 0x12345678u);
  EXPECT_EQ(m.r(5), 7u);
}

TEST_F(InstructionCacheTest, FetchesAreCountedByTheWord) {
  m.load("addik r4, r0, 3\n addik r4, r4, -1\n bneid r4, -4\n nop", 0x3000);
  m.engine.state().pc = 0x3000;
  const Cache::Counters before = m.engine.memory().caches().instruction_counters();
  m.run();
  const Cache::Counters after = m.engine.memory().caches().instruction_counters();
  EXPECT_EQ(after.misses - before.misses, 2u);
  EXPECT_EQ(after.hits - before.hits, 1 + 3 * 3 + 1 - 2u);
}

TEST_F(InstructionCacheTest, NoLineIsReadBeforeItIsNeeded) {
  m.load("nop\n nop\n nop\n bnei r0, 8\n nop\n nop\n nop", 0x3000);
  m.engine.state().pc = 0x3000;
  const Cache::Counters before = m.engine.memory().caches().instruction_counters();
  m.run(1);  // up to the end of the first line
  EXPECT_EQ(m.engine.state().pc, 0x3010u);
  EXPECT_EQ(m.engine.memory().caches().instruction_counters().misses - before.misses, 1u);
}

TEST(CacheConfigurationTest, ACacheThatAlwaysHitsKeepsNoCode) {
  Configuration configuration = cached();
  configuration.cache_model = "always-hit";
  Machine m(configuration);
  m.engine.state().msr |= msr::kIce;
  m.engine.state_changed();
  m.execute("addik r3, r3, 1\n nop");
  m.execute("addik r3, r3, 100\n nop");
  EXPECT_EQ(m.r(3), 101u);
  EXPECT_EQ(m.engine.memory().caches().instruction_counters().misses, 0u);
}

TEST_F(InstructionCacheTest, AMissCostsOneBurst) {
  m.load("nop\n nop\n nop\n nop\n nop\n nop\n nop", 0x3000);
  m.engine.state().pc = 0x3000;
  const uint64_t cold = m.run().cycles;
  m.engine.state().pc = 0x3000;
  EXPECT_EQ(cold, m.run().cycles + 20);
}

TEST_F(InstructionCacheTest, DirtyDataIsNotFetched) {
  // With a write-back data cache, new code needs wdc.flush as well as wic.
  Machine w(cached(true));
  w.load("addik r3, r0, 1\n rtsd r15, 8\n nop", 0x2000);
  w.r(20) = 0x2000;
  w.r(21) = assemble("addik r3, r0, 2");
  w.load(
      "msrset r0, 0xa0\n swi r21, r20, 0\n wic r20, r0\n brlid r15, 0xff4\n nop\n"
      "addk r4, r3, r0\n wdc.flush r20, r0\n wic r20, r0\n brlid r15, 0xfe0\n nop");
  w.engine.state().pc = Machine::kCode;
  w.run();
  EXPECT_EQ(w.r(4), 1u);
  EXPECT_EQ(w.r(3), 2u);
}

TEST_F(CacheTest, AFetchThatFailsThroughTheCacheReadsZeros) {
  Configuration configuration = cached();
  configuration.icache_baseaddr = 0x40000000;
  configuration.icache_highaddr = 0x40000fff;
  Machine n(configuration);
  n.load("bri 0", 0x20);
  n.engine.state().msr |= msr::kIce | msr::kEe;
  n.engine.state_changed();
  n.engine.state().pc = 0x40000000;
  n.run();
  EXPECT_EQ(n.engine.state().esr, static_cast<uint32_t>(Cause::kIllegalOpcode)) << "the word 0";
}

}  // namespace
}  // namespace gvp::host::test
