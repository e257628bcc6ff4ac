// SPDX-License-Identifier: Apache-2.0
// Speed of the MicroBlaze's interpreter, without SystemC around it, on firmware/prebuilt/speed.elf
// (mixed integer code at -O2, about 50 million instructions): "MIPS" is millions of guest
// instructions per CPU-second.  Second figure: how fast blocks are decoded, as cold code needs it.
#include <benchmark/benchmark.h>

#include "models/base/log.h"
#include "tests/support/guest/guest_machine.h"

namespace {

constexpr const char* kProgram = GVP_SOURCE_DIR "/firmware/prebuilt/speed.elf";

void interpreter(benchmark::State& state) {
  gvp::Log::configure("error");
  const gvp::platform::ElfFile file = gvp::platform::read_elf(kProgram);
  uint64_t instructions = 0;
  for ([[maybe_unused]] auto unused : state) {
    state.PauseTiming();
    gvp::test::GuestMachine machine({});
    machine.load(file);
    state.ResumeTiming();
    const auto result = machine.run(10000000000);
    if (!result.finished || result.exit_code != 0) state.SkipWithError("wrong checksums");
    instructions += result.instructions;
  }
  state.counters["MIPS"] =
      benchmark::Counter(static_cast<double>(instructions) * 1e-6, benchmark::Counter::kIsRate);
}
BENCHMARK(interpreter)->Unit(benchmark::kMillisecond);

// The same code again and again, each time decoded anew.
void decoding(benchmark::State& state) {
  gvp::Log::configure("error");
  const gvp::platform::ElfFile file = gvp::platform::read_elf(kProgram);
  gvp::test::GuestMachine machine({});
  machine.load(file);
  uint64_t units = 0;
  for ([[maybe_unused]] auto unused : state) {
    machine.engine.invalidate_code(0, 0xffffffff);
    machine.engine.state().pc = file.entry;
    units += machine.engine.run(1000).instructions;
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(units), benchmark::Counter::kIsRate);
}
BENCHMARK(decoding);

}  // namespace

BENCHMARK_MAIN();
