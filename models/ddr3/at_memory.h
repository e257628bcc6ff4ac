// SPDX-License-Identifier: Apache-2.0
// The approximately timed DDR3: the controller of controller.h behind a TLM-2.0 socket.
//
//   BEGIN_REQ  the transaction is cut into bursts of 64 bytes.  END_REQ comes one clock later if
//              every burst finds room in its bank's queue, else when it does: back-pressure.
//   front end  `front_end_ns` in all: half of it (rounded down to the clock) before the controller
//              sees a burst, the rest between the last data and the response.
//   BEGIN_RESP one response at a time, until END_RESP; transactions with the same AXI ID (0
//              without the extension) are answered in order in each direction.
//
// The front end's request half is also a look-ahead: what the controller does in that time is
// already decided when it begins, so one wake-up runs through all of it.
// Data moves when a transaction is accepted: the controller never reorders accesses to the same
// row, so no reader can tell.  b_transport takes the same time and way; a caller who is bound
// directly and promises that nothing else happens meanwhile (kit::RunAhead) gets the answer at
// once, with its time as delay. Not modelled: what controller.h says; single data beats; direct
// memory pointers (they would bypass the timing).
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "models/ddr3/address_mapping.h"
#include "models/ddr3/command_log.h"
#include "models/ddr3/controller.h"
#include "models/ddr3/counters.h"
#include "models/ddr3/device.h"
#include "models/ddr3/memory_controller.h"
#include "models/tlm/clock.h"
#include "models/tlm/id_order.h"
#include "models/tlm/ring.h"
#include "models/tlm/run_ahead.h"
#include "models/tlm/storage.h"
#include "models/tlm/timed_queue.h"

namespace gvp::ddr3 {

class AtMemory : public MemoryController, public tlm::tlm_fw_transport_if<>, public kit::RunAhead {
 public:
  AtMemory(const sc_core::sc_module_name& name, const Configuration& configuration);

  tlm::tlm_target_socket<>& socket() override { return socket_; }
  nlohmann::ordered_json statistics() const override;
  uint64_t command_period_ps() const override { return tck_; }
  void observe(CommandObserver& observer) override { controller_.observe(observer); }

 private:
  SC_HAS_PROCESS(AtMemory);
  struct Transaction {
    tlm::tlm_generic_payload* payload = nullptr;
    sc_core::sc_event* waiter = nullptr;  // of a b_transport call
    uint64_t arrival = 0;                 // ps
    uint64_t next = 0;                    // address of the next burst to hand on
    uint64_t end = 0;                     // address after the last byte
    unsigned in_flight = 0;               // bursts handed on, not served
    uint64_t data_end = 0;                // ps: of the latest burst served
    kit::IdLink<Transaction> chain;
    uint64_t bursts = 0;
    bool write = false;
    bool served = false;  // all data moved; may wait for an older one with its ID
    bool owes_end_request = false;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  struct Action {
    enum Kind : uint8_t { kArrive, kRefuse, kRespond, kEndResponse } kind = kArrive;
    Transaction* transaction = nullptr;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  uint64_t now() const { return simcontext()->time_stamp().value(); }
  uint64_t cycle_at(uint64_t time) const { return (time + tck_ - 1) / tck_; }
  void at(uint64_t time, const Action& action);
  void wake_at(uint64_t time);
  void run_due();
  void perform(const Action& action);

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;
  uint64_t longest_idle_access() const;
  void transfer(tlm::tlm_generic_payload& payload);
  static uint64_t root_of(const tlm::tlm_generic_payload& payload);
  // An access that was performed; an ignored command is none.
  void count(const tlm::tlm_generic_payload& payload, uint64_t bursts, uint64_t latency_ps);
  Transaction& open(tlm::tlm_generic_payload& payload);
  bool arrive(Transaction& transaction);  // true: accepted at once
  // True if every burst has found room, at this time (ps).
  bool hand_on(Transaction& transaction, uint64_t time);
  void hand_on_pending(uint64_t time);
  uint64_t next_cycle();
  void run_controller();
  void step(uint64_t cycle);
  void finish(Transaction& served);
  void respond(Transaction& transaction);
  void schedule_response(Transaction& transaction);
  void send_responses();
  void send_response(Transaction& transaction, sc_core::sc_time delay);
  void end_response();
  void close(Transaction& transaction);

  tlm::tlm_target_socket<> socket_{"socket"};
  Device device_;
  Timing timing_;
  AddressMapping mapping_;
  std::unique_ptr<CommandLog> command_log_;  // where the log level wants one
  Controller controller_;
  kit::Storage storage_;
  bool refresh_;
  uint64_t tck_, request_latency_, response_latency_;  // ps
  uint64_t longest_idle_access_;                       // ps: of one burst, when nobody waits
  uint64_t burst_bytes_;                               // a power of two
  sc_core::sc_time clock_period_;                      // tck_
  std::vector<unsigned> credits_;                      // per bank: room for bursts
  std::deque<Transaction> transactions_;
  std::vector<Transaction*> free_;
  std::array<kit::IdOrder<Transaction>, 2> order_;  // not yet answered: reads, writes
  unsigned unanswered_ = 0;                         // how many
  kit::Ring<Transaction*> pending_;                 // wait for room, in order
  kit::Ring<Transaction*> responses_;               // ready, the socket is busy
  Transaction* responding_ = nullptr;
  unsigned unannounced_ = 0;    // responses that wait for their time in queue_
  uint64_t last_response_ = 0;  // ps: of the latest one announced
  kit::TimedQueue<Action> queue_;
  kit::TimedQueue<Controller::Request> pushes_;  // by the SDRAM cycle in which they arrive
  std::vector<std::unique_ptr<sc_core::sc_event>> events_;  // for b_transport callers, reused
  sc_core::sc_event wake_event_{"wake_event"};
  uint64_t wake_time_ = ~uint64_t{0};
  kit::PortCounters port_;
};

}  // namespace gvp::ddr3
