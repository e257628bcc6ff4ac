// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/at_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/axi/extension.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/ddr3/energy.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");
constexpr uint64_t kNever = Controller::kNever;

ControllerSettings settings_of(const Configuration& configuration) {
  ControllerSettings settings;
  if (configuration.scheduler != "fr-fcfs" && configuration.scheduler != "in-order")
    throw bad_input(fmt::format("unknown DDR3 scheduler \"{}\"", configuration.scheduler), {},
                    "known are fr-fcfs, in-order");
  if (configuration.page_policy != "open" && configuration.page_policy != "closed")
    throw bad_input(fmt::format("unknown DDR3 page policy \"{}\"", configuration.page_policy), {},
                    "known are open, closed");
  if (configuration.queue_depth == 0) throw bad_input("the DDR3 queue depth must be above 0");
  settings.in_order = configuration.scheduler == "in-order";
  settings.closed_page = configuration.page_policy == "closed";
  settings.refresh = configuration.refresh;
  settings.queue_depth = configuration.queue_depth;
  settings.starvation_limit = configuration.starvation_limit;
  return settings;
}

}  // namespace

AtMemory::AtMemory(const sc_core::sc_module_name& name, const Configuration& configuration)
    : MemoryController(name),
      device_(find_device(configuration.device)),
      timing_(timing_at(device_, configuration.clock_hz)),
      mapping_(device_, configuration.mapping),
      controller_(device_.banks, timing_, settings_of(configuration)),
      storage_(configuration.size),
      refresh_(configuration.refresh),
      tck_(kit::Clock(configuration.clock_hz, "the DDR3 clock").period_ps()),
      credits_(device_.banks, configuration.queue_depth) {
  if (configuration.size > device_.size())
    throw bad_input(fmt::format("{} bytes of DDR3, but device {} has {}", configuration.size,
                                device_.name, device_.size()));
  if (!(configuration.front_end_ns >= 0))
    throw bad_input("the DDR3 front-end latency must not be negative");
  const uint64_t front_end = sc_core::sc_time(configuration.front_end_ns, sc_core::SC_NS).value();
  request_latency_ = front_end / 2 / tck_ * tck_;
  response_latency_ = front_end - request_latency_;
  longest_idle_access_ = longest_idle_access();
  burst_bytes_ = device_.burst_bytes();
  clock_period_ = sc_core::sc_time::from_value(tck_);
  if (CommandLog::wanted()) {
    command_log_ = std::make_unique<CommandLog>(this->name(), device_.banks, tck_);
    controller_.observe(*command_log_);
  }
  socket_.bind(*this);
  SC_METHOD(run_due);
  sensitive << wake_event_;
  dont_initialize();
}

// ---- time ----

void AtMemory::wake_at(uint64_t time) {
  if (time >= wake_time_) return;
  wake_time_ = time;
  wake_event_.notify(sc_core::sc_time::from_value(time > now() ? time - now() : 0));
}

void AtMemory::at(uint64_t time, const Action& action) {
  queue_.push(time, action);
  wake_at(time);
}

void AtMemory::run_due() {
  const uint64_t time = now();
  wake_time_ = time;  // what is added for this moment is taken below
  Action action;
  while (queue_.pop(time, action)) perform(action);
  run_controller();
  while (queue_.pop(time, action)) perform(action);
  wake_time_ = kNever;
  uint64_t next = queue_.empty() ? kNever : queue_.next_time();
  const uint64_t cycle = next_cycle();
  if (cycle != kNever) next = std::min(next, cycle * tck_);
  if (next != kNever) wake_at(next);
}

// When the controller has something to do.
uint64_t AtMemory::next_cycle() {
  const uint64_t command = controller_.next_cycle();
  return pushes_.empty() ? command : std::min(command, pushes_.next_time());
}

void AtMemory::run_controller() {
  // A request that comes now reaches the controller at the horizon or later.
  const uint64_t horizon = cycle_at(now() + std::max<uint64_t>(request_latency_, 1));
  for (;;) {
    const uint64_t cycle = next_cycle();
    if (cycle >= horizon) return;
    Controller::Request arrived;
    if (pushes_.pop(cycle, arrived))
      controller_.push(arrived, cycle);
    else
      step(cycle);
  }
}

void AtMemory::perform(const Action& action) {
  switch (action.kind) {
    case Action::kArrive:
      if (!arrive(*action.transaction)) action.transaction->owes_end_request = true;
      break;
    case Action::kRefuse:
      return finish(*action.transaction);
    case Action::kRespond:
      return respond(*action.transaction);
    case Action::kEndResponse:
      return end_response();
  }
}

// ---- TLM interfaces ----

void AtMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (run_ahead(payload, delay, kit::quiet_until())) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  if (!kit::check_attributes(payload)) return;
  if (events_.empty()) events_.push_back(std::make_unique<sc_core::sc_event>());
  std::unique_ptr<sc_core::sc_event> done = std::move(events_.back());
  events_.pop_back();
  Transaction& transaction = open(payload);
  transaction.waiter = done.get();
  arrive(transaction);
  sc_core::wait(*done);
  events_.push_back(std::move(done));
}

tlm::tlm_sync_enum AtMemory::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    at(now() + delay.value(), {Action::kEndResponse, nullptr});
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) {
    log_ddr3.error("{}: {} comes in an unexpected phase", name(), kit::describe(payload));
    return tlm::TLM_COMPLETED;
  }
  if (!kit::check_attributes(payload)) return tlm::TLM_COMPLETED;
  if (payload.has_mm()) payload.acquire();
  Transaction& transaction = open(payload);
  if (delay != sc_core::SC_ZERO_TIME) {
    at(now() + delay.value(), {Action::kArrive, &transaction});
    return tlm::TLM_ACCEPTED;
  }
  if (!arrive(transaction)) {
    transaction.owes_end_request = true;
    return tlm::TLM_ACCEPTED;
  }
  phase = tlm::END_REQ;
  delay = clock_period_;
  return tlm::TLM_UPDATED;
}

// ---- without time ----

unsigned AtMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  return storage_.debug_access(payload);
}

bool AtMemory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  return storage_.grant(dmi, kit::Storage::Grant::kNone, sc_core::SC_ZERO_TIME,
                        sc_core::SC_ZERO_TIME);
}

nlohmann::ordered_json AtMemory::statistics() const {
  const ControllerCounters& counters = controller_.counters();
  nlohmann::ordered_json json =
      statistics_json(port_, timing_.burst * tck_, controller_.banks(), {});
  const uint64_t whole_cycles = now() / tck_;
  const auto cycles = static_cast<double>(whole_cycles);
  json["refreshes"] = counters.refreshes;
  json["refresh_stall_cycles"] = counters.refresh_stall_cycles;
  json["queue"] = {{"mean", cycles > 0 ? static_cast<double>(counters.waited_cycles) / cycles : 0},
                   {"max", counters.most_waiting}};
  Activity activity;
  activity.cycles = whole_cycles;
  activity.active_cycles = controller_.active_cycles(whole_cycles);
  for (const BankCounters& bank : controller_.banks()) activity.activates += bank.activates;
  activity.reads = counters.reads;
  activity.writes = counters.writes;
  // Those that nobody has waited for have not been counted yet.
  activity.refreshes = std::max(counters.refreshes, refresh_ ? whole_cycles / timing_.trefi : 0);
  add_energy(json, device_, tck_, activity);
  return json;
}

}  // namespace gvp::ddr3
