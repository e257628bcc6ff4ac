// SPDX-License-Identifier: Apache-2.0
// A bridge from one bus to another with the same address map: a window of the first at `base` shows
// what the second has at the same addresses.  Passes everything on as it comes, without time of its
// own (the buses on both sides have theirs): blocking and non-blocking transport, direct memory,
// debug access.  A non-blocking transaction goes on as a copy with the other address, which shares
// data and extensions: the address of the original stays as its initiator wrote it.
//
// So many reads, and so many writes, are under way at most: the next one's END_REQ comes when there
// is room, and so do all requests behind it, since a hop has one request at a time; a caller of
// b_transport waits.  Addresses are bytes.  Not modelled: conversion of widths and protocols,
// buffering.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "models/tlm/payload_pool.h"
#include "models/tlm/ring.h"

namespace gvp::axi {

struct BridgeConfiguration {
  uint64_t size = 1 << 20;   // of the window
  unsigned outstanding = 8;  // transactions under way, per direction
};

class Bridge : public sc_core::sc_module,
               private tlm::tlm_fw_transport_if<>,
               private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> upstream{"upstream"};
  tlm::tlm_initiator_socket<> downstream{"downstream"};

  // outstanding: not 0.
  Bridge(const sc_core::sc_module_name& name, uint64_t base,
         unsigned outstanding = BridgeConfiguration{}.outstanding);
  ~Bridge() override;

 private:
  SC_HAS_PROCESS(Bridge);
  struct Crossing {
    tlm::tlm_generic_payload* child = nullptr;
    bool completed = false;  // the target is done with it, and takes no END_RESP
  };
  struct Response {
    tlm::tlm_generic_payload* payload = nullptr;
    sc_core::sc_time time;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  bool has_room(const tlm::tlm_generic_payload& payload) const {
    return under_way_[payload.is_write() ? 1 : 0] < outstanding_;
  }
  void leave(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  tlm::tlm_generic_payload& begin(tlm::tlm_generic_payload& payload);
  void take_response(const tlm::tlm_generic_payload& child, tlm::tlm_generic_payload& payload);
  void end(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void hold(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void let_in();
  bool may_respond(const sc_core::sc_time& delay) const;
  void queue(tlm::tlm_generic_payload& payload, const tlm::tlm_generic_payload& child,
             const sc_core::sc_time& delay);
  void respond();
  void end_response(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void end_above(const sc_core::sc_time& delay);

  const uint64_t base_;
  const unsigned outstanding_;
  std::array<unsigned, 2> under_way_{};                     // reads, writes
  tlm::tlm_generic_payload* held_ = nullptr;                // its END_REQ is owed
  sc_core::sc_time held_from_;                              // when its BEGIN_REQ was
  sc_core::sc_event room_{"room"};                          // for held_
  unsigned blocked_ = 0;                                    // callers of b_transport that wait
  sc_core::sc_event room_for_blocked_{"room_for_blocked"};  // for callers of b_transport
  kit::Ring<Response> responses_;                           // that wait for their turn above
  tlm::tlm_generic_payload* responding_ = nullptr;          // between BEGIN_RESP and END_RESP there
  sc_core::sc_time response_free_;                          // when the next one may begin
  sc_core::sc_event response_{"response"};
  kit::PayloadPool pool_;
  // Transactions under way, both ways round.
  std::unordered_map<tlm::tlm_generic_payload*, Crossing> children_;
  std::unordered_map<tlm::tlm_generic_payload*, tlm::tlm_generic_payload*> parents_;
};

}  // namespace gvp::axi
