// SPDX-License-Identifier: Apache-2.0
// A RAM: sparse host memory behind a TLM-2.0 target socket, with DMI and debug transport and a
// constant latency.  Used for block RAM; addresses are bytes from 0.  Accesses outside answer
// TLM_ADDRESS_ERROR_RESPONSE and a log message, writes to a read-only memory
// TLM_COMMAND_ERROR_RESPONSE.  Non-blocking transactions are served one after the other, as behind
// a controller with one port.  Not modelled: wait states that depend on history, ports that
// compete.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>

#include "models/tlm/reset.h"
#include "models/tlm/run_ahead.h"
#include "models/tlm/short_way.h"
#include "models/tlm/storage.h"

namespace gvp::kit {

struct MemoryConfiguration {
  uint64_t size = 0;                                       // bytes
  sc_core::sc_time read_latency = sc_core::SC_ZERO_TIME;   // added to every read
  sc_core::sc_time write_latency = sc_core::SC_ZERO_TIME;  // added to every write
  bool allow_dmi = true;
  bool read_only = false;  // for the bus; debug writes (loaders) still work
};

class Memory : public sc_core::sc_module, public Resettable, private RunAhead {
  tlm_utils::simple_target_socket<Memory> bytes_{"bytes"};
  ShortWay way_{"way", *this};

 public:
  tlm::tlm_target_socket<>& socket = way_.target;

  Memory(const sc_core::sc_module_name& name, const MemoryConfiguration& configuration);

  void reset() override {}  // there is nothing but bytes
  // The bytes themselves, for loaders and for models that own this memory.
  Storage& storage() { return storage_; }
  // Allows or forbids direct access from now on; forbidding invalidates what was handed out.
  void allow_dmi(bool allow);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  MemoryConfiguration configuration_;
  Storage storage_;
};

}  // namespace gvp::kit
