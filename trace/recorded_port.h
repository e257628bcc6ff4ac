// SPDX-License-Identifier: Apache-2.0
// Records every transaction that passes a socket, blocking or not, with its identity: sits between
// two sockets (models/tlm/interposer.h) and changes nothing but this: where transactions are
// recorded, direct memory pointers are denied, because what goes through them is no transaction.
//
// A transaction is recorded when its response has ended.  What is under way when the simulation
// ends is recorded then, as incomplete if its response has not begun.  Debug accesses are not
// recorded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/tlm/transaction_numbering.h"
#include "trace/recorder.h"

namespace gvp::trace {

// Who causes what begins at a port: the host's function, or a kernel.
struct Origin {
  Id name = kNobody;
  bool kernel = false;
};

class RecordedPort : public kit::TransactionNumbering {
 public:
  // regions: where addresses lead; empty for a target's port.  wanted: addresses that are recorded,
  // as Recorder::wanted() gives them.  origin: of what begins here; may be empty.
  RecordedPort(const sc_core::sc_module_name& name, Recorder& recorder, const std::string& port,
               const std::vector<PortRegion>& regions, std::vector<Range> wanted,
               std::function<Origin()> origin);

  // The simulation ends now: what is under way is recorded.
  void finish_all();

 protected:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

 private:
  struct Open {
    const tlm::tlm_generic_payload* payload = nullptr;
    Transaction transaction;
    bool responded = false;
  };
  struct Region {
    Id name;
    Range addresses;
  };

  static uint64_t at(const sc_core::sc_time& delay) {
    return (sc_core::sc_time_stamp() + delay).value();
  }
  bool is_wanted(const tlm::tlm_generic_payload& payload) const;
  void open(tlm::tlm_generic_payload& payload, uint64_t time, Transaction& transaction);
  static void respond(Open& open, const tlm::tlm_generic_payload& payload, uint64_t time);
  void finish(const tlm::tlm_generic_payload& payload, uint64_t time);
  Open* find(const tlm::tlm_generic_payload& payload);
  Id target_of(uint64_t address);
  Id initiator_of(const char* port);

  Recorder& recorder_;
  const Id port_;
  std::vector<Region> regions_;
  size_t last_region_ = 0;
  const std::vector<Range> wanted_;
  std::function<Origin()> origin_;
  std::vector<Open> open_;  // few: what the port has outstanding
  uint32_t blocking_ = 0;   // b_transport calls under way
  struct Initiator {
    const char* port;
    Id id;
  };
  std::vector<Initiator> initiators_;  // by the address of their name
};

}  // namespace gvp::trace
