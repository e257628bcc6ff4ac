// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/transaction_numbering.h"

#include <algorithm>
#include <utility>

namespace gvp::kit {

TransactionNumbering::TransactionNumbering(const sc_core::sc_module_name& name, std::string port)
    : Interposer(name), port_(std::move(port)) {}

// A simulation may end in the middle of transactions: their payloads take the identities along.
TransactionNumbering::~TransactionNumbering() {
  for (Numbered& each : open_) {
    each.identity->kept = false;
    static_cast<void>(each.identity.release());
  }
}

bool TransactionNumbering::begin(tlm::tlm_generic_payload& payload) {
  if (payload.get_extension<TransactionIdentity>() != nullptr) return false;
  if (free_.empty()) {
    free_.push_back(std::make_unique<TransactionIdentity>());
    free_.back()->kept = true;
  }
  open_.push_back({&payload, std::move(free_.back())});
  free_.pop_back();
  TransactionIdentity& identity = *open_.back().identity;
  identity.begin(port_.c_str());
  payload.set_extension(&identity);
  return true;
}

void TransactionNumbering::end(tlm::tlm_generic_payload& payload) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Numbered& each) { return each.payload == &payload; });
  if (found == open_.end()) return;
  payload.clear_extension(found->identity.get());
  free_.push_back(std::move(found->identity));
  *found = std::move(open_.back());
  open_.pop_back();
}

void TransactionNumbering::take_back(tlm::tlm_generic_payload& payload) {
  payload.get_extension<TransactionIdentity>()->take_back();
  end(payload);
}

bool TransactionNumbering::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                                     uint64_t limit) {
  const bool began = begin(payload);
  const bool done = Interposer::run_ahead(payload, delay, limit);
  if (began) done ? end(payload) : take_back(payload);
  return done;
}

void TransactionNumbering::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  begin(payload);
  Interposer::b_transport(payload, delay);
  end(payload);
}

tlm::tlm_sync_enum TransactionNumbering::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                         tlm::tlm_phase& phase,
                                                         sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) begin(payload);
  const bool over = phase == tlm::END_RESP;
  const tlm::tlm_sync_enum answer = Interposer::nb_transport_fw(payload, phase, delay);
  if (over || answer == tlm::TLM_COMPLETED) end(payload);
  return answer;
}

tlm::tlm_sync_enum TransactionNumbering::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                         tlm::tlm_phase& phase,
                                                         sc_core::sc_time& delay) {
  // An initiator that ends the response in its answer may have released its payload by then.
  payload.acquire();
  const tlm::tlm_sync_enum answer = Interposer::nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    end(payload);
  payload.release();
  return answer;
}

}  // namespace gvp::kit
