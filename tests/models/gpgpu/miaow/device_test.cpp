// SPDX-License-Identifier: Apache-2.0
// Launches as the published driver makes them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "tests/models/gpgpu/miaow/driver.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::miaow {
namespace {

using testing::HasSubstr;

constexpr uint32_t kAllLanes[] = {0xbefe03ff, 0xffffffff, 0xbeff03ff, 0xffffffff};  // EXEC = ~0

// c[i] = a[i] + b[i], as llvm-mc encodes what clang makes of it.
const std::vector<uint32_t>& sum_code() {
  static const std::vector<uint32_t> words = {
      0xc0018106, 0xc0040110, 0xc0820109, 0xbe8a0380, 0xbe8b03ff, 0x0000f000, 0xbf8c007f,
      0x93030203, 0x81080308, 0x4a020008, 0x7e000280, 0xd2c60000, 0x00013d00, 0xbe880404,
      0xe0308000, 0x80020200, 0xbe880406, 0xe0308000, 0x80020300, 0xc044010d, 0xbf8c0f70,
      0x4a040503, 0xbf8c007f, 0xe0708000, 0x80020200, 0xbf810000};
  return words;
}

// s[0:1] the arguments as clang expects them, v0 the work-items.  The compiled code puts the first
// argument, c, last; a and b come after it.
class Sum {
 public:
  static constexpr uint32_t kArguments = 0x200;
  explicit Sum(uint32_t data) : a_(data), b_(data + 0x1000), c_(data + 0x2000) {}

  void prepare(Driver& driver) const {
    driver.reset();
    driver.write(MIAOW_BASE_LDS, 0x80000000);
    driver.write_scalars(0, {kArguments, 0, 0, 0});
    driver.clear_vectors(64);
    std::vector<uint32_t> items(64);
    for (uint32_t i = 0; i < 64; ++i) items[i] = i;
    driver.write_vector(0, items);
    std::vector<uint32_t> code(std::begin(kAllLanes), std::end(kAllLanes));
    code.insert(code.end(), sum_code().begin(), sum_code().end());
    driver.write_code(code);
  }

  // store(address, word): into the memory where the data are.
  template <typename Store>
  void fill(Store store) const {
    store(kArguments + 4 * 6, 64u);  // local size
    // The order in which the code loads them: x4 from dword 9, x2 from dword 13.
    store(kArguments + 4 * 9, a_);
    store(kArguments + 4 * 11, b_);
    store(kArguments + 4 * 13, c_);
    for (const uint32_t dword : {10u, 12u, 14u, 16u}) store(kArguments + 4 * dword, 0u);
    for (uint32_t i = 0; i < 64; ++i) {
      store(a_ + 4 * i, 100 + i);
      store(b_ + 4 * i, 1000 * i);
    }
  }
  template <typename Load>
  void check(Load load) const {
    for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(load(c_ + 4 * i), 100 + 1001 * i) << i;
  }

 private:
  const uint32_t a_, b_, c_;
};

class BothTimings : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Timings, BothTimings, testing::Values("lt", "at"));

TEST_P(BothTimings, ACompiledSumRunsFromPrefetchMemory) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    const Sum sum(0x1000);
    sum.prepare(driver);
    sum.fill([&](uint32_t address, uint32_t word) { driver.write_prefetch(address, word); });
    const uint32_t cycles = driver.launch();
    EXPECT_GT(cycles, 3u * 64 * 3);
    EXPECT_LT(cycles, 900u);
    sum.check([&](uint32_t address) { return driver.read_prefetch(address); });
    EXPECT_TRUE(driver.memory.empty());
    driver.reset();
    EXPECT_EQ(driver.read(MIAOW_CYCLES), 0u);
  });
}

TEST_P(BothTimings, ACompiledSumRunsFromMemoryThatTheHostServes) {
  Configuration configuration;
  configuration.prefetch = false;
  Driver driver(GetParam(), configuration);
  driver.bus.run([&] {
    const Sum sum(0x80000000);
    sum.prepare(driver);
    sum.fill([&](uint32_t address, uint32_t word) { driver.memory[address] = word; });
    const uint32_t cycles = driver.launch();
    sum.check([&](uint32_t address) { return driver.memory[address]; });
    // Each word takes the host a dozen accesses of three cycles at least.
    EXPECT_GT(cycles, (3u * 64 + 8) * 36);
  });
  const nlohmann::json kernel = driver.device->statistics()["kernels"][0];
  EXPECT_EQ(kernel["host_words"], 3 * 64 + 8);
  EXPECT_EQ(kernel["prefetch_words"], 0);
}

