// SPDX-License-Identifier: Apache-2.0
// Gives every transaction that passes an identity (transaction_identity.h), if it has none: sits on
// an initiator's socket, and whoever records transactions does so behind it or derives from it.
// A transaction keeps its identity from BEGIN_REQ to the end of its response, or for its
// b_transport call.
//
// Not numbered: debug accesses, and accesses through direct memory pointers, which are none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/tlm/interposer.h"
#include "models/tlm/transaction_identity.h"

namespace gvp::kit {

class TransactionNumbering : public Interposer {
 public:
  // port: of the initiator, for the identities.
  TransactionNumbering(const sc_core::sc_module_name& name, std::string port);
  ~TransactionNumbering() override;

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;

 protected:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;

  // Gives it an identity; false if it has one.
  bool begin(tlm::tlm_generic_payload& payload);
  // Takes the identity back, if it was given here.
  void end(tlm::tlm_generic_payload& payload);
  // The same of a transaction that has not begun after all.
  void take_back(tlm::tlm_generic_payload& payload);

 private:
  struct Numbered {
    tlm::tlm_generic_payload* payload;
    std::unique_ptr<TransactionIdentity> identity;
  };

  std::string port_;
  std::vector<Numbered> open_;  // few: what an initiator has outstanding
  std::vector<std::unique_ptr<TransactionIdentity>> free_;
};

}  // namespace gvp::kit
