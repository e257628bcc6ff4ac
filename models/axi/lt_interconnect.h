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
  unsigned further_beats(unsigned length) const {
    return length == 0 ? 0 : (length - 1) >> beat_shift_;
  }

  const unsigned beat_shift_;  // log2 of the bytes of a beat
};

}  // namespace gvp::axi
