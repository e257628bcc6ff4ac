// SPDX-License-Identifier: Apache-2.0
// What every AXI interconnect offers, whatever its timing: one target socket per initiator, one
// initiator socket per target, an address map between them.  Addresses reaching a target are
// relative to its region.  An address in no region is DECERR.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace gvp::axi {

struct Region {
  std::string name;     // as in configuration, statistics and messages
  uint64_t base = 0;    // byte address
  uint64_t size = 0;    // bytes
  unsigned target = 0;  // index of the target port it leads to
  uint64_t offset = 0;  // added to the address relative to base, for several regions of one target
  bool lite = false;    // behind an AXI4-Lite bridge: 32-bit single beats, extra latency
};

struct InterconnectConfiguration {
  std::vector<std::string> initiators;  // names, in port order
  std::vector<std::string> targets;     // names, in port order
  std::vector<Region> regions;          // must not overlap
  double clock_hz = 100e6;
  // Latencies in clock cycles.  All are assumed: an arbiter and one register slice each way,
  // a protocol converter in front of AXI4-Lite targets.
  unsigned request_cycles = 2;   // initiator to target
  unsigned response_cycles = 2;  // target to initiator
  unsigned lite_cycles = 2;      // more, for a region behind an AXI4-Lite bridge
  unsigned data_bytes = 4;       // of one data beat; every beat after the first takes a cycle
};

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
