// SPDX-License-Identifier: Apache-2.0
// How the time that kcc's own steps take, from PTX to G80 code and without clang, grows with a
// kernel: one with so many loops, one behind the other in a loop around them, which threads leave
// at different times and in which they go on early. "loops" is per second of CPU time, and falls
// where it grows faster than the kernel does; BigO says how fast.
// And how long a file with many instances of a template takes, clang included: as a whole, and in
// parts that clang compiles at the same time ("kernels" is per second of real time).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc::g80 {
namespace {

std::string kernel_of(int64_t loops) {
  std::string text =
      ".version 3.2\n.target sm_20\n.address_size 32\n"
      ".visible .entry many(.param .u32 data, .param .u32 count)\n{\n"
      "  .reg .pred %p<5>;\n  .reg .s32 %r<9>;\n"
      "  ld.param.u32 %r1, [data];\n  ld.param.u32 %r2, [count];\n"
      "  mov.u32 %r3, %tid.x;\n  mov.u32 %r4, 0;\n"
      "AGAIN:\n";
  for (int64_t i = 0; i < loops; ++i)
    text += fmt::format(
        "  mov.u32 %r5, %r3;\n"
        "L{0}:\n  setp.ge.s32 %p1, %r5, %r2;\n  @%p1 bra E{0};\n"
        "  shl.b32 %r6, %r5, 2;\n  add.s32 %r7, %r1, %r6;\n  ld.global.u32 %r8, [%r7+{1}];\n"
        "  add.s32 %r5, %r5, 1;\n"
        "  setp.eq.s32 %p2, %r8, {0};\n  @%p2 bra L{0};\n"
        "  setp.gt.s32 %p3, %r8, %r4;\n  @%p3 bra END;\n"
        "  add.s32 %r4, %r4, %r8;\n  bra L{0};\nE{0}:\n",
        i, 4 * (i % 16));
  return text +
         "  setp.lt.s32 %p4, %r4, %r2;\n  @%p4 bra AGAIN;\nEND:\n"
         "  st.global.u32 [%r1], %r4;\n  ret;\n}\n";
}

void many_loops(benchmark::State& state) {
  const std::string ptx = kernel_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(compile("many.ptx", ptx, {}).module.kernels.size());
  state.SetComplexityN(state.range(0));
  state.counters["loops"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(many_loops)
    ->RangeMultiplier(2)
    ->Range(50, 800)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

constexpr int kInstances = 400;

// Scans of blocks, with an operator, a direction and a number of rounds as parameters.
std::string instances() {
  std::string text =
      "template <int OPERATOR> __device__ int with(int a, int b) {\n"
      "  return OPERATOR == 0 ? a + b : OPERATOR == 1 ? a * b : OPERATOR == 2 ? max(a, b) : min(a, "
      "b);\n"
      "}\n"
      "template <int OPERATOR, bool BACK, int ROUNDS> __global__ void scan(int* data, int n) {\n"
      "  __shared__ int s[512];\n"
      "  int t = threadIdx.x, i = blockIdx.x * 512 + t;\n"
      "  int a = i < n ? data[i] : 0, b = i + 256 < n ? data[i + 256] : 0;\n"
      "  #pragma unroll\n"
      "  for (int r = 0; r < ROUNDS; ++r) {\n"
      "    s[t] = a; s[t + 256] = b; __syncthreads();\n"
      "    int other = BACK ? t + (1 << r) : t - (1 << r);\n"
      "    if (other >= 0 && other < 256) {\n"
      "      a = with<OPERATOR>(a, s[other]); b = with<OPERATOR>(b, s[other + 256]);\n"
      "    }\n"
      "    __syncthreads();\n"
      "  }\n"
      "  if (i < n) data[i] = a;\n"
      "  if (i + 256 < n) data[i + 256] = with<OPERATOR>(a, b);\n"
      "}\n";
  for (int i = 0; i < kInstances; ++i)
    text += fmt::format("template __global__ void scan<{}, {}, {}>(int*, int);\n", i % 8,
                        i / 8 % 2 == 0, 4 + i / 16);
  return text;
}

void many_instances(benchmark::State& state) {
  const std::string file = "bench-kcc-instances.cu";
  std::ofstream(file) << instances();
  FrontEndOptions options;
  options.in_parts = state.range(0) != 0;
  Options compiler;
  compiler.generated = true;
  for (auto _ : state) {
    const FrontEndResult front = compile_cuda_file(file, options);
    benchmark::DoNotOptimize(compile(file, front.ptx, compiler).module.kernels.size());
  }
  std::remove(file.c_str());
  state.counters["kernels"] =
      benchmark::Counter(kInstances, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(many_instances)
    ->ArgName("in_parts")
    ->Arg(0)
    ->Arg(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gvp::kcc::g80

BENCHMARK_MAIN();