TEST_P(BothTimings, TheEndIsToldOnceAndTheCyclesStand) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    driver.write(MIAOW_WAVE_ID, 0x17);
    driver.write_code("s_movk_i32 s4, 0x7\ns_endpgm");
    driver.write(MIAOW_START, 1);
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
    driver.bus.advance(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(driver.bus.peek32(MIAOW_FINISHED), 0u) << "nobody has looked since";
    EXPECT_EQ(driver.read(MIAOW_WAVE_TAG), 0x17u);
    EXPECT_EQ(driver.bus.peek32(MIAOW_FINISHED), 1u);
    EXPECT_EQ(driver.read_quad(4)[0], 0u) << "not idle yet";
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 1u);
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
    EXPECT_EQ(driver.read(MIAOW_CYCLES), 14u);
    EXPECT_EQ(driver.read_quad(4)[0], 7u);
  });
}

TEST_P(BothTimings, NothingIsTakenWhileAWavefrontExecutes) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    driver.write_code(".Lforever: s_branch .Lforever");
    driver.write_scalars(0, {5, 6, 7, 8});
    driver.write(MIAOW_START, 1);
    const uint32_t first = driver.read(MIAOW_CYCLES);
    driver.write(MIAOW_START, 1);
    driver.write_code(std::vector<uint32_t>{0xbf810000});
    driver.write_scalars(0, {1, 1, 1, 1});
    EXPECT_EQ(driver.read_quad(0)[0], 0u);
    driver.write_vector(0, {3});
    driver.write_prefetch(0, 9);
    const uint32_t second = driver.read(MIAOW_CYCLES);
    EXPECT_GT(second, first);
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
    driver.reset();
    EXPECT_EQ(driver.read_quad(0)[0], 5u);
    EXPECT_EQ(driver.read(MIAOW_INSTRUCTION), 0xbf82ffffu);
    EXPECT_EQ(driver.read_vector(0)[0], 0u);
    EXPECT_EQ(driver.read_prefetch(0), 0u);
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
  });
  EXPECT_EQ(driver.device->statistics()["kernels"][0]["cause"], 29);
}

TEST_P(BothTimings, TheCycleCounterFollowsTheClockOfTheDevice) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    driver.write_code(".Lforever: s_branch .Lforever");
    driver.write(MIAOW_START, 1);
    const uint32_t first = driver.read(MIAOW_CYCLES);
    driver.bus.advance(sc_core::sc_time(100, sc_core::SC_US));
    EXPECT_EQ(driver.read(MIAOW_CYCLES) - first, 5000u + 3);
  });
}

TEST_P(BothTimings, ALaunchMayFollowWithoutAReset) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    driver.write_code("s_add_u32 s4, s4, 1\ns_endpgm");
    for (uint32_t i = 1; i <= 3; ++i) {
      EXPECT_EQ(driver.launch(), 14u);
      EXPECT_EQ(driver.read_quad(4)[0], i);
    }
  });
  EXPECT_EQ(driver.device->statistics()["kernels"].size(), 3u);
  EXPECT_EQ(driver.device->statistics()["kernels"][2]["warp_instructions"], 2);
}

