// SPDX-License-Identifier: Apache-2.0
// The data cache as programs and other bus masters see it: what is stale, what wdc does, what
// write-through and write-back write (UG984 chapter 2 and the page of wdc).
#include "tests/models/host/cache_machine.h"

namespace gvp::host::test {
namespace {

// ---- reading

TEST_F(CacheTest, ALoadFindsTheLineThatAnotherMasterHasMadeStale) {
  other_master_writes(0x2000, 1);
  EXPECT_EQ(load(0x2000), 1u);
  other_master_writes(0x2000, 2);
  other_master_writes(0x200c, 3);
  EXPECT_EQ(load(0x2000), 1u);
  EXPECT_EQ(load(0x200c), 0u) << "same line";
  other_master_writes(0x2010, 4);
  EXPECT_EQ(load(0x2010), 4u) << "next line";
  operate("wdc", 0x2004);
  EXPECT_EQ(load(0x2000), 2u);
  EXPECT_EQ(load(0x200c), 3u);
}

TEST_F(CacheTest, AddressesThatShareALineReplaceEachOther) {
  other_master_writes(0x2000, 1);
  load(0x2000);
  other_master_writes(0x2000, 2);
  load(0x2000 + kCache);
  EXPECT_EQ(load(0x2000), 2u);
}

TEST_F(CacheTest, AMissReadsOneBurstAndAHitCostsNothing) {
  load(0x3000);
  const unsigned bursts = m.bus.line_reads;
  m.r(20) = 0x2000;
  m.load("lwi r3, r20, 0\n lwi r4, r20, 4\n lbui r5, r20, 15\n lhui r6, r20, 8");
  m.engine.state().pc = Machine::kCode;
  const uint64_t with_miss = m.run().cycles;
  EXPECT_EQ(m.bus.line_reads, bursts + 1);
  m.engine.state().pc = Machine::kCode;
  const uint64_t hits = m.run().cycles;
  EXPECT_EQ(with_miss, hits + 10);
  EXPECT_EQ(m.bus.line_reads, bursts + 1);
  EXPECT_EQ(counters().misses, 2u);
  EXPECT_EQ(counters().hits, 7u);
}

TEST_F(CacheTest, OutsideTheCacheableRangeNothingIsCached) {
  other_master_writes(kUncached, 1);
  EXPECT_EQ(load(kUncached), 1u);
  other_master_writes(kUncached, 2);
  EXPECT_EQ(load(kUncached), 2u);
  EXPECT_EQ(counters().misses, 0u);
}

TEST_F(CacheTest, ACacheThatIsOffIsBypassedAndKeepsItsContents) {
  other_master_writes(0x2000, 1);
  load(0x2000);
  other_master_writes(0x2000, 2);
  m.execute("msrclr r0, 0x80");
  EXPECT_EQ(load(0x2000), 2u);
  store(0x2000, 3);
  EXPECT_EQ(memory(0x2000), 3u);
  m.execute("msrset r0, 0x80");
  EXPECT_EQ(load(0x2000), 1u);
}

TEST_F(CacheTest, OtherByteOrderAndSizesSeeTheSameLine) {
  other_master_writes(0x2000, 0x44332211);
  m.r(20) = 0x2000;
  m.execute("lbui r3, r20, 1\n lhui r4, r20, 2\n lwr r5, r20, r0\n lbur r6, r20, r0");
  EXPECT_EQ(m.r(3), 0x22u);
  EXPECT_EQ(m.r(4), 0x4433u);
  EXPECT_EQ(m.r(5), 0x11223344u);
  EXPECT_EQ(m.r(6), 0x44u);
}

// ---- write-through

TEST_F(CacheTest, WriteThroughStoresReachMemoryAndTheLineIfThereIsOne) {
  load(0x2000);
  store(0x2004, 5);
  EXPECT_EQ(memory(0x2004), 5u);
  other_master_writes(0x2004, 6);
  EXPECT_EQ(load(0x2004), 5u) << "a hit updates the line";
  store(0x3000, 7);
  other_master_writes(0x3000, 8);
  EXPECT_EQ(load(0x3000), 8u) << "a miss does not allocate";
}

TEST_F(CacheTest, EveryFormOfWdcInvalidatesAWriteThroughLineByRaAlone) {
  for (const char* form : {"wdc", "wdc.flush", "wdc.clear", "wdc.ext.flush", "wdc.ext.clear"}) {
    other_master_writes(0x2000, 1);
    operate("wdc", 0x2000);
    load(0x2000);
    other_master_writes(0x2000, 2);
    operate(form, 0x2000 + kCache, 0x40);
    EXPECT_EQ(load(0x2000), 2u) << form;
    EXPECT_EQ(memory(0x2000), 2u) << form;
  }
}

// ---- write-back

TEST_F(WriteBackTest, StoresStayInTheCacheUntilTheLineIsFlushed) {
  load(0x2000);
  store(0x2000, 5);
  store(0x2008, 6);
  EXPECT_EQ(memory(0x2000), 0u);
  EXPECT_EQ(load(0x2000), 5u);
  operate("wdc.flush", 0x2000, 4);
  EXPECT_EQ(memory(0x2000), 5u);
  EXPECT_EQ(memory(0x2008), 6u);
  EXPECT_EQ(counters().write_backs, 1u);
  EXPECT_EQ(m.bus.line_writes, 1u);
  other_master_writes(0x2000, 7);
  EXPECT_EQ(load(0x2000), 7u) << "flushing invalidates, too";
}

TEST_F(WriteBackTest, ADirtyLineIsWrittenWhenItGivesWay) {
  load(0x2000);
  store(0x2000, 5);
  load(0x2000 + kCache);
  EXPECT_EQ(memory(0x2000), 5u);
  store(0x2000 + kCache, 6);
  store(0x2000, 7);
  EXPECT_EQ(memory(0x2000 + kCache), 6u);
}

TEST_F(WriteBackTest, AWordStoreThatMissesReadsNothingAndIsWrittenBackAlone) {
  other_master_writes(0x2004, 2);
  store(0x2000, 5);
  EXPECT_EQ(m.bus.line_reads, 0u);
  other_master_writes(0x2004, 3);
  operate("wdc.flush", 0x2000);
  EXPECT_EQ(m.bus.line_writes, 0u) << "one valid word: a single write";
  EXPECT_EQ(memory(0x2000), 5u);
  EXPECT_EQ(memory(0x2004), 3u);
}

TEST_F(WriteBackTest, OnlyValidWordsOfALineAreWritten) {
  store(0x2000, 5);
  store(0x200c, 6);
  other_master_writes(0x2004, 3);
  operate("wdc.flush", 0x2000);
  EXPECT_EQ(m.bus.line_writes, 1u);
  EXPECT_EQ(memory(0x2000), 5u);
  EXPECT_EQ(memory(0x2004), 3u);
  EXPECT_EQ(memory(0x200c), 6u);
}

TEST_F(WriteBackTest, AByteStoreThatMissesReadsTheLineFirst) {
  other_master_writes(0x2000, 0x44332211);
  m.r(20) = 0x2000;
  m.r(21) = 0xaa;
  m.execute("sbi r21, r20, 1");
  EXPECT_EQ(m.bus.line_reads, 1u);
  EXPECT_EQ(memory(0x2000), 0x44332211u);
  EXPECT_EQ(load(0x2000), 0x4433aa11u);
}

TEST_F(WriteBackTest, ALoadOfAWordThatALineLacksKeepsTheStoredOnes) {
  other_master_writes(0x2004, 2);
  store(0x2000, 5);
  EXPECT_EQ(load(0x2004), 2u);
  EXPECT_EQ(load(0x2000), 5u);
  EXPECT_EQ(memory(0x2000), 5u);
}

TEST_F(WriteBackTest, WdcDiscardsWhateverAddressTheLineHolds) {
  store(0x2000, 5);
  operate("wdc", 0x2000, kCache);
  EXPECT_EQ(memory(0x2000), 0u);
  EXPECT_EQ(load(0x2000), 0u);
}

TEST_F(WriteBackTest, WdcClearDiscardsOnlyALineThatMatches) {
  for (const char* form : {"wdc.clear", "wdc.ext.clear"}) {
    store(0x2000, 5);
    operate(form, 0x2000, kCache);
    EXPECT_EQ(load(0x2000), 5u) << form;
    operate(form, 0x1ff0, 0x14);
    EXPECT_EQ(load(0x2000), 0u) << form;
    EXPECT_EQ(memory(0x2000), 0u) << form;
  }
}

TEST_F(WriteBackTest, WdcFlushWritesWhateverAddressTheLineHolds) {
  store(0x2000, 5);
  operate("wdc.flush", 0x2000 + kCache);
  EXPECT_EQ(memory(0x2000), 5u);
}

TEST_F(WriteBackTest, WdcExtFlushFlushesOnlyALineThatMatches) {
  store(0x2000, 5);
  operate("wdc.ext.flush", 0x2000 + kCache);
  EXPECT_EQ(memory(0x2000), 0u);
  operate("wdc.ext.flush", 0x2000);
  EXPECT_EQ(memory(0x2000), 5u);
}

TEST_F(WriteBackTest, WdcWorksWhileTheCacheIsOff) {
  store(0x2000, 5);
  clear(msr::kDce);
  EXPECT_EQ(load(0x2000), 0u);
  operate("wdc.flush", 0x2000);
  EXPECT_EQ(load(0x2000), 5u);
}

TEST_F(WriteBackTest, AFlushCostsItsBusTime) {
  store(0x2000, 5);
  m.r(20) = 0x2000;
  m.load("wdc.flush r20, r0");
  m.engine.state().pc = Machine::kCode;
  const uint64_t dirty = m.run().cycles;
  m.engine.state().pc = Machine::kCode;
  EXPECT_EQ(dirty, m.run().cycles + 10);
}

TEST_F(WriteBackTest, LwxAndSwxGoThroughTheCache) {
  m.r(20) = 0x2000;
  m.r(21) = 9;
  m.execute("lwx r3, r20, r0\n swx r21, r20, r0\n addic r4, r0, 0");
  EXPECT_EQ(m.r(4), 0u);
  EXPECT_EQ(memory(0x2000), 0u);
  EXPECT_EQ(load(0x2000), 9u);
}

TEST(CacheConfigurationTest, WithoutAllowDcacheWrWdcDoesNothing) {
  Configuration configuration = cached(true);
  configuration.allow_dcache_wr = false;
  Machine m(configuration);
  m.r(20) = 0x2000;
  m.r(21) = 9;
  m.execute("msrset r0, 0x80\n swi r21, r20, 0\n wdc.flush r20, r0\n lwi r3, r20, 0");
  EXPECT_EQ(m.peek(0x2000), 0u);
  EXPECT_EQ(m.r(3), 9u);
}

// ---- bus errors: UG984 chapter 2, "Exception Causes"

TEST_F(CacheTest, ErrorsOfALineFillAreIgnored) {
  Configuration configuration = cached();
  configuration.dcache_baseaddr = configuration.icache_baseaddr = FlatBus::kRefusing;
  configuration.dcache_highaddr = configuration.icache_highaddr = FlatBus::kRefusing + 0xfff;
  Machine n(configuration);
  n.r(20) = FlatBus::kRefusing;
  n.r(3) = 1;
  n.execute("msrset r0, 0x180\n lwi r3, r20, 0\n swi r3, r20, 0");
  EXPECT_EQ(n.r(3), 0u);
  EXPECT_EQ(n.engine.exceptions_taken(), 0u);
  n.load("bri 0", 0x20);
  n.execute("msrclr r0, 0x80\n lwi r3, r20, 0");
  EXPECT_EQ(n.engine.exceptions_taken(), 1u) << "with the cache off";
  EXPECT_EQ(n.engine.state().ear, FlatBus::kRefusing);
  EXPECT_EQ(n.engine.state().esr, static_cast<uint32_t>(Cause::kDataBus));
}

// ---- storage attributes of the MMU

class AttributeTest : public WriteBackTest {
 protected:
  // Maps 64 KiB one to one, for everybody, with these attributes, and switches translation on.
  void map(uint32_t attributes) {
    Mmu& mmu = m.engine.mmu();
    mmu.set_tlbx(0);
    mmu.set_tlbhi(0x1c0);  // valid, 64 KiB
    mmu.set_tlblo(0x300 | attributes);
    set(msr::kVm);
  }
};

TEST_F(AttributeTest, InhibitKeepsAPageOutOfTheCache) {
  store(0x2000, 5);
  map(4);
  EXPECT_EQ(load(0x2000), 0u);
  store(0x2004, 6);
  EXPECT_EQ(memory(0x2004), 6u);
  map(0);
  EXPECT_EQ(load(0x2000), 5u);
}

TEST_F(AttributeTest, WriteThroughAppliesToAPageOfAWriteBackCache) {
  map(8);
  store(0x2000, 5);
  EXPECT_EQ(memory(0x2000), 5u);
  map(0);
  store(0x2000, 6);
  EXPECT_EQ(memory(0x2000), 5u);
}

TEST_F(AttributeTest, CachesKnowPhysicalAddresses) {
  store(0x2000, 5);
  Mmu& mmu = m.engine.mmu();
  mmu.set_tlbx(1);
  mmu.set_tlbhi(0xc0000040 | 1 << 7);  // 4 KiB at 0xc0000000...
  mmu.set_tlblo(0x2000 | 0x300);       // ...is 0x2000
  map(0);
  EXPECT_EQ(load(0xc0000000), 5u);
  operate("wdc.flush", 0xc0000000);
  EXPECT_EQ(memory(0x2000), 5u);
}

}  // namespace
}  // namespace gvp::host::test
