// SPDX-License-Identifier: Apache-2.0
// Grids against the compute unit: a wavefront takes the same cycles in both.  Arguments as users
// write them.
#include "models/gpgpu/miaow/grid/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "models/base/error.h"
#include "models/gpgpu/miaow/grid/argument_segment.h"
#include "models/gpgpu/miaow/grid/global_memory.h"
#include "tests/models/gpgpu/miaow/one_wavefront.h"

namespace gvp::gpgpu::miaow {
namespace {

using southern_islands::argument_of;
using southern_islands::KernelArguments;
using testing::HasSubstr;

GridResult run_grid(const std::string& source, Model model, uint32_t items = 64) {
  GridMemory memory(1u << 20);
  memory.set_arguments(std::vector<uint8_t>(256));
  southern_islands::Machine machine;
  machine.check_buffers = false;
  machine.global = memory.range(false);
  machine.port = &memory;
  Grid grid(southern_islands::assemble(source, "test").words, machine, {}, model == Model::kAt);
  GridLaunch launch;
  launch.local = {items, 1, 1};
  launch.argument_address = kArgumentAddress;
  launch.vector_registers = 32;
  launch.share_bytes = 1024;
  return grid.run(launch);
}

// The costs of instructions are those that cycles_test.cpp holds against the RTL's.
TEST(Grid, AWavefrontTakesTheCyclesOfTheDevice) {
  const char* const sources[] = {
      "s_endpgm\n",
      "v_mov_b32 v1, v2\nv_add_i32 v3, vcc, v1, v4\nv_add_i32 v5, vcc, v6, v7\ns_endpgm\n",
      "v_mul_f32 v1, v2, v3\nv_add_i32 v4, vcc, v5, v6\nv_add_f32 v7, v8, v9\ns_endpgm\n",
      "s_mov_b32 s4, 0\nagain: s_add_u32 s4, s4, 1\nv_add_f32 v1, v1, v1\ns_cmp_lt_u32 s4, 5\n"
      "s_cbranch_scc1 again\nv_mov_b32 v2, v1\ns_endpgm\n",
      "s_mov_b64 s[4:5], 0\ns_mov_b64 s[6:7], 0\nv_mov_b32 v1, 0\n"
      "buffer_load_dword v2, v1, s[4:7], 0 offen\nv_add_i32 v3, vcc, v2, v2\n"
      "buffer_store_dword v3, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\ns_endpgm\n",
      "v_cmp_lt_u32 vcc, 7, v0\ns_and_saveexec_b64 s[4:5], vcc\ns_cbranch_execz done\n"
      "ds_write_b32 v3, v3\nds_read_b32 v4, v3\ndone: s_endpgm\n"};
  for (const Model model : {Model::kLt, Model::kAt})
    for (const char* source : sources) {
      OneWavefront device(model);
      device.load(source);
      for (unsigned lane = 0; lane < 64; ++lane) device.unit.vector(0).lane[lane] = lane;
      Launch launch;
      launch.lanes = 64;
      EXPECT_EQ(run_grid(source, model).cycles, device.run(launch)) << source;
    }
}

TEST(Grid, WavefrontsOfAGroupShareTheUnits) {
  std::string additions;
  for (unsigned i = 0; i < 20; ++i) additions += "v_add_f32 v1, v1, v2\n";
  additions += "s_endpgm\n";
  // Each waits for its own result: two wavefronts fill the unit that one leaves free.
  const uint64_t one = run_grid(additions, Model::kAt).cycles;
  const uint64_t two = run_grid(additions, Model::kAt, 128).cycles;
  EXPECT_GT(two, one + 19 * 38);
  EXPECT_LT(two, 2 * one);
  EXPECT_EQ(run_grid(additions, Model::kLt, 128).cycles,
            2 * run_grid(additions, Model::kLt).cycles);
}

TEST(Grid, ABarrierWaitsForTheSlowest) {
  // Wavefront 0 (v0 < 64) computes long before it comes to the barrier.
  const std::string source =
      "v_cmp_lt_u32 vcc, v0, 64\ns_nop 0\ns_cbranch_vccz meet\n"
      "v_rcp_f32 v1, v1\nv_rcp_f32 v1, v1\nv_rcp_f32 v1, v1\nv_mov_b32 v1, v1\nmeet: "
      "s_barrier\ns_endpgm\n";
  std::string fixed = source;
  fixed.replace(fixed.find("v0, 64"), 6, "64, v0");  // a constant comes first
  fixed.replace(fixed.find("lt"), 2, "gt");
  const uint64_t both = run_grid(fixed, Model::kAt, 128).cycles;
  EXPECT_GT(both, 3u * 151u);
  EXPECT_EQ(run_grid(fixed, Model::kAt, 128).stop, southern_islands::Stop::kFinished);
}

KernelArguments kernel_of(std::vector<southern_islands::KernelArgument> list) {
  KernelArguments kernel{"k", std::move(list)};
  lay_out(kernel);
  return kernel;
}
uint64_t word_at(const ArgumentSegment& segment, std::size_t at, std::size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, segment.bytes.data() + at, bytes);
  return word;
}

TEST(ArgumentSegment, HasSizesAndArgumentsWhereTheKernelReadsThem) {
  const KernelArguments kernel = kernel_of(
      {argument_of(1, "int*", "a"), argument_of(3, "float4*", "b"), argument_of(0, "char", "c"),
       argument_of(0, "double", "d"), argument_of(3, "int*", "e"), argument_of(0, "float2", "f")});
  const ArgumentSegment segment = argument_segment(
      "k", kernel, {"0x1000", "100", "-1", "2.5", "8", "1,-2"}, {3, 2, 1}, {64, 1, 1}, 256);
  const uint32_t sizes[9] = {3, 2, 1, 192, 2, 1, 64, 1, 1};
  for (unsigned i = 0; i < 9; ++i) EXPECT_EQ(word_at(segment, 4 * i, 4), sizes[i]) << i;
  EXPECT_EQ(word_at(segment, 36, 8), 0x1000u);
  EXPECT_EQ(word_at(segment, 44, 4), 256u);
  EXPECT_EQ(word_at(segment, 48, 1), 0xffu);
  EXPECT_EQ(word_at(segment, 52, 8), 0x4004000000000000u);
  EXPECT_EQ(word_at(segment, 60, 4), 256u + 112u);
  EXPECT_EQ(word_at(segment, 68, 8), 0xc00000003f800000u);
  EXPECT_EQ(word_at(segment, kernel.hidden_offset(), 4), 2u);  // get_work_dim()
  EXPECT_EQ(segment.bytes.size(), kernel.hidden_offset() + 16);
  EXPECT_EQ(segment.share_bytes, 112u + 16u);
}

TEST(ArgumentSegment, RefusesWhatDoesNotFitTheTypes) {
  const auto problem = [](const std::string& type, unsigned space, const std::string& text) {
    try {
      argument_segment("k", kernel_of({argument_of(space, type, "a")}), {text}, {1, 1, 1},
                       {1, 1, 1}, 0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem("char", 0, "256"), HasSubstr("no whole number that char a can hold"));
  EXPECT_EQ(problem("uchar", 0, "255"), "");
  EXPECT_EQ(problem("char", 0, "-128"), "");
  EXPECT_NE(problem("char", 0, "-129"), "");
  EXPECT_NE(problem("int", 0, ""), "");
  EXPECT_NE(problem("int", 0, "1.5"), "");
  EXPECT_NE(problem("int", 0, "1-1"), "");
  EXPECT_THAT(problem("float4", 0, "1,2,3"), HasSubstr("has 4 numbers, not 3"));
  EXPECT_THAT(problem("int*", 1, "-4"), HasSubstr("no address"));
  EXPECT_THAT(problem("int*", 3, "0"), HasSubstr("no size of local memory"));
  EXPECT_THAT(problem("pair", 0, "1"), HasSubstr("cannot be passed"));
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
