// SPDX-License-Identifier: Apache-2.0
// How fast the approximately timed FlexGrip is, without SystemC and host: thread instructions and
// clock cycles per CPU-second, on the inner loop of a matrix multiplication (two loads from
// global memory, one multiply-add, index arithmetic), on arithmetic alone, and on loads of which
// the lanes are different each time.
#include <benchmark/benchmark.h>

#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"
#include "models/gpgpu/g80/assembler.h"

namespace {

namespace flexgrip = gvp::gpgpu::flexgrip;
namespace g80 = gvp::gpgpu::g80;

constexpr const char* kInnerProduct = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    MVI R3, 0x0;
    MVI R4, 0x100;
loop:
    GLD.U32 R5, global14[R2];
    GLD.U32 R6, global14[R2];
    IMAD.U16 R3, R5L, R6L, R3;
    IADD32I R2, R2, 0x4;
    IADD32I R4, R4, 0xffffffff;
    ISET.S32.C0 o[0x7f], R4, R124, NE;
    @C0.NE BRA loop;
    GST.U32 global14[R2], R3;
    RET;
)";

constexpr const char* kArithmetic = R"(
    I2I.U32.U16 R1, R0L;
    MVI R3, 0x1;
    MVI R4, 0x100;
loop:
    IADD R3, R3, R1;
    SHL R5, R3, 0x3;
    IADD R3, R3, R5;
    IADD R3, R3, R4;
    IADD32I R4, R4, 0xffffffff;
    ISET.S32.C0 o[0x7f], R4, R124, NE;
    @C0.NE BRA loop;
    RET;
)";

// Lanes differ from warp to warp and from one time to the next.
constexpr const char* kRandomLanes = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    MVI R6, 0x4cd5;
    MVI R4, 0x100;
loop:
    IMAD.U24 R1, R1, R6, R4;
    LOP32I.AND R5, R1, 0x800;
    ISET.S32.C0 o[0x7f], R5, R124, NE;
    GLD.U32 R3 (C0.NE), global14[R2];
    GLD.U32 R3 (C0.EQ), global14[R2];
    GST.U32 global14[R2] (C0.NE), R3;
    IADD32I R4, R4, 0xffffffff;
    ISET.S32.C0 o[0x7f], R4, R124, NE;
    @C0.NE BRA loop;
    RET;
)";

void run(benchmark::State& state, const char* source) {
  const std::vector<uint32_t> code = g80::assemble(source, "benchmark").kernels.at(0).code;
  flexgrip::Configuration configuration;
  configuration.sps = static_cast<uint32_t>(state.range(0));
  flexgrip::Kernel kernel;
  kernel.registers_per_thread = 8;
  kernel.block_x = 256;
  kernel.block_y = kernel.block_z = kernel.grid_y = 1;
  kernel.grid_x = 12;
  std::vector<uint8_t> global(1 << 20);
  g80::Machine machine;
  machine.global.data = global.data();
  machine.global.bytes = global.size();
  const g80::Program program(code.data(), code.size(), kernel.registers_per_thread, machine);
  uint64_t instructions = 0;
  uint64_t cycles = 0;
  for (auto _ : state) {
    flexgrip::timing::KernelTimeline timeline(
        configuration, {kernel, admit(kernel, configuration).blocks_per_sm, program, machine});
    while (!timeline.done()) timeline.step();
    if (timeline.failure() != flexgrip::timing::SmTimeline::Result::kGoesOn)
      state.SkipWithError("the kernel failed");
    instructions += timeline.counters().thread_instructions;
    cycles += timeline.end();
  }
  using benchmark::Counter;
  state.counters["thread_instructions/s"] =
      Counter(static_cast<double>(instructions), Counter::kIsRate);
  state.counters["cycles/s"] = Counter(static_cast<double>(cycles), Counter::kIsRate);
}

void InnerProduct(benchmark::State& state) { run(state, kInnerProduct); }
void Arithmetic(benchmark::State& state) { run(state, kArithmetic); }
void RandomLanes(benchmark::State& state) { run(state, kRandomLanes); }

BENCHMARK(InnerProduct)->ArgName("SPs")->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK(Arithmetic)->ArgName("SPs")->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK(RandomLanes)->ArgName("SPs")->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
