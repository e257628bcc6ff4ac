// SPDX-License-Identifier: Apache-2.0
// FlexGrip's own AXI master port, for global memory in DDR3: one transaction per lane and access
// (FlexGrip does not coalesce), or direct access where a target grants it.  An answer that is not
// OKAY becomes a bus error of the kernel.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "models/gpgpu/g80/machine.h"

namespace gvp::gpgpu::flexgrip {

class BusPort : public sc_core::sc_module, public g80::GlobalPort {
 public:
  tlm_utils::simple_initiator_socket<BusPort> socket{"socket"};

  // Offers directly accessible memory to kernels through this machine.
  BusPort(const sc_core::sc_module_name& name, g80::Machine& machine);

  g80::FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  g80::FaultCause write(uint32_t address, const void* data, unsigned bytes) override;

  // From now on every access is a transaction.
  void forbid_direct_access();
  // Time that transactions have taken since the last call, not yet waited for.
  sc_core::sc_time take_delay();
  // What one direct access takes.
  sc_core::sc_time direct_latency() const { return direct_latency_; }
  uint64_t transactions() const { return transactions_; }

 private:
  g80::FaultCause transport(tlm::tlm_command command, uint32_t address, void* data, unsigned bytes);
  void ask_for_direct_access(uint32_t address);
  void drop_direct_access();
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  g80::Machine& machine_;
  sc_core::sc_time delay_ = sc_core::SC_ZERO_TIME;
  sc_core::sc_time direct_latency_ = sc_core::SC_ZERO_TIME;
  uint64_t transactions_ = 0;
  bool direct_access_ = true;
};

}  // namespace gvp::gpgpu::flexgrip
