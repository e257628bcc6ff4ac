// SPDX-License-Identifier: Apache-2.0
// gvp-ddr3-compare: the same traffic on the approximately timed DDR3 controller and on the one that
// is RTL, and how many clock cycles of the SDRAM each takes for all of it.  Prints CSV: pattern,
// transactions, in flight, cycles of the model, cycles of the RTL.
#include <fmt/format.h>

#include <deque>
#include <iostream>
#include <memory>
#include <random>
#include <systemc>
#include <vector>

#include "fidelity/closed_traffic.h"
#include "models/base/error.h"
#include "models/ddr3/at_memory.h"
#include "models/ddr3/rtl/rtl_memory.h"
#include "models/tlm/clock.h"
#include "tools/console.h"

namespace {

using namespace gvp;

constexpr uint64_t kTransactions = 2000;
constexpr double kClock = 400e6;

struct Pattern {
  const char* name;
  unsigned in_flight;
  unsigned bytes;
  uint64_t stride;  // 0: random within 16 MiB
  double write_share;
  const char* page_policy = "open";
};

constexpr Pattern kPatterns[] = {
    {"dependent reads of one row", 1, 64, 64, 0},
    {"dependent reads at random", 1, 64, 0, 0},
    {"sequential reads", 8, 64, 64, 0},
    {"sequential writes", 8, 64, 64, 1},
    {"sequential reads and writes", 8, 64, 64, 0.5},
    {"sequential reads of 256 bytes", 4, 256, 256, 0},
    {"reads of another row of one bank each", 4, 64, 65536, 0},
    {"reads of the next bank each", 8, 64, 8192 + 64, 0},
    {"reads at random", 8, 64, 0, 0},
    {"reads and writes at random", 16, 64, 0, 0.5},
    {"reads and writes at random with closed rows", 16, 64, 0, 0.5, "closed"},
};

// Addresses and commands by the pattern.
fidelity::ClosedTrafficSettings settings_of(const Pattern& pattern) {
  const auto next = [pattern, engine = std::mt19937_64(1)](uint64_t number) mutable {
    constexpr uint64_t kRandomBytes = 16 << 20;
    fidelity::ClosedTrafficRequest request;
    request.address = pattern.stride == 0
                          ? engine() % (kRandomBytes / pattern.bytes) * pattern.bytes
                          : number * pattern.stride % (uint64_t{512} << 20);
    request.write = std::bernoulli_distribution(pattern.write_share)(engine);
    return request;
  };
  return {kTransactions, pattern.in_flight, pattern.bytes, kClock, next};
}

struct System {
  System(const std::string& name, const Pattern& pattern, bool rtl)
      : traffic((name + "_traffic").c_str(), settings_of(pattern)) {
    ddr3::Configuration configuration;
    configuration.clock_hz = kClock;
    configuration.page_policy = pattern.page_policy;
    if (rtl)
      memory = std::make_unique<ddr3::RtlMemory>(name.c_str(), "axi_ddr3", configuration);
    else
      memory = std::make_unique<ddr3::AtMemory>(name.c_str(), configuration);
    traffic.socket.bind(memory->socket());
  }
  uint64_t cycles() const { return kit::Clock(kClock).cycles_up(traffic.ended.value()); }

  fidelity::ClosedTraffic traffic;
  std::unique_ptr<ddr3::MemoryController> memory;
};

int compare() {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  std::deque<System> systems;
  for (const Pattern& pattern : kPatterns)
    for (const bool rtl : {false, true})
      systems.emplace_back("memory_" + std::to_string(systems.size()), pattern, rtl);
  sc_core::sc_start();
  fmt::print("pattern,transactions,in_flight,model,rtl\n");
  for (size_t i = 0; i < systems.size(); i += 2) {
    const Pattern& pattern = kPatterns[i / 2];
    for (const System* each : {&systems[i], &systems[i + 1]})
      if (each->traffic.answered != kTransactions)
        throw model_error(fmt::format("{}: {} of {} transactions were answered", pattern.name,
                                      each->traffic.answered, kTransactions));
    fmt::print("\"{}\",{},{},{},{}\n", pattern.name, kTransactions, pattern.in_flight,
               systems[i].cycles(), systems[i + 1].cycles());
  }
  return 0;
}

}  // namespace

int sc_main(int, char**) { return tools::run_guarded("gvp-ddr3-compare", compare); }
