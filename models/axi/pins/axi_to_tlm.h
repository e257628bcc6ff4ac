// SPDX-License-Identifier: Apache-2.0
// From the AXI4 or AXI4-Lite master port of a block of RTL to TLM-2.0.  A burst becomes one
// transaction with axi::Extension, at the edge of its address (reads) or of its last data (writes);
// several are under way at once (requester.h).  Those of one ID and direction reach the target and
// are answered in order, others as they come.  Strobes become byte enables; a WRAP burst that
// starts in the middle of its block becomes two incrementing ones.  Write data may come before
// their address.  Read data of different bursts are not interleaved.
//
// The target's time passes: the response is on the pins from the first edge after it.  Debug
// accesses do not come from RTL; direct memory is not asked for.
// A reset forgets what is under way; the target may still perform it.
// Not modelled: user signals.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/axi/pins/lanes.h"
#include "models/axi/pins/port.h"
#include "models/axi/pins/requester.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::axi::pins {

struct AxiToTlmSettings {
  unsigned outstanding = 8;   // transactions under way, per direction
  bool non_blocking = false;  // the target is approximately timed: the base protocol
  uint64_t base = 0;          // is taken off the addresses
  bool single_beats = false;  // the target is AXI4-Lite: a transaction for each beat
  // As TlmToAxiSettings::pause.
  std::function<bool()> pause;
};

class AxiToTlm : public sc_core::sc_module, public rtl::Agent {
 private:
  Requester requester_;

 public:
  tlm::tlm_initiator_socket<>& socket;

  // Throws Error (bad input) for a port that is no master's.
  AxiToTlm(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port,
           const AxiToTlmSettings& settings = {});

 private:
  struct Job {
    bool write = false;
    Beats beats{};
    uint64_t id = 0;
    Extension axi;
    std::vector<uint8_t> data, enables;  // in the order of the beats
    unsigned beat = 0, moved = 0;        // the next one on the pins, and the bytes before it
    Response response = Response::kOkay;
    unsigned open = 0;       // requests
    bool done = false;       // all have been answered
    bool abandoned = false;  // reset came in between: nobody waits for the answer
  };
  using Jobs = std::deque<std::shared_ptr<Job>>;
  struct WriteBeat {
    std::vector<uint8_t> data, strobes;
    bool last = false;
  };

  void sample() override;
  void drive() override;
  uint64_t idle_edges() const override;
  void publish() override;
  void reset() override;

  std::shared_ptr<Job> job_of(const AddressPins& pins, bool write) const;
  WriteBeat write_beat() const;
  void match_write_data();
  void take_write_beat(Job& job, const WriteBeat& beat) const;
  void drive_write_response();
  void drive_read_data();
  void put_read_beat();
  static std::shared_ptr<Job> answerable(const Jobs& jobs);
  void begin(const std::shared_ptr<Job>& job);
  void request(const std::shared_ptr<Job>& job, const Beats& beats, unsigned first, unsigned bytes);
  void answered(Requester::Request& request);
  bool paused() const { return settings_.pause && settings_.pause(); }

  rtl::Block& block_;
  Port port_;
  AxiToTlmSettings settings_;
  Jobs writes_, reads_;          // accepted, by age; without their responses yet
  Jobs without_data_;            // writes whose data are still to come
  std::deque<WriteBeat> early_;  // data whose address is still to come
  Jobs to_begin_;                // for publish()
  std::shared_ptr<Job> answering_write_, answering_read_;
  bool read_on_pins_ = false;  // a beat of it
};

}  // namespace gvp::axi::pins
