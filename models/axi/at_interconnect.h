// SPDX-License-Identifier: Apache-2.0
// The approximately timed AXI interconnect (IHI 0022): the five channels at transaction level
// behind the four-phase base protocol of TLM-2.0 (b_transport works too).
//
//   AR, AW+W  BEGIN_REQ..END_REQ.  An initiator port accepts a request while its queue has room
//             and its limit of outstanding transactions allows, else END_REQ comes later: back-
//             pressure.  Reads and writes have separate queues, arbiters and data paths.  A
//             request reaches the target's arbiter after the request latency (a write: after its
//             last data beat).  The arbiter lets one burst a cycle pass in each direction and
//             keeps the write data path busy for the beats of the burst.
//   bursts    are cut at 4 KiB boundaries, at 256 beats, and to single beats for AXI4-Lite.
//   R, B      BEGIN_RESP..END_RESP, when the last beat has reached the initiator.  Responses with
//             the same ID stay in order in each direction (A5.3); the R path of an initiator is
//             busy for the beats of each response.
//   widths and clocks of the ports: beats count in the port's width and clock; a port with
//             another clock costs crossing_cycles of the receiving clock each way.
//
// A transaction that is alone in the interconnect, while nothing else happens in the simulation
// until it is over, is worked out in one go (at_run_ahead.cpp): same time, fewer events.
//
// Latency of an idle read: request_cycles + target + response_cycles + (beats - 1), and what the
// ports' slices and crossings add; the target's BEGIN_RESP is taken as its last data beat.
// Not modelled: single beats and their handshakes; interleaving of R data of different IDs (AXI4
// allows it, this one does not do it); write data that comes before its address; direct memory
// pointers (they would bypass the timing).
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "models/axi/arbiter.h"
#include "models/axi/at_transaction.h"
#include "models/axi/decoding_interconnect.h"
#include "models/tlm/histogram.h"
#include "models/tlm/id_order.h"
#include "models/tlm/ring.h"
#include "models/tlm/run_ahead.h"
#include "models/tlm/timed_queue.h"

namespace gvp::axi {

class AtInterconnect : public DecodingInterconnect {
 public:
  AtInterconnect(const sc_core::sc_module_name& name,
                 const InterconnectConfiguration& configuration);
  ~AtInterconnect() override;

  nlohmann::ordered_json statistics() const override;
  uint64_t beat_ps(size_t initiator) const override { return initiator_ports_[initiator].period; }
  uint64_t target_beat_ps(size_t target) const override { return target_ports_[target].period; }

 private:
  SC_HAS_PROCESS(AtInterconnect);
  enum Direction : unsigned { kRead = 0, kWrite = 1 };
  using Transport = tlm::tlm_sync_enum (DecodingInterconnect::*)(int, tlm::tlm_generic_payload&,
                                                                 tlm::tlm_phase&,
                                                                 sc_core::sc_time&);

  struct Port {  // what initiator and target ports have in common
    PortConfiguration configuration;
    uint64_t period = 0;   // ps
    uint64_t latency = 0;  // ps each way: register slices and clock crossing
    // Of requests for an arbiter, by direction: how many have been let through, how long they had
    // waited, and how often another was preferred to one that was ready.
    std::array<uint64_t, 2> granted{}, waited{}, longest_wait{}, lost{};  // waits: ps
  };
  struct Initiator : Port {
    std::array<unsigned, 2> outstanding{}, queued{};
    std::array<kit::IdOrder<Record>, 2> order;  // accepted, response not yet scheduled
    std::array<uint64_t, 2> channel_free{};     // R and B: ps
    Record* stalled = nullptr;                  // its END_REQ is owed
    Record* requesting = nullptr;               // its END_REQ will be called
    uint64_t request_free = 0;      // ps: when an END_REQ that was returned takes effect
    Record* responding = nullptr;   // between BEGIN_RESP and END_RESP
    bool end_response_due = false;  // END_RESP has come, to take effect later
    kit::Ring<Record*> deliverable;
    std::vector<Child*> held;  // bursts, by age, whose END_RESP waits for room in `deliverable`
    sc_core::sc_event room;    // for b_transport callers
    unsigned waiting = 0;      // of them
    uint64_t stalls = 0;
  };
  struct Target : Port {
    explicit Target(Arbitration policy) : arbiters{Arbiter(policy), Arbiter(policy)} {}
    std::array<std::vector<kit::Ring<Record*>>, 2> queues;  // [direction][initiator]
    std::array<unsigned, 2> waiting{};                      // requests in them
    std::array<Arbiter, 2> arbiters;
    std::array<uint64_t, 2> channel_free{};  // AR, AW+W: ps
    Child* requesting = nullptr;             // between BEGIN_REQ and END_REQ
    uint64_t request_free = 0;               // ps: when an END_REQ given in advance takes effect
    unsigned outstanding = 0;                // bursts
    Direction last = kWrite;                 // direction granted last
    kit::RunAhead* ahead = nullptr;          // if what is bound to the port has a short way
    uint64_t wake = ~uint64_t{0};            // when arbitration is due
  };
  struct Action {
    enum Kind : uint8_t {
      kArrive,
      kEndRequest,
      kArbitrate,
      kTargetEndRequest,
      kTargetResponse,
      kDeliver,
      kEndResponse
    } kind = kArrive;
    unsigned port = 0;
    union {
      Record* record = nullptr;  // of kArrive, kEndRequest, kDeliver
      Child* child;              // of kTargetEndRequest, kTargetResponse
    };
    Action() = default;
    Action(Kind k, unsigned p) : kind(k), port(p) {}
    Action(Kind k, unsigned p, Record& r) : kind(k), port(p), record(&r) {}
    Action(Kind k, unsigned p, Child& c) : kind(k), port(p), child(&c) {}
  };

