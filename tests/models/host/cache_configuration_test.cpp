// SPDX-License-Identifier: Apache-2.0
// What caches can be configured, what of it the version registers tell, and how lines are found.
#include "models/base/error.h"
#include "models/host/cache.h"
#include "tests/models/host/cache_machine.h"

namespace gvp::host::test {
namespace {

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
  EXPECT_FALSE(refused([](Configuration& c) {
    c.lmb_base = kUncached;
    c.lmb_size = 0x1000;
  })) << "right behind it";
  EXPECT_TRUE(refused([](Configuration& c) {
    c.lmb_base = kUncached - 0x1000;
    c.lmb_size = 0x1000;
  })) << "its last page";
  EXPECT_FALSE(refused([](Configuration& c) { c.lmb_base = 0x1000; })) << "there is none";
  EXPECT_FALSE(refused([](Configuration& c) {
    c.icache_baseaddr = c.dcache_baseaddr = 0x1000;
    c.icache_highaddr = c.dcache_highaddr = 0x1fff;
    c.lmb_size = 0x1000;
  })) << "right before it";
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
