// SPDX-License-Identifier: Apache-2.0
// Records every transaction that passes a socket, blocking or not, with its identity: sits between
// two sockets (models/tlm/interposer.h) and changes nothing but this: where transactions are
// recorded, direct memory pointers are denied, because what goes through them is no transaction.
// They are revoked when a time begins in which they are denied, and may be asked for again when it
// ends.
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
  // as Recorder::wanted() gives them.  origin: of what begins here; may be empty.  times: in which
  // pointers are denied, as Recorder::wanted_times() gives them.
  RecordedPort(const sc_core::sc_module_name& name, Recorder& recorder, const std::string& port,
               const std::vector<PortRegion>& regions, std::vector<Range> wanted,
               std::function<Origin()> origin, std::vector<Range> times = {Range{}});

  // The simulation ends now: what is under way is recorded.
  void finish_all();
  // What is to be recorded from now on begins at this time (ps) or later.
  uint64_t horizon() const;

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;

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
    bool requesting = true;  // END_REQ is still to come
    bool responded = false;
  };
  struct Region {
    Id name;
    Range addresses;
  };

  void start_of_simulation() override;
  void watch_times();
  void deny(bool denied);
  static uint64_t at(const sc_core::sc_time& delay) {
    return (sc_core::sc_time_stamp() + delay).value();
  }
  bool is_wanted(const tlm::tlm_generic_payload& payload) const;
  void open(tlm::tlm_generic_payload& payload, uint64_t time, bool begun_here,
            Transaction& transaction);
  void end_request(const tlm::tlm_generic_payload& payload, uint64_t time);
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
  const std::vector<Range> times_;
  bool denied_ = true;              // pointers, at the addresses that are wanted
  std::vector<Open> open_;          // few: what the port has outstanding
  std::vector<uint64_t> blocking_;  // b_transport calls under way, by their beginnings
  struct Initiator {
    const char* port;
    Id id;
  };
  std::vector<Initiator> initiators_;  // by the address of their name
};

}  // namespace gvp::trace