  void end_of_elaboration() override;

  // TLM interfaces
  void b_transport(int initiator, tlm::tlm_generic_payload& payload,
                   sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload,
                          tlm::tlm_dmi& dmi) override;
  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int target, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);

  // Time
  uint64_t now() const { return simcontext()->time_stamp().value(); }
  static uint64_t edge(uint64_t time, uint64_t period) {
    return (time + period - 1) / period * period;
  }
  void at(uint64_t time, const Action& action);
  void wake_at(uint64_t time);
  void run_due();
  void perform(const Action& action);
  void complain(unsigned target, const char* what) const;

  // Requests (at_request.cpp)
  Record& open(unsigned initiator, tlm::tlm_generic_payload& payload, uint64_t arrival);
  int decode_record(const Record& record);
  bool usable(Record& record);
  bool has_room(const Initiator& port, const Record& record) const;
  bool arrive(Record& record);  // false: stalled
  void admit(Record& record, uint64_t time);
  void admit_stalled(unsigned initiator);
  uint64_t accepted_at(const Record& record, uint64_t time) const;
  uint64_t ready_at(const Initiator& port, const Target& target, uint64_t accepted) const {
    // accepted counts the cycle of the last beat; the request latency does too.
    return edge(accepted - port.period + port.latency + request_.value() + target.latency,
                target.period);
  }
  void owe_end_request(Record& record);
  void end_request(Record& record);
  void request_arbitration(unsigned target, uint64_t time);
  void arbitrate(unsigned target);
  int choose(Target& target, Direction direction);
  Record* next_request(Target& target, Direction direction);
  void take_off(Target& target, const Record& record);
  static void note_wait(Port& port, Direction direction, uint64_t ps) {
    ++port.granted[direction];
    port.waited[direction] += ps;
    port.longest_wait[direction] = std::max(port.longest_wait[direction], ps);
  }
  static nlohmann::ordered_json arbitration_json(const Port& port, Direction direction);
  uint64_t next_ready(const Target& target) const;
  void grant(unsigned target, Record& record);
  Child& make_child(unsigned target, Record& record, uint64_t bytes);
  void send(unsigned target, Child& child);
  void target_end_request(unsigned target, const Child& child);

  // In one go (at_run_ahead.cpp)
  bool run_ahead(unsigned initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool send_ahead(Target& target, Child& child);
  static bool hand_over(const Target& target, tlm::tlm_generic_payload& payload,
                        uint64_t response_bound, sc_core::sc_time& delay);

  // Responses (at_response.cpp)
  void take_response(Child& child, uint64_t time);
  void target_response(Child& child);
  bool has_room_for_responses(const Initiator& port) const {
    return port.deliverable.size() < port.configuration.queue_depth;
  }
  void retire(Child& child);
  void release_held(Initiator& port, const Record& answered);
  void finish(Record& record);
  void schedule_responses(Record& record);
  void schedule_delivery(Record& record);
  uint64_t response_latency(const Initiator& port, const Region& region) const;
  void deliver(Record& record);
  void send_responses(unsigned initiator);
  void owe_end_response(unsigned initiator, const sc_core::sc_time& delay);
  void end_response(unsigned initiator);
  void close(Record& record);

  uint64_t period_;    // ps
  unsigned open_ = 0;  // transactions between request and end of response
  std::deque<Initiator> initiator_ports_;
  std::deque<Target> target_ports_;
  RecordPool records_;
  ChildPool children_;
  std::vector<Arbiter::Request> requests_;                  // scratch
  std::vector<std::unique_ptr<sc_core::sc_event>> events_;  // for b_transport callers, reused
  kit::TimedQueue<Action> queue_;
  sc_core::sc_event wake_event_{"wake_event"};
  uint64_t wake_time_ = ~uint64_t{0};
};

}  // namespace gvp::axi
