// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/transaction_numbering.h"

namespace gvp::kit {

TransactionNumbering::TransactionNumbering(const sc_core::sc_module_name& name, std::string port)
    : Interposer(name), port_(std::move(port)) {}

// A simulation may end in the middle of transactions: their payloads take the identities along.
TransactionNumbering::~TransactionNumbering() {
  for (auto& [payload, identity] : open_) {
    identity->kept = false;
    static_cast<void>(identity.release());
  }
}

void TransactionNumbering::begin(tlm::tlm_generic_payload& payload) {
  if (payload.get_extension<TransactionIdentity>() != nullptr) return;
  if (free_.empty()) {
    free_.push_back(std::make_unique<TransactionIdentity>());
    free_.back()->kept = true;
  }
  std::unique_ptr<TransactionIdentity>& identity = open_[&payload];
  identity = std::move(free_.back());
  free_.pop_back();
  identity->begin(port_.c_str());
  payload.set_extension(identity.get());
}

void TransactionNumbering::end(tlm::tlm_generic_payload& payload) {
  const auto found = open_.find(&payload);
  if (found == open_.end()) return;
  payload.clear_extension(found->second.get());
  free_.push_back(std::move(found->second));
  open_.erase(found);
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
