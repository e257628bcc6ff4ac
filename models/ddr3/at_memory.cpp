// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/at_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/axi/extension.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"
#include "models/tlm/run_ahead.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");
constexpr uint64_t kNever = ~uint64_t{0};

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
      tck_(sc_core::sc_time(1.0 / configuration.clock_hz, sc_core::SC_SEC).value()),
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
  socket_.register_b_transport(this, &AtMemory::b_transport);
  socket_.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
  socket_.register_transport_dbg(this, &AtMemory::transport_dbg);
  socket_.register_get_direct_mem_ptr(this, &AtMemory::get_direct_mem_ptr);
  SC_METHOD(run_due);
  sensitive << wake_event_;
  dont_initialize();
}

// ---- time ----

void AtMemory::wake_at(uint64_t time) {
  if (time >= wake_time_) return;
  wake_time_ = time;
  wake_event_.cancel();
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
  if (!pushes_.empty()) next = std::min(next, pushes_.next_time());
  const uint64_t cycle = controller_.next_cycle();
  if (cycle != Controller::kNever) next = std::min(next, cycle * tck_);
  if (next != kNever) wake_at(next);
}

void AtMemory::run_controller() {
  // A request that comes now reaches the controller at the horizon or later.
  const uint64_t horizon = now() + std::max<uint64_t>(request_latency_, 1);
  for (;;) {
    const uint64_t arrival = pushes_.empty() ? kNever : pushes_.next_time();
    const uint64_t cycle = controller_.next_cycle();
    const uint64_t command = cycle == Controller::kNever ? kNever : cycle * tck_;
    if (std::min(arrival, command) >= horizon) return;
    if (arrival <= command) {
      Push next;
      pushes_.pop(arrival, next);
      push(next, arrival);
    } else {
      step(cycle);
    }
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

// ---- requests ----

AtMemory::Transaction& AtMemory::open(tlm::tlm_generic_payload& payload) {
  if (free_.empty()) free_.push_back(&transactions_.emplace_back());
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction = Transaction{};
  transaction.payload = &payload;
  transaction.write = payload.is_write();
  if (const auto* axi = payload.get_extension<axi::Extension>()) transaction.id = axi->id;
  return transaction;
}

void AtMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (auto* ahead = payload.get_extension<kit::RunAhead>()) {
    ahead->done = run_ahead(payload, delay, ahead->limit);
    return;
  }
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
  delay = sc_core::sc_time::from_value(tck_);
  return tlm::TLM_UPDATED;
}

bool AtMemory::arrive(Transaction& transaction) {
  tlm::tlm_generic_payload& payload = *transaction.payload;
  transaction.arrival = now();
  order_.push_back(&transaction);
  const uint64_t address = payload.get_address();
  const uint64_t bytes = kit::touched_bytes(payload);
  if (!storage_.contains(address, bytes)) {
    log_ddr3.warning("{} @ {}: {} is outside the {} bytes of this memory", name(),
                     kit::time_text(sc_core::sc_time_stamp()), kit::describe(payload),
                     storage_.size());
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    transaction.data_end = now() + request_latency_;
    at(transaction.data_end, {Action::kRefuse, &transaction});
    return true;
  }
  account(payload);
  transaction.next = address / device_.burst_bytes() * device_.burst_bytes();
  transaction.end = address + bytes;
  if (pending_.empty() && hand_on(transaction, now())) return true;
  pending_.push_back(&transaction);
  return false;
}

// Moves the data.
void AtMemory::account(tlm::tlm_generic_payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    kit::transfer(payload, storage_.data() + payload.get_address());
    (payload.is_write() ? writes_ : reads_) += 1;
    bytes_ += payload.get_data_length();
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool AtMemory::hand_on(Transaction& transaction, uint64_t time) {
  while (transaction.next < transaction.end) {
    unsigned& credits = credits_[mapping_.locate(transaction.next).bank];
    if (credits == 0) return false;
    --credits;
    ++transaction.in_flight;
    const uint64_t reached = cycle_at(time) * tck_ + request_latency_;
    pushes_.push(reached, {&transaction, transaction.next});
    wake_at(reached);
    transaction.next += device_.burst_bytes();
  }
  return true;
}

void AtMemory::hand_on_pending(uint64_t time) {
  while (!pending_.empty() && hand_on(*pending_.front(), time)) {
    Transaction& transaction = *pending_.front();
    pending_.pop_front();
    if (!transaction.owes_end_request) continue;
    transaction.owes_end_request = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::sc_time::from_value(time - now() + tck_);
    socket_->nb_transport_bw(*transaction.payload, phase, delay);
  }
}

void AtMemory::push(const Push& push, uint64_t time) {
  const Location location = mapping_.locate(push.address);
  Controller::Request request;
  request.tag = reinterpret_cast<uintptr_t>(push.transaction);
  request.bank = location.bank;
  request.row = location.row;
  request.write = push.transaction->write;
  controller_.push(request, time / tck_);
}

// ---- in one go ----

// A write may just have been served, its bank must be closed, and a refresh is under way or comes;
// each of them twice would still be in time.
uint64_t AtMemory::longest_idle_access() const {
  const Timing& t = timing_;
  const uint64_t refresh = t.tras + t.cwl + t.burst + t.twr + t.trp + t.trfc;
  const uint64_t access = t.trc + t.trp + t.trcd + t.cl + t.cwl + t.burst + t.twtr;
  return 2 * (refresh + access + 1) * tck_ + request_latency_ + response_latency_;
}

// What arrive(), the controller and the response take, for a transaction that is alone.
bool AtMemory::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                         uint64_t limit) {
  const uint64_t arrival = now() + delay.value();
  const uint64_t address = payload.get_address();
  const uint64_t burst = device_.burst_bytes();
  const uint64_t first = address / burst * burst;
  const bool idle = order_.empty() && queue_.empty() && pushes_.empty() &&
                    controller_.waiting() == 0 && responding_ == nullptr;
  if (!idle || arrival + longest_idle_access_ > limit) return false;
  // One burst only, and nothing to complain about.
  const uint64_t bytes = kit::touched_bytes(payload);
  if (address + bytes > first + burst || !storage_.contains(address, bytes) ||
      !kit::check_attributes(payload))
    return false;
  account(payload);
  const Location location = mapping_.locate(first);
  Controller::Request request;
  request.bank = location.bank;
  request.row = location.row;
  request.write = payload.is_write();
  controller_.push(request, cycle_at(arrival) + request_latency_ / tck_);
  Controller::Served served;
  while (!served.any) served = controller_.step(controller_.next_cycle());
  const uint64_t end = served.data_end * tck_ + response_latency_;
  latency_.add(end - arrival);
  last_response_ = std::max(last_response_, end);
  delay = sc_core::sc_time::from_value(end - now());
  return true;
}

// ---- responses ----

void AtMemory::step(uint64_t cycle) {
  const Controller::Served served = controller_.step(cycle);
  if (!served.any) return;
  // The controller knows transactions by number only; ours is the address.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  Transaction& transaction = *reinterpret_cast<Transaction*>(served.tag);
  ++credits_[served.bank];
  transaction.data_end = std::max(transaction.data_end, served.data_end * tck_);
  --transaction.in_flight;
  hand_on_pending(cycle * tck_);
  if (transaction.in_flight == 0 && transaction.next >= transaction.end) finish(transaction);
}

// Answers every served transaction that no older one with its ID and direction holds back.
void AtMemory::finish(Transaction& transaction) {
  transaction.served = true;
  size_t kept = 0;
  for (size_t i = 0; i < order_.size(); ++i) {
    Transaction& each = *order_[i];
    const bool related = each.id == transaction.id && each.write == transaction.write;
    const bool waits =
        !related || !each.served ||
        std::any_of(
            order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept),
            [&](const Transaction* r) { return r->id == each.id && r->write == each.write; });
    if (waits) {
      order_[kept++] = &each;
      continue;
    }
    // The last data of this ID may be later than that of one that waited for it.
    each.data_end = std::max(each.data_end, transaction.data_end);
    ready_.push_back(&each);
  }
  order_.resize(kept);
  for (Transaction* each : ready_) schedule_response(*each);
  ready_.clear();
}

