// SPDX-License-Identifier: Apache-2.0
// FlexGrip's own AXI master port, for global memory in DDR3: one transaction per lane and access
// (FlexGrip does not coalesce), or direct access where a target grants it.  An answer that is not
// OKAY becomes a bus error of the kernel.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "models/gpgpu/g80/machine.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::flexgrip {

class BusPort : public sc_core::sc_module, public g80::GlobalPort {
 public:
  tlm_utils::simple_initiator_socket<BusPort> socket{"socket"};

  // Offers directly accessible memory to kernels through this machine.
  BusPort(const sc_core::sc_module_name& name, g80::Machine& machine, const kit::Clock& clock);

  g80::FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  g80::FaultCause write(uint32_t address, const void* data, unsigned bytes) override;

  // From now on every access is a transaction.
  void forbid_direct_access();
  // The port's own time: the next transaction begins then, or at simulated time if that is later.
  // A transaction moves it to its end, whether simulated time passes in there or not.
  void set_time(const sc_core::sc_time& time) { time_ = time; }
  const sc_core::sc_time& time() const { return time_; }
  // Clock cycles that transactions have taken since the last call, each rounded up.
  uint64_t take_cycles();
  // What one direct access takes, rounded up.
  uint64_t direct_cycles() const { return direct_cycles_; }
  // Whether accesses can be direct just now.
  bool is_direct() const { return machine_.global_bytes != 0; }
  uint64_t transactions() const { return transactions_; }

 private:
  g80::FaultCause transport(tlm::tlm_command command, uint32_t address, void* data, unsigned bytes);
  void ask_for_direct_access(uint32_t address);
  void drop_direct_access();
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  g80::Machine& machine_;
  const kit::Clock clock_;
  sc_core::sc_time time_ = sc_core::SC_ZERO_TIME;
  uint64_t cycles_ = 0;
  uint64_t direct_cycles_ = 0;
  uint64_t transactions_ = 0;
  bool direct_access_ = true;
};

}  // namespace gvp::gpgpu::flexgrip
