// SPDX-License-Identifier: Apache-2.0
// The loosely timed interconnect: decodes the address, calls the target, adds a constant latency
// and one cycle per further data beat.  Direct memory pointers and debug accesses go through,
// translated; invalidations come back, translated.  DECERR for holes and for transactions that
// leave a region, with a log message.  Exclusive accesses of transactions that carry the AXI
// extension follow IHI 0022 A7.2.
// Not modelled: arbitration, outstanding transactions, ordering, queues (see the AT one);
// exclusive reservations do not see writes through direct memory pointers.
#pragma once

#include "models/axi/decoding_interconnect.h"

namespace gvp::axi {

class LtInterconnect : public DecodingInterconnect {
 public:
  LtInterconnect(const sc_core::sc_module_name& name,
                 const InterconnectConfiguration& configuration);

 private:
  uint64_t now() const { return simcontext()->time_stamp().value(); }
  void b_transport(int initiator, tlm::tlm_generic_payload& payload,
                   sc_core::sc_time& delay) override;
  void forward(unsigned initiator, int region, tlm::tlm_generic_payload& payload,
               sc_core::sc_time& delay);
  // A wrapping burst that does not begin at its block: up to the block's end, then the rest.
  void forward_wrapping(unsigned initiator, int region, tlm::tlm_generic_payload& payload,
                        sc_core::sc_time& delay);
  void count_decode_error(unsigned initiator, const tlm::tlm_generic_payload& payload);
  // Transactions of one initiator with one region and one command are mostly alike in all that is
  // counted: of such a run only the length is, and it enters the counters of the pair and of both
  // ports when another comes, or when somebody reads them.
  struct Run {
    uint64_t latency = 0;  // of the target, ps
    uint64_t shape = 0;    // bytes in the lower half, whether it failed above: compared as one
    uint64_t transactions = 0;
  };
  static uint64_t shape(unsigned length, bool error) { return length | uint64_t{error} << 32; }
  void count(unsigned initiator, int region, bool write, const Run& one) {
    Run& run = runs_[(initiator * regions_ + static_cast<unsigned>(region)) * 2 + write];
    if (run.latency == one.latency && run.shape == one.shape) {
      ++run.transactions;
    } else {
      settle(initiator, region, write, run);
      run = one;
    }
  }
  void settle(unsigned initiator, int region, bool write, Run& run) const;
  void settle() const override;
  // What the way back takes behind the target's answer.
  sc_core::sc_time way_back(const Region& region, unsigned further) const {
    sc_core::sc_time time = region.lite ? lite_response_ : response_;
    if (further != 0) time += clock_.at(further);
    return time;
  }
  unsigned further_beats(unsigned length) const {
    return length == 0 ? 0 : (length - 1) >> beat_shift_;
  }

  const unsigned beat_shift_;  // log2 of the bytes of a beat
  const size_t regions_;
  const sc_core::sc_time lite_response_;
  mutable std::vector<Run> runs_;  // for each initiator, region and command
};

}  // namespace gvp::axi
