// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/rtl/rtl_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "models/axi/pins/statistics.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/ddr3/counters.h"
#include "models/ddr3/energy.h"
#include "models/rtl/block_table.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

constexpr unsigned kBurstBytes = 64;    // a word of the block's AXI port
constexpr unsigned kTransactions = 16;  // that the block has under way, per direction
constexpr unsigned kBanks = 8, kQueue = 8, kRowBits = 16, kColumnBits = 8;  // columns: bursts
// Of timings that are added up, and of tRFC.
constexpr unsigned kMostCycles = (1u << 8) - 1, kMostRefreshCycles = (1u << 10) - 1;
// Of its pipeline: from the edge of the request to the command, from the data to the response.
constexpr unsigned kRequestStages = 2, kResponseStages = 2;

unsigned bits(unsigned power_of_two) { return static_cast<unsigned>(__builtin_ctz(power_of_two)); }

rtl::BlockConfiguration block_configuration(const Configuration& configuration, uint32_t seed) {
  rtl::BlockConfiguration result;
  result.clock_hz = configuration.clock_hz;
  result.seed = seed;
  return result;
}

// What AtMemory makes of front_end_ns, without the pipeline.
SdramPinsSettings sdram_settings(const Configuration& configuration, const kit::Clock& clock) {
  const uint64_t front_end = sc_core::sc_time(configuration.front_end_ns, sc_core::SC_NS).value();
  const uint64_t request = front_end / 2 / clock.period_ps();
  const uint64_t response = clock.cycles_up(front_end - clock.ps(request));
  const auto without = [](uint64_t cycles, unsigned stages) {
    return static_cast<unsigned>(cycles > stages ? cycles - stages : 0);
  };
  SdramPinsSettings settings;
  settings.request_cycles = without(request, kRequestStages);
  settings.response_cycles = without(response, kResponseStages);
  settings.refresh = configuration.refresh;
  return settings;
}

void need(bool good, const std::string& text, const std::string& remedy) {
  if (!good) throw bad_input("DDR3 as RTL: " + text, {}, remedy);
}

}  // namespace

RtlMemory::RtlMemory(const sc_core::sc_module_name& name, const std::string& block,
                     const Configuration& configuration, uint32_t seed, bool widen)
    : MemoryController(name),
      device_(find_device(configuration.device)),
      timing_(timing_at(device_, configuration.clock_hz)),
      mapping_(device_, configuration.mapping),
      storage_(configuration.size),
      block_("block", rtl::block_named(block), block_configuration(configuration, seed)),
      port_(axi::pins::find_port(block_, "s_axi_", false)),
      bus_("bus", block_, port_,
           [this, widen] {
             axi::pins::TlmToAxiSettings settings;
             settings.outstanding = kTransactions;
             settings.widen = widen;
             settings.answered = [this](const tlm::tlm_generic_payload& payload,
                                        const sc_core::sc_time& begun) {
               answered(payload, begun);
             };
             return settings;
           }()),
      checker_(block_, port_),
      sdram_(block_, device_, timing_, mapping_, storage_,
             sdram_settings(configuration, block_.clock())),
      refresh_(configuration.refresh) {
  if (configuration.size > device_.size())
    throw bad_input(fmt::format("{} bytes of DDR3, but device {} has {}", configuration.size,
                                device_.name, device_.size()));
  tie_device();
  tie_policies(configuration);
  block_.settle();
  bus_.set_back_door(
      [this](tlm::tlm_generic_payload& payload) { return storage_.debug_access(payload); });
  if (CommandLog::wanted()) {
    command_log_ =
        std::make_unique<CommandLog>(this->name(), device_.banks, block_.clock().period_ps());
    sdram_.observe(*command_log_);
  }
}

void RtlMemory::tie(const char* pin, uint64_t value) { block_.input_pin(pin, 0).set(value); }

