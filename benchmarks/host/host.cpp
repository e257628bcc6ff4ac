// SPDX-License-Identifier: Apache-2.0
// Speed of the MicroBlaze's engines, without SystemC around them: "MIPS" is millions of guest
// instructions per CPU-second.  speed.elf is mixed integer code at -O2, about 50 million
// instructions; the other programs stress one thing each.  Last figure: how fast blocks are
// decoded, as cold code needs it.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string_view>

#include "models/base/log.h"
#include "models/host/jit/translator.h"
#include "tests/models/host/assembler.h"
#include "tests/support/guest/guest_machine.h"

namespace {

constexpr const char* kProgram = GVP_SOURCE_DIR "/firmware/prebuilt/speed.elf";
constexpr uint32_t kCode = gvp::test::GuestBus::kRam;

// Fibonacci numbers by recursion: a call every eleven instructions; registers on the stack.
constexpr std::string_view kCalls = R"(
    ori r1, r0, 0x7000
    addik r5, r0, 27
    brlid r15, 16
    nop
    addik r3, r0, 0
    bri 0
    addik r3, r0, 2
    cmp r18, r3, r5
    bgei r18, 16
    addk r3, r5, r0
    rtsd r15, 8
    nop
    addik r1, r1, -12
    swi r15, r1, 0
    swi r19, r1, 4
    swi r5, r1, 8
    brlid r15, -40
    addik r5, r5, -1
    addk r19, r3, r0
    lwi r5, r1, 8
    brlid r15, -56
    addik r5, r5, -2
    addk r3, r3, r19
    lwi r15, r1, 0
    lwi r19, r1, 4
    rtsd r15, 8
    addik r1, r1, 12
)";

// Copies 64 KiB 64 times, a word at a time, four words a round.
constexpr std::string_view kMemory = R"(
    addik r8, r0, 64
    imm 0x5010
    addik r5, r0, 0
    imm 0x5020
    addik r6, r0, 0
    addik r7, r0, 4096
    lwi r3, r5, 0
    lwi r4, r5, 4
    swi r3, r6, 0
    swi r4, r6, 4
    lwi r3, r5, 8
    lwi r4, r5, 12
    swi r3, r6, 8
    swi r4, r6, 12
    addik r5, r5, 16
    addik r7, r7, -1
    bneid r7, -40
    addik r6, r6, 16
    addik r8, r8, -1
    bneid r8, -72
    nop
    addik r3, r0, 0
    bri 0
)";

void load(gvp::test::GuestMachine& machine, std::string_view text) {
  uint32_t address = kCode;
  for (const uint32_t word : gvp::host::test::assemble_program(text)) {
    size_t available = 0;
    std::memcpy(machine.bus.bytes(address, available), &word, sizeof word);
    address += 4;
  }
  machine.engine.state().pc = kCode;
}

// text: assembly, or empty for speed.elf.
void execute(benchmark::State& state, const char* engine, std::string_view text) {
  gvp::Log::configure("error");
  gvp::host::Configuration configuration;
  configuration.engine = engine;
  const gvp::platform::ElfFile file = gvp::platform::read_elf(kProgram);
  uint64_t instructions = 0;
  for ([[maybe_unused]] auto unused : state) {
    state.PauseTiming();
    gvp::test::GuestMachine machine(configuration);
    if (text.empty()) {
      machine.load(file);
    } else {
      load(machine, text);
    }
    state.ResumeTiming();
    const auto result = machine.run(10000000000);
    if (!result.finished || result.exit_code != 0) state.SkipWithError("the program failed");
    instructions += result.instructions;
  }
  state.counters["MIPS"] =
      benchmark::Counter(static_cast<double>(instructions) * 1e-6, benchmark::Counter::kIsRate);
}

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

void add(const char* engine) {
  const std::string prefix = std::string(engine) + "/";
  const auto add_one = [&](const char* name, std::string_view text) {
    benchmark::RegisterBenchmark((prefix + name).c_str(), execute, engine, text)
        ->Unit(benchmark::kMillisecond);
  };
  add_one("speed.elf", "");
  add_one("calls", kCalls);
  add_one("memory", kMemory);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add("interpreter");
  if (gvp::host::Translator::available()) add("jit");
  benchmark::RegisterBenchmark("decoding", decoding);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
