// SPDX-License-Identifier: Apache-2.0
// What the loosely and the approximately timed interconnect share: ports, address map, counters,
// debug accesses, direct memory pointers translated there and back, decode errors.
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
#include "models/tlm/clock.h"
#include "models/tlm/direct_account.h"
#include "models/tlm/payload.h"
#include "models/tlm/port_counters.h"

namespace gvp::axi {

class DecodingInterconnect : public Interconnect {
 public:
  tlm::tlm_target_socket<>& from_initiator(unsigned index) override;
  tlm::tlm_initiator_socket<>& to_target(unsigned index) override;
  nlohmann::ordered_json statistics() const override;
  std::vector<uint64_t> busy_ps() const override;

 protected:
  using InitiatorPort = tlm_utils::simple_target_socket_tagged<DecodingInterconnect>;
  using TargetPort = tlm_utils::simple_initiator_socket_tagged<DecodingInterconnect>;

  DecodingInterconnect(const sc_core::sc_module_name& name,
                       const InterconnectConfiguration& configuration);

  virtual void b_transport(int initiator, tlm::tlm_generic_payload& payload,
                           sc_core::sc_time& delay) = 0;
  virtual unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  virtual bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload,
                                  tlm::tlm_dmi& dmi);

  // Which region this transaction goes to; AddressMap::kNone after a message and with the
  // response set, if none or if it leaves its region.
  int decode(unsigned initiator, tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  // The region that a transaction lies in, or AddressMap::kNone; no message.
  int find(unsigned initiator, const tlm::tlm_generic_payload& payload) {
    return map_.find(payload.get_address(), kit::touched_bytes(payload), hints_[initiator]);
  }
  // An exclusive write without reservation; any other write ends the reservations it hits.
  bool exclusive_write_fails(unsigned initiator, bool exclusive, const Extension* extension,
                             const tlm::tlm_generic_payload& payload);
  void reserve(unsigned initiator, const Extension& extension,
               const tlm::tlm_generic_payload& payload) {
    monitor_.reserve(initiator, extension.id, payload.get_address(), kit::touched_bytes(payload));
  }
  bool reservations() const { return !monitor_.empty(); }
  // --log trace:axi: a transaction that has been answered, with its address on this bus.
  void log_answer(unsigned initiator, int index, const tlm::tlm_generic_payload& payload,
                  const sc_core::sc_time& begin, const sc_core::sc_time& end) const;
  static bool tracing();
  // What a data beat takes at an initiator's port, ps.
  virtual uint64_t beat_ps(size_t) const { return clock_.period_ps(); }
  // The same at a target's.
  virtual uint64_t target_beat_ps(size_t) const { return clock_.period_ps(); }
  // After an exclusive access that was performed.
  void finish_exclusive(unsigned initiator, Extension& extension,
                        const tlm::tlm_generic_payload& payload);

  const InterconnectConfiguration configuration_;
  const AddressMap map_;
  // What has been counted aside enters the counters below, which somebody is going to read.
  virtual void settle() const {}

  mutable TrafficCounters counters_;
  mutable std::vector<kit::PortCounters> ports_;  // of initiators
  mutable std::vector<kit::PortCounters>
      at_targets_;                          // of target ports: what passed them, by bursts
  std::vector<kit::DirectTraffic> direct_;  // likewise: what did not come by here
  const kit::Clock clock_;
  const sc_core::sc_time request_, response_, lite_;
  std::vector<std::unique_ptr<InitiatorPort>> initiators_;
  std::vector<std::unique_ptr<TargetPort>> targets_;

 private:
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 start, sc_dt::uint64 end);

  ExclusiveMonitor monitor_;
  std::vector<int> hints_;  // per initiator: the region found last
};

}  // namespace gvp::axi
