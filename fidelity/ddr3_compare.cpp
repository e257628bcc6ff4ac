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

#include "models/base/error.h"
#include "models/ddr3/at_memory.h"
#include "models/ddr3/rtl/rtl_memory.h"
#include "models/tlm/payload_pool.h"
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

// Keeps a number of transactions in flight until it has had its share.
class Traffic : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};
  sc_core::sc_time ended;
  uint64_t answered = 0;

  Traffic(const sc_core::sc_module_name& name, const Pattern& pattern)
      : sc_module(name), pattern_(pattern), data_(pattern.bytes) {
    SC_HAS_PROCESS(Traffic);
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << event_;
    SC_METHOD(respond);
    sensitive << response_event_;
    dont_initialize();
  }

 private:
  void send() {
    if (requesting_ || sent_ == kTransactions || sent_ - answered == pattern_.in_flight) return;
    if (free_at_ > sc_core::sc_time_stamp())
      return event_.notify(free_at_ - sc_core::sc_time_stamp());
    constexpr uint64_t kRandomBytes = 16 << 20;
    const uint64_t address = pattern_.stride == 0
                                 ? engine_() % (kRandomBytes / pattern_.bytes) * pattern_.bytes
                                 : sent_ * pattern_.stride % (uint64_t{512} << 20);
    const bool write = std::bernoulli_distribution(pattern_.write_share)(engine_);
    tlm::tlm_generic_payload& payload = pool_.acquire();
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(pattern_.bytes);
    payload.set_streaming_width(pattern_.bytes);
    ++sent_;
    requesting_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED) accepted(delay);
  }
  // One request a clock, whoever is asked.
  void accepted(const sc_core::sc_time& delay) {
    if (!requesting_) return;
    requesting_ = false;
    const sc_core::sc_time clock(1 / kClock, sc_core::SC_SEC);
    free_at_ = sc_core::sc_time_stamp() + std::max(delay, clock);
    event_.notify(std::max(delay, clock));
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    accepted(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    // An announcement of what comes later counts when it is there.
    const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
    phase = tlm::END_RESP;
    payload.release();
    responses_.push_back(at);
    response_event_.notify(delay);
    return tlm::TLM_UPDATED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void respond() {
    while (!responses_.empty() && responses_.front() <= sc_core::sc_time_stamp()) {
      ended = responses_.front();
      responses_.pop_front();
      ++answered;
    }
    if (!responses_.empty()) response_event_.notify(responses_.front() - sc_core::sc_time_stamp());
    send();
  }

  Pattern pattern_;
  kit::PayloadPool pool_;
  std::vector<uint8_t> data_;
  std::mt19937_64 engine_{1};
  uint64_t sent_ = 0;
  bool requesting_ = false;
  sc_core::sc_time free_at_;
  sc_core::sc_event event_, response_event_;
  std::deque<sc_core::sc_time> responses_;
};

struct System {
  System(const std::string& name, const Pattern& pattern, bool rtl)
      : traffic((name + "_traffic").c_str(), pattern) {
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

  Traffic traffic;
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
