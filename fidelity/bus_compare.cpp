// SPDX-License-Identifier: Apache-2.0
// gvp-bus-compare: the same traffic over the approximately timed interconnect and over the crossbar
// that is RTL, to targets that answer at once, and over each with what stands before AXI4-Lite: the
// model's lite regions, and the bridge that is RTL.  Prints CSV: traffic, masters, in flight,
// transactions, cycles of the model, cycles of the RTL.
#include <fmt/format.h>

#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "fidelity/closed_traffic.h"
#include "models/axi/at_interconnect.h"
#include "models/axi/devices/rtl_bridge.h"
#include "models/axi/devices/rtl_interconnect.h"
#include "models/base/error.h"
#include "models/tlm/clock.h"
#include "tools/console.h"

namespace {

using namespace gvp;

constexpr uint64_t kTransactions = 1000;  // of each master
constexpr uint64_t kRegion = 0x10000;     // bytes
constexpr double kClock = 100e6;

enum class Commands { kReads, kWrites, kBoth };

struct Pattern {
  const char* name;
  unsigned masters;
  unsigned in_flight;  // of each
  unsigned bytes;
  Commands commands;
  bool shared = true;  // one target; else one for each master
  bool lite = false;
};

constexpr Pattern kPatterns[] = {
    {"words read", 1, 1, 4, Commands::kReads},
    {"words written", 1, 1, 4, Commands::kWrites},
    {"16 words read", 1, 1, 64, Commands::kReads},
    {"16 words written", 1, 1, 64, Commands::kWrites},
    {"words read", 1, 8, 4, Commands::kReads},
    {"words written", 1, 8, 4, Commands::kWrites},
    {"16 words read", 1, 8, 64, Commands::kReads},
    {"16 words written", 1, 8, 64, Commands::kWrites},
    {"words read of one target", 4, 8, 4, Commands::kReads},
    {"words written to one target", 4, 8, 4, Commands::kWrites},
    {"16 words read of one target", 4, 8, 64, Commands::kReads},
    {"16 words written to one target", 4, 8, 64, Commands::kWrites},
    {"16 words read of or written to one target", 4, 8, 64, Commands::kBoth},
    {"words read of a target each", 4, 8, 4, Commands::kReads, false},
    {"16 words written to a target each", 4, 8, 64, Commands::kWrites, false},
    {"words read over AXI4-Lite", 1, 1, 4, Commands::kReads, true, true},
    {"words written over AXI4-Lite", 1, 1, 4, Commands::kWrites, true, true},
    {"16 words read over AXI4-Lite", 1, 1, 64, Commands::kReads, true, true},
    {"16 words written over AXI4-Lite", 1, 1, 64, Commands::kWrites, true, true},
};

// Answers at once.
class Target : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

struct System {
  System(const std::string& name, const Pattern& pattern, bool rtl) {
    axi::InterconnectConfiguration configuration;
    configuration.clock_hz = kClock;
    const unsigned count = pattern.shared ? 1 : pattern.masters;
    for (unsigned i = 0; i < pattern.masters; ++i)
      configuration.initiators.push_back("master" + std::to_string(i));
    for (unsigned t = 0; t < count; ++t) {
      configuration.targets.push_back("target" + std::to_string(t));
      configuration.regions.push_back(
          {configuration.targets.back(), t * kRegion, kRegion, t, 0, pattern.lite && !rtl});
    }
    if (rtl)
      bus = std::make_unique<axi::RtlInterconnect>(name.c_str(), "axi_interconnect", configuration);
    else
      bus = std::make_unique<axi::AtInterconnect>(name.c_str(), configuration);
    for (unsigned i = 0; i < pattern.masters; ++i) {
      const uint64_t base = pattern.shared ? 0 : i * kRegion;
      const auto next = [pattern, base](uint64_t number) {
        const bool write = pattern.commands == Commands::kWrites ||
                           (pattern.commands == Commands::kBoth && number % 2 == 1);
        return fidelity::ClosedTrafficRequest{base + number * pattern.bytes % kRegion, write};
      };
      masters.push_back(std::make_unique<fidelity::ClosedTraffic>(
          fmt::format("{}_master{}", name, i).c_str(),
          fidelity::ClosedTrafficSettings{kTransactions, pattern.in_flight, pattern.bytes, kClock,
                                          next}));
      masters[i]->socket.bind(bus->from_initiator(i));
    }
    for (unsigned t = 0; t < count; ++t) {
      targets.push_back(std::make_unique<Target>(fmt::format("{}_target{}", name, t).c_str()));
      if (pattern.lite && rtl) {
        bridge = std::make_unique<axi::RtlBridge>((name + "_bridge").c_str(), "axi_lite_bridge",
                                                  rtl::BlockConfiguration{kClock, 0}, 0);
        bus->to_target(t).bind(bridge->upstream());
        bridge->downstream().bind(targets[t]->socket);
      } else {
        bus->to_target(t).bind(targets[t]->socket);
      }
    }
  }
  uint64_t cycles() const {
    sc_core::sc_time ended;
    for (const auto& master : masters) ended = std::max(ended, master->ended);
    return kit::Clock(kClock).cycles_up(ended.value());
  }

  std::unique_ptr<axi::Interconnect> bus;
  std::unique_ptr<axi::RtlBridge> bridge;
  std::vector<std::unique_ptr<fidelity::ClosedTraffic>> masters;
  std::vector<std::unique_ptr<Target>> targets;
};

int compare() {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  std::deque<System> systems;
  for (const Pattern& pattern : kPatterns)
    for (const bool rtl : {false, true})
      systems.emplace_back("bus_" + std::to_string(systems.size()), pattern, rtl);
  sc_core::sc_start();
  fmt::print("traffic,masters,in_flight,transactions,model,rtl\n");
  for (size_t i = 0; i < systems.size(); i += 2) {
    const Pattern& pattern = kPatterns[i / 2];
    for (const System* each : {&systems[i], &systems[i + 1]})
      for (const auto& master : each->masters)
        if (master->answered != kTransactions)
          throw model_error(fmt::format("{}: {} of {} transactions were answered", pattern.name,
                                        master->answered, kTransactions));
    fmt::print("\"{}\",{},{},{},{},{}\n", pattern.name, pattern.masters, pattern.in_flight,
               kTransactions * pattern.masters, systems[i].cycles(), systems[i + 1].cycles());
  }
  return 0;
}

}  // namespace

int sc_main(int, char**) { return tools::run_guarded("gvp-bus-compare", compare); }
