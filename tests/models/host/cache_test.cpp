// SPDX-License-Identifier: Apache-2.0
// The caches as programs and other bus masters see them: what is stale, what wic and wdc do, what
// write-through and write-back write (UG984 chapter 2 and the pages of wic and wdc).
#include "models/host/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/base/log.h"
#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

constexpr uint32_t kBytes = 1u << 20;
constexpr uint32_t kCache = 1024;        // of each cache: two addresses that far apart share a line
constexpr uint32_t kUncached = 0x80000;  // RAM beyond the cacheable range

Configuration cached(bool write_back = false) {
  Configuration c;
  c.lmb_size = 0;
  c.use_icache = c.use_dcache = true;
  c.cache_model = "contents";
  c.cache_byte_size = c.dcache_byte_size = kCache;
  c.icache_baseaddr = c.dcache_baseaddr = 0;
  c.icache_highaddr = c.dcache_highaddr = kUncached - 1;
  c.dcache_use_writeback = write_back;
  return c;
}

// A machine whose data cache is on.  Memory that is written through bus.ram is written by another
// master: the processor is not told.
class CacheTest : public testing::Test {
 protected:
  explicit CacheTest(const Configuration& configuration = cached()) : m(configuration) {
    Log::configure("error");
    set(msr::kDce);
  }
  void set(uint32_t bits) {
    m.engine.state().msr |= bits;
    m.engine.state_changed();
  }
  void clear(uint32_t bits) {
    m.engine.state().msr &= ~bits;
    m.engine.state_changed();
  }
  uint32_t memory(uint32_t address) const { return m.peek(address); }
  void other_master_writes(uint32_t address, uint32_t word) {
    std::memcpy(&m.bus.ram[address], &word, 4);
  }
  uint32_t load(uint32_t address) {
    m.r(20) = address;
    m.execute("lwi r21, r20, 0");
    return m.r(21);
  }
  void store(uint32_t address, uint32_t word) {
    m.r(20) = address;
    m.r(21) = word;
    m.execute("swi r21, r20, 0");
  }
  void operate(const std::string& instruction, uint32_t ra, uint32_t rb = 0) {
    m.r(20) = ra;
    m.r(22) = rb;
    m.execute(instruction + " r20, r22");
  }
  const Cache::Counters counters() const { return m.engine.memory().caches().data_counters(); }

  Machine m;
};

class WriteBackTest : public CacheTest {
 protected:
  WriteBackTest() : CacheTest(cached(true)) {}
};

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

// ---- instruction cache

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

// ---- configuration

TEST(CacheConfigurationTest, RangesThatHardwareCannotHaveAreRefused) {
  const auto refused = [](auto change) {
    Configuration configuration = cached();
    change(configuration);
    try {
      Machine m(configuration);
    } catch (const Error& error) {
      return error.code() == ExitCode::kBadInput;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Configuration&) {}));
  EXPECT_TRUE(refused([](Configuration& c) { c.dcache_highaddr = 0x7fffe; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.icache_baseaddr = 0x1000; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.dcache_baseaddr = 0xfffff000; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.dcache_highaddr = 0x7ff; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.lmb_size = 0x1000; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.icache_line_len = 5; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.dcache_byte_size = 32; }));
  EXPECT_TRUE(refused([](Configuration& c) { c.cache_byte_size = 3000; }));
}

TEST(CacheConfigurationTest, TheWholeAddressSpaceMayBeCacheable) {
  Configuration configuration = cached();
  configuration.dcache_highaddr = 0xffffffff;
  Machine m(configuration);
  m.r(20) = kUncached;
  m.execute("msrset r0, 0x80\n lwi r3, r20, 0\n lwi r3, r20, 0");
  EXPECT_EQ(m.engine.memory().caches().data_counters().hits, 1u);
}

TEST(CacheConfigurationTest, TheVersionRegistersTell) {
  Configuration configuration = cached(true);
  configuration.icache_line_len = 8;
  configuration.dcache_line_len = 16;
  configuration.dcache_byte_size = 4096;
  Machine m(configuration);
  m.execute("mfs r3, rpvr4\n mfs r4, rpvr5\n mfs r5, rpvr6\n mfs r6, rpvr7\n mfs r7, rpvr9");
  // From bit 0, the most significant: use 1, tag size 5, 0, writable 1, log2 line 3, log2 size 5...
  EXPECT_EQ(m.r(3), 1u << 31 | 9u << 26 | 1u << 24 | 3u << 21 | 10u << 16);
  EXPECT_EQ(m.r(4), 1u << 31 | 7u << 26 | 1u << 24 | 4u << 21 | 12u << 16 | 1u << 14);
  EXPECT_EQ(m.r(5), 0u);
  EXPECT_EQ(m.r(6), kUncached - 1);
  EXPECT_EQ(m.r(7), kUncached - 1);
}

TEST(CacheStorageTest, LinesAreFoundBySizeAndLineLength) {
  for (const uint32_t line_bytes : {16u, 32u, 64u}) {
    for (const uint32_t bytes : {64u, 1024u, 65536u}) {
      Cache cache({bytes, line_bytes, 0, 0xfffff});
      EXPECT_EQ(cache.lines(), bytes / line_bytes);
      EXPECT_FALSE(cache.hit(0));
      const uint32_t address = 0x54320 & ~(line_bytes - 1);
      cache.line(address) = {address, cache.word_bit(address + 4), false};
      EXPECT_TRUE(cache.hit(address + 4));
      EXPECT_TRUE(cache.hit(address + 7));
      EXPECT_FALSE(cache.hit(address)) << "a word that is not valid";
      EXPECT_FALSE(cache.hit(address + 4 + bytes)) << "another tag";
      EXPECT_EQ(&cache.line(address), &cache.line(address + bytes));
      cache.invalidate_all();
      EXPECT_FALSE(cache.hit(address + 4));
    }
  }
}

}  // namespace
}  // namespace gvp::host::test
