// SPDX-License-Identifier: Apache-2.0
// What every AXI interconnect offers, whatever its timing: one target socket per initiator, one
// initiator socket per target, an address map between them.  Addresses reaching a target are
// relative to its region.  An address in no region is DECERR.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/configuration.h"

namespace gvp::axi {

class Interconnect : public sc_core::sc_module {
 public:
  using sc_core::sc_module::sc_module;
  virtual tlm::tlm_target_socket<>& from_initiator(unsigned index) = 0;
  virtual tlm::tlm_initiator_socket<>& to_target(unsigned index) = 0;
  virtual nlohmann::ordered_json statistics() const = 0;
  // Of RTL: what the checkers at its pins have found, and waveforms into a file; false where it is
  // none.
  virtual uint64_t protocol_violations() const { return 0; }
  virtual bool is_rtl() const { return false; }
  virtual void open_wave(const std::string& /*file*/) {}
  // For how long each initiator's port has carried data, both directions together, ps; empty: this
  // one does not count it.
  virtual std::vector<uint64_t> busy_ps() const { return {}; }
};

// model: "lt" or "at"; throws Error (bad input) for any other, and for overlapping or empty
// regions. The one that is RTL is devices/rtl_interconnect.h.
std::unique_ptr<Interconnect> make_interconnect(const sc_core::sc_module_name& name,
                                                const std::string& model,
                                                const InterconnectConfiguration& configuration);

}  // namespace gvp::axi
