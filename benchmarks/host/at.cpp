// SPDX-License-Identifier: Apache-2.0
// Speed of the approximately timed MicroBlaze on a loop of loads, stores, arithmetic and branches:
// code and data in the local memory; in the DDR3 behind caches; in the DDR3 without caches, where
// every fetch and access is a transaction through the approximately timed interconnect and
// controller.  "instructions/s" and "transactions/s" are per CPU-second, "CPI" is simulated.
#include <benchmark/benchmark.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/host/host.h"
#include "tests/models/host/assembler.h"

namespace {

constexpr uint32_t kLocal = 0x1000;
constexpr uint32_t kMemory = 0x50000000;
constexpr uint64_t kMemoryBytes = 16u << 20;

// r6: where the data are.
constexpr const char* kLoop = R"(
  lwi r3, r6, 0
  addk r4, r4, r3
  xori r5, r4, 85
  swi r5, r6, 4
  bslli r7, r5, 3
  mul r8, r7, r4
  addk r9, r8, r5
  cmp r10, r9, r4
  blti r10, 8
  addik r11, r11, 1
  addik r6, r6, 8
  andi r6, r6, -257
  brid -48
  addik r12, r12, 1
)";

struct System {
  System(const std::string& name, uint32_t code, bool caches) {
    gvp::axi::InterconnectConfiguration axi;
    axi.initiators = {"instruction", "data"};
    axi.targets = {"ddr3"};
    axi.regions = {{"ddr3", kMemory, kMemoryBytes, 0, 0, false}};
    gvp::host::Configuration configuration;
    configuration.use_icache = configuration.use_dcache = caches;
    configuration.icache_baseaddr = configuration.dcache_baseaddr = kMemory;
    configuration.icache_highaddr = configuration.dcache_highaddr = kMemory + 0xffffff;
    if (caches) configuration.reset_msr = 1u << 5 | 1u << 7;  // ICE, DCE
    bus = gvp::axi::make_interconnect((name + "_bus").c_str(), "at", axi);
    gvp::ddr3::Configuration memory;
    ddr3 = gvp::ddr3::make_memory_controller((name + "_ddr3").c_str(), "at", memory);
    host = gvp::host::make_host((name + "_host").c_str(), "at", configuration);
    host->instruction_socket().bind(bus->from_initiator(0));
    host->data_socket().bind(bus->from_initiator(1));
    host->interrupt(interrupt);
    bus->to_target(0).bind(ddr3->socket());
    const std::string start = "imm " + std::to_string((code + 0x1000) >> 16) + "\n addik r6, r0, " +
                              std::to_string((code + 0x1000) & 0xffff) + "\n";
    uint32_t address = code;
    for (const uint32_t word : gvp::host::test::assemble_program(start + kLoop)) {
      host->debug_write(address, &word, sizeof word);
      address += 4;
    }
    host->set_start_address(code);
    // Held until it is its turn.
    host->set_stop_handler([this](const gvp::host::Stop&) { stopped = true; });
  }
  sc_core::sc_signal<bool> interrupt;
  std::unique_ptr<gvp::axi::Interconnect> bus;
  std::unique_ptr<gvp::ddr3::MemoryController> ddr3;
  std::unique_ptr<gvp::host::Host> host;
  bool stopped = false;
};

void run(benchmark::State& state, System& system) {
  const uint64_t instructions = system.host->instructions();
  const uint64_t cycles = system.host->cycles();
  const auto transactions = [&] {
    const auto json = system.host->statistics();
    return json["bus_reads"].get<uint64_t>() + json["bus_writes"].get<uint64_t>();
  };
  const uint64_t before = transactions();
  for ([[maybe_unused]] auto unused : state) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  const auto rate = [](uint64_t count) {
    return benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
  };
  const uint64_t executed = system.host->instructions() - instructions;
  state.counters["instructions/s"] = rate(executed);
  state.counters["transactions/s"] = rate(transactions() - before);
  state.counters["CPI"] =
      static_cast<double>(system.host->cycles() - cycles) / static_cast<double>(executed);
  if (system.stopped) state.SkipWithError("the program stopped");
}

}  // namespace

// usage: bench-host-at [local|memory|caches ...]: one system, because a process elaborates once and
// everything elaborated runs.
int sc_main(int argc, char* argv[]) {
  const std::string which = argc > 1 && argv[1][0] != '-' ? argv[1] : "memory";
  System system(which, which == "local" ? kLocal : kMemory, which == "caches");
  benchmark::RegisterBenchmark(("at/" + which).c_str(), [&](benchmark::State& s) {
    run(s, system);
  })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