// Data leave the SDRAM in the order of their commands, so responses can be announced at once,
// with their time, unless the socket is busy with an earlier one or one is still to be announced.
void AtMemory::schedule_response(Transaction& transaction) {
  const uint64_t time = transaction.data_end + response_latency_;
  latency_.add(time - transaction.arrival);
  if (transaction.waiter != nullptr) return at(time, {Action::kRespond, &transaction});
  if (responding_ != nullptr || !responses_.empty() || unannounced_ != 0 || time < last_response_) {
    ++unannounced_;
    return at(time, {Action::kRespond, &transaction});
  }
  last_response_ = time;
  send_response(transaction, sc_core::sc_time::from_value(time - now()));
}

void AtMemory::respond(Transaction& transaction) {
  if (transaction.waiter != nullptr) {
    transaction.waiter->notify();
    return close(transaction);
  }
  --unannounced_;
  responses_.push_back(&transaction);
  send_responses();
}

void AtMemory::send_responses() {
  while (responding_ == nullptr && !responses_.empty()) {
    Transaction& transaction = *responses_.front();
    responses_.pop_front();
    send_response(transaction, sc_core::SC_ZERO_TIME);
  }
}

void AtMemory::send_response(Transaction& transaction, sc_core::sc_time delay) {
  responding_ = &transaction;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const sc_core::sc_time sent = delay;
  const tlm::tlm_sync_enum answer = socket_->nb_transport_bw(*transaction.payload, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) return;  // END_RESP comes by the forward path
  if (delay > sent) return at(now() + delay.value(), {Action::kEndResponse, nullptr});
  responding_ = nullptr;
  close(transaction);
}

