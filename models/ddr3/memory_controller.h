// SPDX-License-Identifier: Apache-2.0
// What every DDR3 memory (controller and SDRAM) offers, whatever its timing: one AXI-side target
// socket, addresses from 0 to size - 1.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tlm>

#include "models/ddr3/command.h"
#include "models/ddr3/configuration.h"

namespace gvp::ddr3 {

class MemoryController : public sc_core::sc_module {
 public:
  using sc_core::sc_module::sc_module;
  virtual tlm::tlm_target_socket<>& socket() = 0;
  virtual nlohmann::ordered_json statistics() const = 0;

  // Of the SDRAM's clock, which observers of commands count; 0: this model has no commands.
  virtual uint64_t command_period_ps() const { return 0; }
  // Several at once; they outlive the memory.
  virtual void observe(CommandObserver&) {}
};

// model: "lt" or "at"; throws Error (bad input) for others.  RTL: models/ddr3/rtl/rtl_memory.h.
std::unique_ptr<MemoryController> make_memory_controller(const sc_core::sc_module_name& name,
                                                         const std::string& model,
                                                         const Configuration& configuration);

}  // namespace gvp::ddr3
