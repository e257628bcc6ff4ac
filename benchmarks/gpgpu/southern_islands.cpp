// SPDX-License-Identifier: Apache-2.0
// Speed of MIAOW's compute unit, loosely and approximately timed: a multiplication of matrices of
// int, in the instructions that clang makes of firmware/kernels/opencl/matrix_multiply.cl.
// "lane_instructions" is per second of CPU time.
#include <benchmark/benchmark.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/grid/argument_segment.h"
#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/miaow/grid/grid.h"
#include "models/gpgpu/southern_islands/assembler.h"

namespace gvp::gpgpu::miaow {
namespace {

constexpr uint32_t kSize = 128;

// 64 work-items of a row; s2, s3: the group's x and y.
constexpr const char* kMultiply =
    "s_load_dwordx2 s[4:5], s[0:1], 0x9\n"
    "s_load_dwordx2 s[8:9], s[0:1], 0xb\n"
    "s_load_dwordx2 s[12:13], s[0:1], 0xd\n"
    "s_mov_b32 s6, -1\ns_mov_b32 s7, 0xf000\ns_mov_b32 s10, -1\ns_mov_b32 s11, 0xf000\n"
    "s_mov_b32 s14, -1\ns_mov_b32 s15, 0xf000\n"
    "s_lshl_b32 s2, s2, 8\ns_mul_i32 s3, s3, 0x200\n"
    "v_lshlrev_b32_e32 v1, 2, v0\nv_add_i32_e32 v1, vcc, s2, v1\n"  // column, bytes
    "v_mov_b32_e32 v2, s3\n"                                        // row, bytes
    "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v7, v1\ns_movk_i32 s20, 0x80\n"
    "again: buffer_load_dword v4, v2, s[8:11], 0 offen\n"
    "buffer_load_dword v5, v1, s[12:15], 0 offen\n"
    "s_add_i32 s20, s20, -1\n"
    "v_add_i32_e32 v2, vcc, 4, v2\nv_add_i32_e32 v1, vcc, 0x200, v1\n"
    "s_cmp_eq_u32 s20, 0\ns_waitcnt vmcnt(0)\n"
    "v_mul_lo_i32 v4, v5, v4\nv_add_i32_e32 v3, vcc, v4, v3\n"
    "s_cbranch_scc0 again\n"
    "v_add_i32_e32 v7, vcc, s3, v7\n"
    "buffer_store_dword v3, v7, s[4:7], 0 offen\ns_endpgm\n";

void multiply(benchmark::State& state, bool approximately_timed) {
  constexpr uint32_t kBytes = 4 * kSize * kSize;
  GridMemory memory(1u << 24);
  const std::array<uint32_t, 3> groups{kSize / 64, kSize, 1};
  const ArgumentSegment segment =
      argument_segment("multiply", std::nullopt,
                       {"@0x100000", "@" + std::to_string(0x100000 + kBytes),
                        "@" + std::to_string(0x100000 + 2 * kBytes)},
                       groups, {64, 1, 1}, 0);
  memory.set_arguments(segment.bytes);
  southern_islands::Machine machine;
  machine.check_buffers = false;
  machine.global = memory.range(true);
  machine.port = &memory;
  Grid grid(southern_islands::assemble(kMultiply, "benchmark").words, machine, Timing{},
            approximately_timed);
  GridLaunch launch;
  launch.groups = groups;
  launch.local = {64, 1, 1};
  launch.argument_address = kArgumentAddress;
  launch.vector_registers = 8;
  uint64_t lanes = 0;
  for (auto _ : state) {
    const GridResult result = grid.run(launch);
    if (result.stop != southern_islands::Stop::kFinished) state.SkipWithError("fault");
    lanes += result.lane_instructions;
  }
  state.counters["lane_instructions"] =
      benchmark::Counter(static_cast<double>(lanes), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(multiply, lt, false);
BENCHMARK_CAPTURE(multiply, at, true);

}  // namespace
}  // namespace gvp::gpgpu::miaow

BENCHMARK_MAIN();
