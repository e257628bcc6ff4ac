// SPDX-License-Identifier: Apache-2.0
// Configuration of an AXI interconnect: clock and latencies, address map, ports.  Plain data: no
// SystemC.  Addresses and sizes are bytes.
#pragma once

#include <cstdint>
#include <string>
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

// Of one port; but for the last, what only the approximately timed model and the RTL look at.
struct PortConfiguration {
  unsigned data_bytes = 4;       // width of the data channels, a power of two
  double clock_hz = 0;           // 0: the interconnect's own clock, no crossing
  unsigned register_slices = 0;  // each adds a cycle of this port's clock each way
  unsigned outstanding = 8;      // initiator ports: transactions in flight, per direction
  unsigned queue_depth = 4;  // initiator ports: accepted requests not yet granted, per direction
  // Of the RTL only, target ports: the target is approximately timed, and wants the base protocol.
  bool non_blocking = false;
  unsigned qos = 0;  // initiator ports: AxQOS of transactions that carry none, 15 most urgent
  bool reports_errors = false;  // initiator ports: its device tells users of error responses
};

// What a user chooses.
struct Configuration {
  double clock_hz = 100e6;
  // Latencies in clock cycles.  All are assumed: an arbiter and one register slice each way,
  // a protocol converter in front of AXI4-Lite targets.
  unsigned request_cycles = 2;   // initiator to target
  unsigned response_cycles = 2;  // target to initiator
  unsigned lite_cycles = 2;      // more, for a region behind an AXI4-Lite bridge
  unsigned data_bytes = 4;       // of one data beat; every beat after the first takes a cycle
  // The approximately timed model only.
  std::string arbitration = "round-robin";  // or "fixed" (lowest port wins), "qos" (AxQOS)
  unsigned crossing_cycles = 2;  // a clock crossing, in cycles of the receiving clock; assumed
};

// What the platform adds: who is connected where.
struct InterconnectConfiguration : Configuration {
  std::vector<std::string> initiators;  // names, in port order
  std::vector<std::string> targets;     // names, in port order
  std::vector<Region> regions;          // must not overlap
  // Ports without an entry have the defaults.
  std::vector<PortConfiguration> initiator_ports;
  std::vector<PortConfiguration> target_ports;
  uint32_t seed = 0;  // of what RTL does not initialise; 0: zeros
};

}  // namespace gvp::axi
