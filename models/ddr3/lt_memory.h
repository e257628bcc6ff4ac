// SPDX-License-Identifier: Apache-2.0
// The loosely timed DDR3: sparse host memory; each access takes the front end plus the SDRAM's
// idle latency for the row state it finds (hit, closed, conflict) plus 4 clock cycles for each
// further burst of 64 bytes.  Direct memory pointers carry the row-hit latency.
// Non-blocking transactions take the same latency, several at once (annotating_target.h).
// Not modelled: refresh, turnaround, tFAW, queues, bandwidth limits (see the AT one).  Accesses
// through direct memory pointers move no rows; they are counted apart, where their initiators tell.
#pragma once

#include <memory>
#include <vector>

#include "models/ddr3/counters.h"
#include "models/ddr3/device.h"
#include "models/ddr3/memory_controller.h"
#include "models/tlm/annotating_target.h"
#include "models/tlm/clock.h"
#include "models/tlm/storage.h"

namespace gvp::ddr3 {

class LtMemory final : public MemoryController, public kit::AnnotatedAccess {
 public:
  LtMemory(const sc_core::sc_module_name& name, const Configuration& configuration);

  tlm::tlm_target_socket<>& socket() override { return target_.socket; }
  nlohmann::ordered_json statistics() const override;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  // Opens the row of this address; the latency in clock cycles from command to last data.
  unsigned access_row(uint64_t address, bool write);
  void tell(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& time) const;
  // Those of an access behind the first, and what they take.
  uint64_t further_bursts(uint64_t address, uint64_t bytes) const {
    return ((address + bytes - 1) >> burst_shift_) - (address >> burst_shift_);
  }
  sc_core::sc_time time_of(uint64_t further_bursts) const {
    return further_bursts > 0 ? clock_.at(further_bursts * timing_.burst) : sc_core::SC_ZERO_TIME;
  }

  Device device_;
  Timing timing_;
  kit::Storage storage_;
  kit::Clock clock_;
  sc_core::sc_time front_end_;
  std::vector<sc_core::sc_time> latency_;  // by clock cycles, so that no access multiplies
  unsigned row_shift_ = 0, bank_mask_ = 0, bank_shift_ = 0, burst_shift_ = 0;
  std::vector<int64_t> open_rows_;  // per bank; -1: closed
  std::vector<BankCounters> banks_;
  kit::PortCounters port_;
  kit::DirectTraffic direct_;
};

}  // namespace gvp::ddr3