void RtlMemory::tie_device() {
  need(device_.burst_bytes() == kBurstBytes,
       fmt::format("module {} has {} data bits", device_.name, device_.data_bits),
       "the controller is one for 64");
  const unsigned bursts = device_.columns / device_.burst_length;
  need(device_.banks <= kBanks && bits(device_.rows) <= kRowBits && bits(bursts) <= kColumnBits,
       fmt::format("module {} has {} banks of {} rows of {} columns", device_.name, device_.banks,
                   device_.rows, device_.columns),
       fmt::format("the controller has {}, {} and {} at most", kBanks, 1u << kRowBits,
                   device_.burst_length << kColumnBits));
  const Timing& t = timing_;
  const std::pair<std::string_view, unsigned> timings[] = {
      {"t_rcd", t.trcd}, {"t_rp", t.trp},   {"t_ras", t.tras}, {"t_rc", t.trc}, {"t_rrd", t.trrd},
      {"t_faw", t.tfaw}, {"t_ccd", t.tccd}, {"t_wtr", t.twtr}, {"t_wr", t.twr}, {"t_rtp", t.trtp},
      {"t_rfc", t.trfc}, {"t_cl", t.cl},    {"t_cwl", t.cwl}};
  for (const auto& [pin, cycles] : timings) {
    const unsigned most = pin == "t_rfc" ? kMostRefreshCycles : kMostCycles;
    need(cycles <= most,
         fmt::format("{} of module {} is {} clock cycles", pin, device_.name, cycles),
         fmt::format("the controller counts up to {}", most));
    tie(pin.data(), cycles);
  }
  tie("size", storage_.size());
  tie("column_bits", bits(bursts));
  tie("bank_bits", bits(device_.banks));
  tie("row_bits", bits(device_.rows));
}

void RtlMemory::tie_policies(const Configuration& configuration) {
  need(configuration.queue_depth >= 1 && configuration.queue_depth <= kQueue,
       fmt::format("a queue of {} requests for a bank", configuration.queue_depth),
       fmt::format("the controller has room for {}: lower ddr3.queue_depth", kQueue));
  tie("bank_above_row", configuration.mapping == "bank-row-column");
  tie("in_order", configuration.scheduler == "in-order");
  tie("closed_page", configuration.page_policy == "closed");
  tie("queue_depth", configuration.queue_depth);
  tie("starvation_limit", configuration.starvation_limit);
}

void RtlMemory::answered(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& begun) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  kit::CommandCounters& traffic = traffic_.of(payload.is_write());
  if (payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE)
    log_ddr3.warning("{} @ {}: {} is outside the {} bytes of this memory", name(),
                     kit::time_text(now), kit::describe(payload), storage_.size());
  if (!payload.is_response_ok()) {
    ++traffic.errors;
    return;
  }
  if (log_ddr3.enabled(LogLevel::kTrace))
    log_ddr3.trace("{} @ {}: {}", name(), kit::time_text(begun), kit::describe(payload));
  const uint64_t address = payload.get_address();
  const uint64_t bytes = payload.get_data_length();
  const uint64_t bursts = (address + bytes - 1) / kBurstBytes - address / kBurstBytes + 1;
  traffic.count(bytes, bursts, false, (now - begun).value());
}

nlohmann::ordered_json RtlMemory::statistics() const {
  const ControllerCounters& counters = sdram_.counters();
  const uint64_t tck = block_.clock().period_ps();
  nlohmann::ordered_json json =
      statistics_json(traffic_, timing_.burst * tck, sdram_.bank_counters(), {});
  json["outstanding"].erase("max");  // the transactor knows, not this
  json["refreshes"] = counters.refreshes;
  Activity activity;
  activity.cycles = sc_core::sc_time_stamp().value() / tck;
  activity.active_cycles = sdram_.active_cycles(activity.cycles);
  for (const BankCounters& bank : sdram_.bank_counters()) activity.activates += bank.activates;
  activity.reads = counters.reads;
  activity.writes = counters.writes;
  // A block that sleeps makes up for those that fell due meanwhile when it wakes.
  activity.refreshes = std::max(counters.refreshes, refresh_ ? activity.cycles / timing_.trefi : 0);
  add_energy(json, device_, tck, activity);
  json["rtl"] = block_.statistics();
  json["rtl"]["protocol_check"] = axi::pins::to_json(checker_);
  json["rtl"]["command_check"] = {{"commands", sdram_.checker().commands()},
                                  {"violations", sdram_.checker().violation_count()},
                                  {"list", sdram_.checker().violations()}};
  return json;
}

}  // namespace gvp::ddr3
