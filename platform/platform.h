// SPDX-License-Identifier: Apache-2.0
// One board: a MicroBlaze, its peripherals, DDR3 and a FlexGrip soft GPGPU around an AXI
// interconnect, built from a Configuration.  Memory map and interrupt numbers: memory_map.h.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <systemc>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/gpgpu/device.h"
#include "models/host/host.h"
#include "models/peripherals/interrupt_controller.h"
#include "models/peripherals/timer.h"
#include "models/peripherals/uart16550.h"
#include "models/peripherals/uartlite.h"
#include "platform/axi_checks.h"
#include "platform/configuration/configuration.h"
#include "platform/elf/elf_file.h"
#include "platform/serial/serial_line.h"

namespace gvp::platform {

class Platform : public sc_core::sc_module {
 public:
  // Throws Error (bad input) for what cannot be built.  max_instructions: 0 for no limit.
  Platform(const sc_core::sc_module_name& name, const Configuration& configuration,
           uint64_t max_instructions);

  // Puts the firmware into memory and the processor at its entry point.
  void load(const ElfFile& firmware);
  // After load(): puts text where the firmware looks for its arguments, the array
  // program_argument_text.  Throws Error (bad input) if it has none, or one too small.
  void pass_arguments(const ElfFile& firmware, const std::string& text);

  // Waits for GDB before the first instruction; returns the port on 127.0.0.1.  Its "monitor"
  // command also shows the GPGPU and the statistics of the whole board.
  uint16_t attach_debugger(uint16_t port);

  host::Host& host() { return *host_; }
  gpgpu::Device& gpgpu() { return *gpgpu_; }
  const std::vector<std::unique_ptr<SerialLine>>& serial_lines() const { return lines_; }

  // Moves characters between the serial lines and the outside world.
  void poll_serial_lines();
  // Sends what the UARTs still hold; for the end of a run.
  void flush_serial_lines();

  // Of the AXI protocol, as far as axi.check looks.
  uint64_t protocol_violations() const { return checks_.violations(); }

  // {"host": .., "gpgpu": .., "axi": .., "ddr3": ..}
  nlohmann::ordered_json statistics() const;

 private:
  void connect_bus();
  void connect_interrupts();
  void connect_window(const gpgpu::Window& window, unsigned& next_target);

  Configuration configuration_;
  AxiChecks checks_;
  std::vector<std::unique_ptr<SerialLine>> lines_;
  std::unique_ptr<host::Host> host_;
  std::unique_ptr<gpgpu::Device> gpgpu_;
  std::unique_ptr<axi::Interconnect> interconnect_;
  std::unique_ptr<ddr3::MemoryController> ddr3_;
  std::unique_ptr<peripherals::InterruptController> interrupt_controller_;
  std::unique_ptr<peripherals::Timer> timer_;
  std::unique_ptr<peripherals::Uart16550> uart16550_;
  std::unique_ptr<peripherals::UartLite> uartlite_;
  // A window without bytes still has a socket, which must be bound to something.
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<Platform>>> unused_windows_;

  sc_core::sc_signal<bool> host_interrupt_{"host_interrupt"};
  sc_core::sc_signal<bool> timer_interrupt_{"timer_interrupt"};
  sc_core::sc_signal<bool> uart16550_interrupt_{"uart16550_interrupt"};
  sc_core::sc_signal<bool> uartlite_interrupt_{"uartlite_interrupt"};
  sc_core::sc_signal<bool> gpgpu_interrupt_{"gpgpu_interrupt"};
};

}  // namespace gvp::platform
