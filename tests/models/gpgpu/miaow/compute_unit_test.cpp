// SPDX-License-Identifier: Apache-2.0
// What a wavefront finds when it starts and leaves behind, what stops it, and memory that the host
// serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/models/gpgpu/miaow/one_wavefront.h"

namespace gvp::gpgpu::miaow {
namespace {

using State = ComputeUnit::State;

const std::string kFormat = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offen";

class BothModels : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, BothModels, testing::Values(Model::kLt, Model::kAt));

TEST_P(BothModels, AWavefrontBeginsAsTheLaunchSays) {
  OneWavefront wavefront(GetParam());
  wavefront.load("s_nop 0\ns_mov_b64 s[2:3], exec\nv_mov_b32 v1, s1\ns_mov_b32 s4, s0\ns_endpgm");
  wavefront.unit.set_scalar(100, 0xaaaa);
  wavefront.unit.set_scalar(101, 0xbbbb);
  Launch launch;
  launch.pc = 4;
  launch.base_scalar = 100;
  launch.base_vector = 900;
  launch.lanes = 3;
  wavefront.run(launch);
  EXPECT_EQ(wavefront.unit.scalar(102), 7u);
  EXPECT_EQ(wavefront.unit.scalar(104), 0xaaaau);
  for (unsigned lane = 0; lane < 4; ++lane)
    EXPECT_EQ(wavefront.unit.vector(901)[lane], lane < 3 ? 0xbbbbu : 0u) << lane;
}

TEST_P(BothModels, RegistersAndMemoriesSurviveAReset) {
  OneWavefront wavefront(GetParam());
  wavefront.load("s_mov_b32 s5, 0x1234\nv_mov_b32 v3, s5\n.Lforever: s_branch .Lforever");
  wavefront.unit.set_prefetch(0x100, 77);
  wavefront.unit.start({});
  wavefront.unit.run_until(1000);
  EXPECT_EQ(wavefront.unit.state(), State::kExecuting);
  wavefront.unit.reset();
  EXPECT_EQ(wavefront.unit.state(), State::kIdle);
  EXPECT_EQ(wavefront.unit.scalar(5), 0x1234u);
  EXPECT_EQ(wavefront.unit.vector(3)[0], 0x1234u);
  EXPECT_EQ(wavefront.unit.prefetch(0x100), 77u);
  EXPECT_EQ(wavefront.unit.instruction(1), 0x1234u);
}

TEST_P(BothModels, CodeThatIsRewrittenIsWhatRunsNext) {
  OneWavefront wavefront(GetParam());
  wavefront.load("s_movk_i32 s5, 0x1\ns_endpgm");
  wavefront.run();
  EXPECT_EQ(wavefront.unit.scalar(5), 1u);
  wavefront.load("s_movk_i32 s5, 0x2\ns_endpgm");
  wavefront.run();
  EXPECT_EQ(wavefront.unit.scalar(5), 2u);
}

TEST_P(BothModels, AFaultKeepsTheWavefrontFromEnding) {
  for (const auto& [source, cause] :
       {std::pair{".long 0xffffffff", FaultCause::kIllegalInstruction},
        std::pair{"s_trap 0x2", FaultCause::kTrap}}) {
    OneWavefront wavefront(GetParam());
    wavefront.load(source);
    wavefront.unit.start({});
    wavefront.unit.run_until(1'000'000);
    EXPECT_EQ(wavefront.unit.state(), State::kExecuting);
    EXPECT_TRUE(wavefront.unit.stuck());
    EXPECT_EQ(wavefront.unit.fault().cause, cause) << source;
  }
}

TEST_P(BothModels, AWavefrontThatRunsOutOfItsCodeStops) {
  OneWavefront wavefront(GetParam());
  Launch launch;
  launch.pc = 4 * kInstructionWords;
  wavefront.unit.start(launch);
  wavefront.unit.run_until(1000);
  EXPECT_EQ(wavefront.unit.fault().cause, FaultCause::kCodeOutOfRange);
}

TEST_P(BothModels, ABarrierHoldsNobodyUp) {
  OneWavefront wavefront(GetParam());
  wavefront.load("s_barrier\ns_movk_i32 s5, 0x1\ns_endpgm");
  wavefront.run();
  EXPECT_EQ(wavefront.unit.scalar(5), 1u);
}

TEST_P(BothModels, TheLocalShareBeginsWhereTheLaunchSays) {
  OneWavefront wavefront(GetParam());
  wavefront.load(
      "s_mov_b32 m0, -1\nv_mov_b32 v1, 8\nv_mov_b32 v2, 42\nds_write_b32 v1, v2\n"
      "ds_read_b32 v3, v1\ns_endpgm");
  Launch launch;
  launch.base_share = 0xfff0;
  wavefront.run(launch);
  EXPECT_EQ(wavefront.unit.vector(3)[0], 42u);
  wavefront.load("v_mov_b32 v1, 16\nds_write_b32 v1, v2\ns_endpgm");
  wavefront.unit.start(launch);
  wavefront.unit.run_until(1000);
  EXPECT_EQ(wavefront.unit.fault().cause, FaultCause::kSharedOutOfRange);
}

// Serves everything from a map, `latency` cycles after it is asked.
struct Host {
  std::map<uint32_t, uint32_t> memory;
  std::vector<uint32_t> order;  // of addresses

