// SPDX-License-Identifier: Apache-2.0
// A bridge from one bus to another with the same address map: a window of the first at `base` shows
// what the second has at the same addresses.  Passes everything on as it comes, without time of its
// own (the buses on both sides have theirs): blocking and non-blocking transport, direct memory,
// debug access.  A non-blocking transaction goes on as a copy with the other address, which shares
// data and extensions: the address of the original stays as its initiator wrote it.  Addresses are
// bytes. Not modelled: conversion of widths and protocols, buffering, a limit of outstanding
// transactions.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "models/tlm/payload_pool.h"

namespace gvp::axi {

struct BridgeConfiguration {
  uint64_t size = 1 << 20;  // of the window
};

class Bridge : public sc_core::sc_module,
               private tlm::tlm_fw_transport_if<>,
               private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> upstream{"upstream"};
  tlm::tlm_initiator_socket<> downstream{"downstream"};

  Bridge(const sc_core::sc_module_name& name, uint64_t base);
  ~Bridge() override;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  tlm::tlm_generic_payload& begin(tlm::tlm_generic_payload& payload);
  void take_response(const tlm::tlm_generic_payload& child, tlm::tlm_generic_payload& payload);
  void end(tlm::tlm_generic_payload& payload);

  uint64_t base_;
  kit::PayloadPool pool_;
  // Transactions under way, both ways round.
  std::unordered_map<tlm::tlm_generic_payload*, tlm::tlm_generic_payload*> children_, parents_;
};

}  // namespace gvp::axi
