// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/rows.h"

namespace gvp::platform::rows {
namespace {

using P = axi::PortConfiguration;

constexpr const char* kApproximately = " (approximately timed only)";

template <P AxiPorts::*kPort, typename T, T P::*kMember>
Field field(Configuration& c) {
  return &(c.axi_ports.*kPort.*kMember);
}

// The ports matter to the approximately timed interconnect only.  How many transactions may be in
// flight (outstanding, queue_depth) is no key: the platform's masters have one at a time.
template <P AxiPorts::*kPort>
void add_fixed_width_port(std::vector<Key>& keys, const std::string& port,
                          const std::string& what) {
  const std::string prefix = "axi." + port + '.';
  keys.push_back(
      {prefix + "clock_hz", field<kPort, double, &P::clock_hz>, range(0, 1e9), "Hz",
       "Clock of " + what + "; 0: the interconnect's own, no crossing" + kApproximately});
  keys.push_back({prefix + "register_slices", field<kPort, unsigned, &P::register_slices>,
                  range(0, 16), "clock cycles",
                  "Register slices of " + what + ", a cycle each way" + kApproximately});
}

template <P AxiPorts::*kPort>
void add_port(std::vector<Key>& keys, const std::string& port, const std::string& what) {
  keys.push_back({"axi." + port + ".data_bytes", field<kPort, unsigned, &P::data_bytes>,
                  power_of_two(1, 128), "bytes",
                  "Width of the data channels of " + what + kApproximately});
  add_fixed_width_port<kPort>(keys, port, what);
}

template <P AxiPorts::*kPort>
void add_initiator(std::vector<Key>& keys, const std::string& port, const std::string& what) {
  add_port<kPort>(keys, port, what);
  const std::string prefix = "axi." + port + '.';
  keys.push_back(
      {prefix + "qos", field<kPort, unsigned, &P::qos>, range(0, 15), "",
       "AxQOS of " + what + ", 15 is most urgent; for axi.arbitration = \"qos\"" + kApproximately});
}

}  // namespace

std::vector<Key> axi_keys() {
  std::vector<Key> keys = {
      {"axi.model", [](Configuration& c) -> Field { return &c.models.axi; }, model_name(), "",
       "Variant of the interconnect: loosely timed, approximately timed, or RTL"},
      {"axi.clock_hz", [](Configuration& c) -> Field { return &c.axi.clock_hz; }, range(1e6, 1e9),
       "Hz", "Clock of the interconnect and of the peripherals"},
      {"axi.request_cycles", [](Configuration& c) -> Field { return &c.axi.request_cycles; },
       range(0, 1000), "clock cycles", "Latency from initiator to target (assumed)"},
      {"axi.response_cycles", [](Configuration& c) -> Field { return &c.axi.response_cycles; },
       range(0, 1000), "clock cycles", "Latency from target back to initiator (assumed)"},
      {"axi.lite_cycles", [](Configuration& c) -> Field { return &c.axi.lite_cycles; },
       range(0, 1000), "clock cycles", "More latency behind an AXI4-Lite bridge (assumed)"},
      {"axi.data_bytes", [](Configuration& c) -> Field { return &c.axi.data_bytes; },
       power_of_two(1, 128), "bytes",
       "Width of the data channels (loosely timed only; else each port has its own)"},
      {"axi.arbitration", [](Configuration& c) -> Field { return &c.axi.arbitration; },
       one_of({"round-robin", "fixed", "qos"}), "",
       "Who goes first: in turn, the lowest port, the highest AxQOS (approximately timed only)"},
      {"axi.crossing_cycles", [](Configuration& c) -> Field { return &c.axi.crossing_cycles; },
       range(0, 100), "clock cycles",
       "A clock crossing, in cycles of the receiving clock (assumed; approximately timed only)"},
      {"axi.check", [](Configuration& c) -> Field { return &c.axi_check; }, anything(), "",
       "A protocol checker on every AXI socket; a violation makes the run fail (exit code 125)"},
  };
  add_initiator<&AxiPorts::host_instruction>(keys, "host_instruction", "the host's fetch port");
  add_initiator<&AxiPorts::host_data>(keys, "host_data", "the host's data port");
  add_initiator<&AxiPorts::gpgpu>(keys, "gpgpu", "the GPGPU's port");
  add_port<&AxiPorts::ddr3>(keys, "ddr3", "the port to the DDR3 memory");
  // 32 bits wide: the registers are, and the memories see single words.
  add_fixed_width_port<&AxiPorts::gpgpu_code>(keys, "gpgpu_code",
                                              "the port to the GPGPU's system memory");
  add_fixed_width_port<&AxiPorts::gpgpu_global>(keys, "gpgpu_global",
                                                "the port to the GPGPU's global memory");
  add_fixed_width_port<&AxiPorts::gpgpu_control>(keys, "gpgpu_control",
                                                 "the port to the GPGPU's registers");
  add_fixed_width_port<&AxiPorts::intc>(keys, "intc", "the interrupt controller's port");
  add_fixed_width_port<&AxiPorts::timer>(keys, "timer", "the timer's port, and what it counts");
  add_fixed_width_port<&AxiPorts::uart16550>(
      keys, "uart16550", "the UART 16550's port, and of its baud rate generator");
  add_fixed_width_port<&AxiPorts::uartlite>(keys, "uartlite", "the UART Lite's port");
  return keys;
}

}  // namespace gvp::platform::rows
