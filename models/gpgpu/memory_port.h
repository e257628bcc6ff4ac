// SPDX-License-Identifier: Apache-2.0
// A GPGPU's own bus master, for global memory outside the device: one transaction per lane and
// access, or direct access where a target grants it.  An answer that is not OKAY becomes a bus
// error of the kernel.  Addresses have 32 bits.
//
// Not modelled: more than one transaction outstanding.  Coalescing is before it
// (hierarchy/sm_port.h).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "models/gpgpu/global_memory.h"
#include "models/tlm/clock.h"
#include "models/tlm/direct_account.h"

namespace gvp::gpgpu {

class MemoryPort : public sc_core::sc_module, public GlobalPort {
 public:
  tlm_utils::simple_initiator_socket<MemoryPort> socket{"socket"};

  // Shows kernels directly accessible memory as this range.
  MemoryPort(const sc_core::sc_module_name& name, DirectRange& range, const kit::Clock& clock);

  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;
  // The bytes of which enables[i] is TLM_BYTE_ENABLED, in one transaction.
  FaultCause write(uint32_t address, const void* data, unsigned bytes, uint8_t* enables);

  // Without time passing or anything being counted; return the bytes that moved.
  unsigned debug_read(uint32_t address, void* data, unsigned bytes);
  unsigned debug_write(uint32_t address, const void* data, unsigned bytes);

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
  bool is_direct() const { return range_.bytes != 0; }
  uint64_t transactions() const { return transactions_; }
  // Those who have granted the range learn what was done in it.
  void account_for_direct();

 private:
  unsigned transport_debug(tlm::tlm_command command, uint32_t address, void* data, unsigned bytes);
  FaultCause transport(tlm::tlm_command command, uint32_t address, void* data, unsigned bytes,
                       uint8_t* enables = nullptr);
  void ask_for_direct_access(uint32_t address);
  void drop_direct_access();
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  DirectRange& range_;
  const kit::Clock clock_;
  sc_core::sc_time time_ = sc_core::SC_ZERO_TIME;
  uint64_t cycles_ = 0;
  uint64_t direct_cycles_ = 0;
  uint64_t transactions_ = 0;
  kit::DirectAccount account_;  // of those who have granted the range
  bool direct_access_ = true;
  bool granted_ = false;  // the range: not the device's own memory, which nobody can take back
};

}  // namespace gvp::gpgpu