void AtMemory::end_response() {
  if (responding_ == nullptr) return;
  Transaction& transaction = *responding_;
  responding_ = nullptr;
  close(transaction);
  send_responses();
}

void AtMemory::close(Transaction& transaction) {
  if (transaction.waiter == nullptr && transaction.payload->has_mm())
    transaction.payload->release();
  free_.push_back(&transaction);
}

// ---- without time ----

unsigned AtMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  if (address >= storage_.size()) return 0;
  const uint64_t count = std::min<uint64_t>(payload.get_data_length(), storage_.size() - address);
  if (payload.is_write())
    std::memcpy(storage_.data() + address, payload.get_data_ptr(), count);
  else if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), storage_.data() + address, count);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return static_cast<unsigned>(count);
}

bool AtMemory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_start_address(0);
  dmi.set_end_address(storage_.size() - 1);
  dmi.allow_none();
  return false;
}

nlohmann::ordered_json AtMemory::statistics() const {
  const ControllerCounters& counters = controller_.counters();
  const auto ns = [](uint64_t ps) { return static_cast<double>(ps) / 1000; };
  return {{"reads", reads_},
          {"writes", writes_},
          {"row_hits", counters.row_hits},
          {"row_misses", counters.row_misses},
          {"row_conflicts", counters.row_conflicts},
          {"refreshes", counters.refreshes},
          {"bytes", bytes_},
          {"latency_ns",
           {{"mean", latency_.mean() / 1000},
            {"p50", ns(latency_.percentile(0.5))},
            {"p95", ns(latency_.percentile(0.95))},
            {"p99", ns(latency_.percentile(0.99))},
            {"max", ns(latency_.maximum())}}}};
}

}  // namespace gvp::ddr3
