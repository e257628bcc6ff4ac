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

#include "models/axi/configuration.h"

namespace gvp::axi {

class Interconnect : public sc_core::sc_module {
 public:
  using sc_core::sc_module::sc_module;
  virtual tlm::tlm_target_socket<>& from_initiator(unsigned index) = 0;
  virtual tlm::tlm_initiator_socket<>& to_target(unsigned index) = 0;
  virtual nlohmann::ordered_json statistics() const = 0;
};

// model: "lt", "at" or "rtl:<name>"; throws Error (bad input) for what this build does not have,
// and for overlapping or empty regions.
std::unique_ptr<Interconnect> make_interconnect(const sc_core::sc_module_name& name,
                                                const std::string& model,
                                                const InterconnectConfiguration& configuration);

}  // namespace gvp::axi