TEST_P(BothTimings, AFaultIsReportedAndTheWavefrontNeverEnds) {
  Driver driver(GetParam());
  const test::LogCapture log;
  driver.bus.run([&] {
    driver.write_code("s_nop 0\nbuffer_store_byte v0, off, s[4:7], 0\ns_endpgm");
    driver.write_scalars(4, {0x80000000, 0, 0, 0});
    driver.write(MIAOW_START, 1);
    driver.bus.advance(sc_core::sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
    EXPECT_GT(driver.read(MIAOW_CYCLES), 50'000u);
    EXPECT_EQ(driver.read(MIAOW_PC), 4u);
    driver.reset();
    driver.write_code("s_endpgm");
    EXPECT_EQ(driver.launch(), 7u);
  });
  EXPECT_THAT(log.text(), HasSubstr("pc 0x0004 (buffer_store_byte v0, off, s[4:7], 0)"));
  EXPECT_THAT(log.text(), HasSubstr("it never ends until the device is reset"));
  EXPECT_EQ(driver.device->statistics()["kernels"][0]["cause"], 17);
}

TEST_P(BothTimings, AHaltIsReported) {
  Driver driver(GetParam());
  const test::LogCapture log;
  driver.bus.run([&] {
    driver.write_code("s_sethalt 1");
    driver.write(MIAOW_START, 1);
    driver.bus.advance(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_EQ(driver.read(MIAOW_FINISHED), 0u);
  });
  EXPECT_THAT(log.text(), HasSubstr("halted"));
}

class Listener : public Observer {
 public:
  unsigned wants() const override { return kKernels; }
  void kernel_begins(const KernelEvent& event) override { begun.push_back(event); }
  void kernel_ends(const KernelEvent& event) override { ended.push_back(event); }
  std::vector<KernelEvent> begun, ended;
};

TEST_P(BothTimings, ObserversHearOfWavefronts) {
  Driver driver(GetParam());
  Listener listener;
  driver.device->observe(listener);
  driver.bus.run([&] {
    driver.write(MIAOW_WAVE_COUNT, 15);
    driver.write_code("s_movk_i32 s4, 0x7\ns_endpgm");
    driver.launch();
  });
  ASSERT_EQ(listener.begun.size(), 1u);
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.begun[0].launch, 1u);
  EXPECT_EQ(listener.begun[0].block[0], 16u);
  EXPECT_EQ(listener.begun[0].period_ps, 20'000u);
  EXPECT_EQ(listener.ended[0].cycles, 14u);
  EXPECT_EQ(listener.ended[0].end_ps - listener.ended[0].begin_ps, 14u * 20'000);
  EXPECT_FALSE(driver.device->progress().running);
  EXPECT_EQ(driver.device->progress().kernels_started, 1u);
}

TEST(Miaow, RefusesWhatKeysDoNotAllow) {
  Configuration configuration;
  configuration.timing.scalar = 0;
  try {
    make_miaow("bad", "lt", configuration);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("miaow.timing.scalar"));
  }
  EXPECT_THROW(make_miaow("none", "rtl", {}), Error);
}

// A grid of three groups, each of which reads a word from the host and writes it, and its number,
// to prefetch memory.
TEST_P(BothTimings, AGridRunsThroughTheQueue) {
  Configuration configuration;
  configuration.compute_units = 2;
  Driver driver(GetParam(), configuration);
  driver.bus.run([&] {
    EXPECT_EQ(driver.read(MIAOW_QUEUE_ID), MIAOW_QUEUE_ID_VALUE);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_UNITS), 2u);
    driver.write_code(
        "s_load_dword s4, s[0:1], 0x0\ns_lshl_b32 s5, s2, 2\ns_add_u32 s4, s4, s2\n"
        "v_mov_b32 v3, s4\nv_mov_b32 v4, s5\ns_mov_b32 s8, 0\ns_mov_b32 s9, 0\n"
        "s_mov_b32 s10, -1\ns_mov_b32 s11, 0\ntbuffer_store_format_x v3, v4, s[8:11], 0 "
        "format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] offen\ns_endpgm");
    driver.memory[0x80000000] = 1000;
    for (uint32_t i = 0; i < 3; ++i) {
      driver.write(MIAOW_QUEUE_GROUPS(i), i == 0 ? 3 : 1);
      driver.write(MIAOW_QUEUE_ITEMS(i), 1);
    }
    driver.write(MIAOW_QUEUE_ARGUMENTS, 0x80000000);
    driver.write(MIAOW_QUEUE_GROUP_NUMBERS, 1);
    driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_START);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_RUNNING);
    EXPECT_TRUE(
        driver.serve_until([&] { return driver.read(MIAOW_QUEUE_STATUS) != MIAOW_QUEUE_RUNNING; }));
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_DONE);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_GROUPS_DONE), 3u);
    EXPECT_GT(driver.read(MIAOW_QUEUE_CYCLES), 0u);
    for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(driver.read_prefetch(4 * i), 1000 + i);
    driver.write(MIAOW_QUEUE_ITEMS(0), 65);
    driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_START);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_STOPPED);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_CAUSE), static_cast<uint32_t>(FaultCause::kTooManyThreads));
  });
  const auto kernels = driver.device->statistics()["kernels"];
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0]["grid"][0], 3);
  EXPECT_EQ(kernels[0]["host_words"], 3);
}

// A loop without an end, as a grid of one group.
void start_endless(Driver& driver) {
  driver.write_code(".Lagain:\ns_branch .Lagain\ns_endpgm");
  for (uint32_t i = 0; i < 3; ++i) {
    driver.write(MIAOW_QUEUE_GROUPS(i), 1);
    driver.write(MIAOW_QUEUE_ITEMS(i), 1);
  }
  driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_START);
}

TEST_P(BothTimings, ASecondStartOfARunningGridChangesNothing) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    start_endless(driver);
    driver.bus.advance(sc_core::sc_time(10, sc_core::SC_US));
    const uint32_t before = driver.read(MIAOW_QUEUE_CYCLES);
    EXPECT_GT(before, 400u);
    driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_START);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_RUNNING);
    EXPECT_GE(driver.read(MIAOW_QUEUE_CYCLES), before) << "it has begun again";
    EXPECT_EQ(driver.device->progress().kernels_started, 1u);
  });
}

TEST_P(BothTimings, AnAbortEndsAGridAndItsRecord) {
  Driver driver(GetParam());
  driver.bus.run([&] {
    start_endless(driver);
    driver.bus.advance(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_TRUE(driver.device->progress().running);
    driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_ABORT);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_IDLE);
    EXPECT_FALSE(driver.device->progress().running);
    driver.bus.advance(sc_core::sc_time(10, sc_core::SC_US));
    start_endless(driver);
    EXPECT_EQ(driver.read(MIAOW_QUEUE_STATUS), MIAOW_QUEUE_RUNNING);
    EXPECT_EQ(driver.device->progress().kernels_started, 2u);
    driver.write(MIAOW_QUEUE_CONTROL, MIAOW_QUEUE_ABORT);
  });
  const auto kernels = driver.device->statistics()["kernels"];
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["cause"], static_cast<uint32_t>(FaultCause::kAborted));
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
