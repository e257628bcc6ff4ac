// SPDX-License-Identifier: Apache-2.0
// The request half of the approximately timed DDR3: from the socket to the controller.
#include <algorithm>

#include "models/axi/extension.h"
#include "models/base/log.h"
#include "models/ddr3/at_memory.h"
#include "models/tlm/payload.h"
#include "models/tlm/transaction_identity.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

}  // namespace

// 0: nobody has numbered it.
uint64_t AtMemory::root_of(const tlm::tlm_generic_payload& payload) {
  const auto* identity = payload.get_extension<kit::TransactionIdentity>();
  return identity == nullptr ? 0 : identity->root;
}

AtMemory::Transaction& AtMemory::open(tlm::tlm_generic_payload& payload) {
  if (free_.empty()) free_.push_back(&transactions_.emplace_back());
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction = Transaction{};
  transaction.payload = &payload;
  transaction.write = payload.is_write();
  if (const auto* axi = payload.get_extension<axi::Extension>()) transaction.chain.id = axi->id;
  return transaction;
}

bool AtMemory::arrive(Transaction& transaction) {
  tlm::tlm_generic_payload& payload = *transaction.payload;
  transaction.arrival = now();
  order_[transaction.write].add(transaction);
  ++unanswered_;
  const uint64_t address = payload.get_address();
  const uint64_t bytes = kit::touched_bytes(payload);
  if (!storage_.contains(address, bytes)) {
    log_ddr3.warning("{} @ {}: {} is outside the {} bytes of this memory", name(),
                     kit::time_text(sc_core::sc_time_stamp()), kit::describe(payload),
                     storage_.size());
    ++port_.of(transaction.write).errors;
    transaction.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    transaction.data_end = now() + request_latency_;
    at(transaction.data_end, {Action::kRefuse, &transaction});
    return true;
  }
  transfer(payload);
  if (log_ddr3.enabled(LogLevel::kTrace))
    log_ddr3.trace("{} @ {}: {}", name(), kit::time_text(sc_core::sc_time_stamp()),
                   kit::describe(payload));
  transaction.next = address & ~(burst_bytes_ - 1);
  transaction.end = address + bytes;
  transaction.bursts = (transaction.end - transaction.next + burst_bytes_ - 1) / burst_bytes_;
  port_.note_outstanding(unanswered_);
  if (pending_.empty() && hand_on(transaction, now())) return true;
  pending_.push_back(&transaction);
  return false;
}

// Moves the data.  The response status is set when there is a response: until then the payload of a
// request that was accepted is left alone (IEEE 1666-2011, 11.1.2).
void AtMemory::transfer(tlm::tlm_generic_payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) storage_.transfer(payload);
}

bool AtMemory::hand_on(Transaction& transaction, uint64_t time) {
  const uint64_t reached = cycle_at(time) + request_latency_ / tck_;
  while (transaction.next < transaction.end) {
    const Location location = mapping_.locate(transaction.next);
    unsigned& credits = credits_[location.bank];
    if (credits == 0) return false;
    --credits;
    ++transaction.in_flight;
    Controller::Request request;
    request.tag = reinterpret_cast<uintptr_t>(&transaction);
    request.bank = location.bank;
    request.row = location.row;
    request.write = transaction.write;
    request.root = root_of(*transaction.payload);
    pushes_.push(reached, request);
    wake_at(reached * tck_);
    transaction.next += burst_bytes_;
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

}  // namespace gvp::ddr3
