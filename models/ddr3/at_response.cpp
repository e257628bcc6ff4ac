// SPDX-License-Identifier: Apache-2.0
// The response half of the approximately timed DDR3: from the controller to the socket.
#include <algorithm>

#include "models/ddr3/at_memory.h"

namespace gvp::ddr3 {

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

// Answers the transaction, and younger ones with its ID and direction that waited only for it.
void AtMemory::finish(Transaction& served) {
  served.served = true;
  if (!served.chain.oldest) return;
  const uint64_t data_end = served.data_end;
  for (Transaction* each = &served; each != nullptr && each->served;) {
    Transaction* next = order_[each->write].remove(*each);
    --unanswered_;
    // The last data of this ID may be later than that of one that waited for it.
    each->data_end = std::max(each->data_end, data_end);
    schedule_response(*each);
    each = next;
  }
}

void AtMemory::count(const tlm::tlm_generic_payload& payload, uint64_t bursts,
                     uint64_t latency_ps) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  port_.of(payload.is_write()).count(payload.get_data_length(), bursts, false, latency_ps);
}

// Data leave the SDRAM in the order of their commands, so responses can be announced at once,
// with their time, unless the socket is busy with an earlier one or one is still to be announced.
void AtMemory::schedule_response(Transaction& transaction) {
  const uint64_t time = transaction.data_end + response_latency_;
  if (transaction.status == tlm::TLM_OK_RESPONSE)
    count(*transaction.payload, transaction.bursts, time - transaction.arrival);
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
    transaction.payload->set_response_status(transaction.status);
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
  transaction.payload->set_response_status(transaction.status);
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

}  // namespace gvp::ddr3
