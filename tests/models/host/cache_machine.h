// SPDX-License-Identifier: Apache-2.0
// A machine with caches, for their tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/log.h"
#include "tests/models/host/machine.h"

namespace gvp::host::test {

constexpr uint32_t kBytes = 1u << 20;
constexpr uint32_t kCache = 1024;        // of each cache: two addresses that far apart share a line
constexpr uint32_t kUncached = 0x80000;  // RAM beyond the cacheable range

inline Configuration cached(bool write_back = false) {
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

}  // namespace gvp::host::test
