// SPDX-License-Identifier: Apache-2.0
// The loosely timed interconnect: decodes the address, calls the target, adds a constant latency
// and one cycle per further data beat.  Direct memory pointers and debug accesses go through,
// translated; invalidations come back, translated.  DECERR for holes and for transactions that
// leave a region, with a log message.  Exclusive accesses of transactions that carry the AXI
// extension follow IHI 0022 A7.2.
// Not modelled: arbitration, outstanding transactions, ordering, queues (see the AT one);
// exclusive reservations do not see writes through direct memory pointers.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

#include "models/axi/address_map.h"
#include "models/axi/exclusive_monitor.h"
#include "models/axi/extension.h"
#include "models/axi/interconnect.h"
#include "models/axi/traffic_counters.h"

namespace gvp::axi {

class LtInterconnect : public Interconnect {
 public:
  LtInterconnect(const sc_core::sc_module_name& name,
                 const InterconnectConfiguration& configuration);

  tlm::tlm_target_socket<>& from_initiator(unsigned index) override;
  tlm::tlm_initiator_socket<>& to_target(unsigned index) override;
  nlohmann::ordered_json statistics() const override;

 private:
  using InitiatorPort = tlm_utils::simple_target_socket_tagged<LtInterconnect>;
  using TargetPort = tlm_utils::simple_initiator_socket_tagged<LtInterconnect>;

  void b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 start, sc_dt::uint64 end);

  void decode_error(unsigned initiator, tlm::tlm_generic_payload& payload,
                    const sc_core::sc_time& delay);
  void forward(unsigned initiator, const Region& region, tlm::tlm_generic_payload& payload,
               sc_core::sc_time& delay);
  // An exclusive write without reservation; any other write ends the reservations it hits.
  bool exclusive_write_fails(unsigned initiator, uint64_t bytes, const Extension* extension,
                             const tlm::tlm_generic_payload& payload);
  void finish_exclusive(unsigned initiator, uint64_t bytes, Extension& extension,
                        const tlm::tlm_generic_payload& payload);

  InterconnectConfiguration configuration_;
  AddressMap map_;
  TrafficCounters counters_;
  ExclusiveMonitor monitor_;
  std::vector<int> hints_;  // per initiator: the region found last
  sc_core::sc_time cycle_, request_, response_, lite_;
  std::vector<std::unique_ptr<InitiatorPort>> initiators_;
  std::vector<std::unique_ptr<TargetPort>> targets_;
};

}  // namespace gvp::axi