  uint64_t serve(ComputeUnit& unit, uint64_t latency) {
    uint64_t cycle = 0;
    MemoryService& service = unit.service();
    while (unit.state() == State::kExecuting && cycle < 1'000'000) {
      unit.run_until(++cycle);
      const uint32_t state = service.state(cycle);
      if (state != MIAOW_MEMORY_LOAD_REQUESTED && state != MIAOW_MEMORY_STORE_REQUESTED) continue;
      service.write_acknowledge(true);
      service.write_acknowledge(false);
      cycle += latency;
      order.push_back(service.address());
      if (state == MIAOW_MEMORY_LOAD_REQUESTED)
        service.write_load_data(memory[service.address()]);
      else
        memory[service.address()] = service.store_data();
      service.write_done(true, cycle);
      service.write_done(false, cycle);
    }
    return unit.end_cycle();
  }
};

TEST_P(BothModels, TheHostServesWordsInTheOrderOfLanes) {
  OneWavefront wavefront(GetParam());
  wavefront.load(std::string("tbuffer_load_format_xy v[4:5], v1, s[4:7], 0 ") +
                 "format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT] offen" +
                 "\nv_add_i32 v4, vcc, v4, v5\ntbuffer_store_format_x v4, v2, s[4:7], 0" + kFormat +
                 "\ns_endpgm");
  Host host;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    wavefront.unit.vector(1)[lane] = 0x80000000u + 8 * lane;
    wavefront.unit.vector(2)[lane] = 0x90000000u + 4 * lane;
    host.memory[0x80000000u + 8 * lane] = 10 * lane;
    host.memory[0x80000004u + 8 * lane] = 5;
  }
  Launch launch;
  launch.lanes = 4;
  wavefront.unit.start(launch);
  const uint64_t cycles = host.serve(wavefront.unit, 100);
  ASSERT_EQ(wavefront.unit.state(), State::kFinished);
  EXPECT_THAT(host.order, testing::ElementsAre(0x80000000u, 0x80000004u, 0x80000008u, 0x8000000cu,
                                               0x80000010u, 0x80000014u, 0x80000018u, 0x8000001cu,
                                               0x90000000u, 0x90000004u, 0x90000008u, 0x9000000cu));
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(host.memory[0x90000000u + 4 * lane], 10 * lane + 5) << lane;
  EXPECT_EQ(wavefront.unit.words().host, 12u);
  EXPECT_EQ(wavefront.unit.words().prefetch, 0u);
  EXPECT_GE(cycles, 12u * 103);
}

TEST_P(BothModels, ALoadLeavesRegistersAloneUntilTheHostHasServedItAll) {
  OneWavefront wavefront(GetParam());
  wavefront.load("tbuffer_load_format_x v4, v1, s[4:7], 0" + kFormat + "\ns_endpgm");
  wavefront.unit.vector(1)[0] = 0x80000000u;
  wavefront.unit.vector(4)[0] = 99;
  wavefront.unit.start({});
  wavefront.unit.run_until(1000);
  EXPECT_EQ(wavefront.unit.service().state(1000), MIAOW_MEMORY_LOAD_REQUESTED);
  EXPECT_EQ(wavefront.unit.vector(4)[0], 99u);
  EXPECT_EQ(wavefront.unit.pc(), 0u);
}

TEST_P(BothModels, WithoutPrefetchMemoryTheHostServesTheLowestAddressesToo) {
  Configuration configuration;
  configuration.prefetch = false;
  OneWavefront wavefront(GetParam(), configuration);
  wavefront.load("s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_endpgm");
  Host host;
  host.memory[0] = 11;
  host.memory[4] = 22;
  wavefront.unit.start({});
  host.serve(wavefront.unit, 10);
  EXPECT_EQ(wavefront.unit.scalar(4), 11u);
  EXPECT_EQ(wavefront.unit.scalar(5), 22u);
  wavefront.unit.set_prefetch(0, 5);
  EXPECT_EQ(wavefront.unit.prefetch(0), 0u);
}

TEST_P(BothModels, WhatTheHostsRegistersCannotSayIsUnsupported) {
  for (const char* source : {"buffer_store_byte v1, off, s[4:7], 0\ns_endpgm",
                             "buffer_atomic_add v1, off, s[4:7], 0\ns_endpgm"}) {
    OneWavefront wavefront(GetParam());
    wavefront.load(source);
    wavefront.unit.set_scalar(4, 0x80000000u);
    wavefront.unit.start({});
    wavefront.unit.run_until(1000);
    EXPECT_EQ(wavefront.unit.fault().cause, FaultCause::kUnsupportedInstruction) << source;
  }
}

TEST_P(BothModels, BuffersEndOnlyWhereTheyAreChecked) {
  for (const bool check : {false, true}) {
    Configuration configuration;
    configuration.check_buffers = check;
    OneWavefront wavefront(GetParam(), configuration);
    wavefront.load("buffer_load_dword v1, off, s[4:7], 0\ns_endpgm");
    wavefront.unit.set_prefetch(0x40, 7);
    wavefront.unit.set_scalar(4, 0x40);  // no records
    wavefront.run();
    EXPECT_EQ(wavefront.unit.vector(1)[0], check ? 0u : 7u);
  }
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
