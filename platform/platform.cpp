// SPDX-License-Identifier: Apache-2.0
#include "platform/platform.h"

#include <fmt/format.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "platform/absent_gpgpu.h"
#include "platform/firmware_clocks.h"
#include "platform/kernel_names.h"
#include "platform/memory_map.h"
#include "platform/regions.h"

namespace gvp::platform {
namespace {

host::Configuration host_configuration(const Configuration& configuration,
                                       uint64_t max_instructions) {
  host::Configuration host = configuration.host;
  host.lmb_base = GVP_LMB_BASE;
  host.max_instructions = max_instructions;
  return host;
}

// The UART Lite's interrupt is a pulse (PG142), everybody else's a level.
peripherals::InterruptControllerConfiguration interrupt_configuration() {
  peripherals::InterruptControllerConfiguration configuration;
  configuration.inputs = 8;
  configuration.kind_of_interrupt = 1u << GVP_IRQ_UARTLITE;
  return configuration;
}

peripherals::TimerConfiguration timer_configuration(const Configuration& configuration) {
  peripherals::TimerConfiguration timer;
  timer.clock_hz = clock_of(configuration.axi_ports.timer, configuration);
  return timer;
}

peripherals::Uart16550Configuration uart16550_configuration(const Configuration& configuration) {
  peripherals::Uart16550Configuration uart;
  uart.clock_hz = clock_of(configuration.axi_ports.uart16550, configuration);
  return uart;
}

peripherals::UartLiteConfiguration uartlite_configuration(const Configuration& configuration) {
  peripherals::UartLiteConfiguration uart;
  uart.clock_hz = clock_of(configuration.axi_ports.uartlite, configuration);
  return uart;
}

std::unique_ptr<gpgpu::Device> make_gpgpu(const Configuration& configuration) {
  if (configuration.models.gpgpu == "none") return std::make_unique<AbsentGpgpu>("gpgpu");
  return gpgpu::flexgrip::make_flexgrip("gpgpu", configuration.models.gpgpu, configuration.gpgpu);
}

host::Symbols symbols_of(const ElfFile& firmware) {
  const auto table = std::make_shared<const SymbolTable>(firmware.symbols);
  host::Symbols symbols;
  symbols.describe = [table](uint32_t address) { return table->describe(address); };
  symbols.function = [table](uint32_t address, std::string& name, uint32_t& start) {
    const Symbol* symbol = table->find(address);
    if (symbol == nullptr) return false;
    name = symbol->name;
    start = symbol->address;
    return true;
  };
  return symbols;
}

// UG984, "Memory Mapped Interfaces": M_AXI_IP and M_AXI_DP; the GPGPU's port waits, too.
constexpr unsigned kMasterOutstanding = 1;
constexpr unsigned kLiteBytes = 4;  // width of the ports behind AXI4-Lite bridges

void refuse_same_line(const SerialLines& serial) {
  if (serial.uart16550 != serial.uartlite || serial.uart16550 == "none" ||
      serial.uart16550 == "tcp:0")
    return;
  throw bad_input(fmt::format("uart16550.line and uartlite.line are both {}", serial.uart16550), {},
                  "give one of them none, stdio, or a TCP port or a file of its own");
}

}  // namespace

Platform::Platform(const sc_core::sc_module_name& name, const Configuration& configuration,
                   uint64_t max_instructions)
    : sc_module(name), configuration_(configuration), checks_(configuration.axi_check) {
  refuse_same_line(configuration.serial);
  tlm::tlm_global_quantum::instance().set(
      sc_core::sc_time(configuration.quantum_ns, sc_core::SC_NS));
  lines_.push_back(make_serial_line(configuration.serial.uart16550, "uart16550"));
  lines_.push_back(make_serial_line(configuration.serial.uartlite, "uartlite"));

  host_ = host::make_host("host", configuration.models.host,
                          host_configuration(configuration, max_instructions));
  gpgpu_ = make_gpgpu(configuration);
  ddr3_ = ddr3::make_memory_controller("ddr3", configuration.models.ddr3, configuration.ddr3);
  axi::InterconnectConfiguration map = memory_map(configuration.axi, configuration.axi_ports,
                                                  configuration.ddr3.size, gpgpu_->windows());
  // Checkers want to see every phase.
  if (configuration.axi_check)
    for (axi::PortConfiguration& port : map.target_ports) port.runs_ahead = false;
  interconnect_ = axi::make_interconnect("axi", configuration.models.axi, map);
  interrupt_controller_ =
      std::make_unique<peripherals::InterruptController>("intc", interrupt_configuration());
  timer_ = std::make_unique<peripherals::Timer>("timer", timer_configuration(configuration));
  uart16550_ = std::make_unique<peripherals::Uart16550>(
      "uart16550", uart16550_configuration(configuration), lines_[0].get());
  uartlite_ = std::make_unique<peripherals::UartLite>(
      "uartlite", uartlite_configuration(configuration), lines_[1].get());
  connect_bus();
  connect_interrupts();
}

void Platform::connect_bus() {
  const auto from = [&](Initiator initiator, tlm::tlm_initiator_socket<>& socket, const char* name,
                        const axi::PortConfiguration& port) {
    checks_.connect(name, socket, interconnect_->from_initiator(static_cast<unsigned>(initiator)),
                    {false, port.data_bytes, kMasterOutstanding});
  };
  const auto to = [&](Target target, tlm::tlm_target_socket<>& socket, const char* name) {
    checks_.connect(name, interconnect_->to_target(static_cast<unsigned>(target)), socket,
                    {true, kLiteBytes, 0});
  };
  const AxiPorts& ports = configuration_.axi_ports;
  from(Initiator::kHostInstruction, host_->instruction_socket(), "host_instruction",
       ports.host_instruction);
  from(Initiator::kHostData, host_->data_socket(), "host_data", ports.host_data);
  from(Initiator::kGpgpu, gpgpu_->memory_socket(), "gpgpu", ports.gpgpu);
  checks_.connect("ddr3", interconnect_->to_target(static_cast<unsigned>(Target::kDdr3)),
                  ddr3_->socket(), {false, ports.ddr3.data_bytes, 0});
  to(Target::kInterruptController, interrupt_controller_->socket, "intc");
  to(Target::kTimer, timer_->socket, "timer");
  to(Target::kUart16550, uart16550_->socket, "uart16550");
  to(Target::kUartLite, uartlite_->socket, "uartlite");
  auto next_target = static_cast<unsigned>(Target::kGpgpuWindows);
  for (const gpgpu::Window& window : gpgpu_->windows()) connect_window(window, next_target);
}

void Platform::connect_window(const gpgpu::Window& window, unsigned& next_target) {
  if (window.size > 0) {
    const bool lite = is_lite(window);
    const unsigned width = lite ? kLiteBytes : port_of(window, configuration_.axi_ports).data_bytes;
    checks_.connect("gpgpu_" + window.name, interconnect_->to_target(next_target++), *window.socket,
                    {lite, width, 0});
    return;
  }
  if (window.socket == nullptr) return;
  unused_windows_.push_back(std::make_unique<tlm_utils::simple_initiator_socket<Platform>>(
      fmt::format("unused_{}", window.name).c_str()));
  unused_windows_.back()->bind(*window.socket);
}

void Platform::connect_interrupts() {
  interrupt_controller_->interrupt(host_interrupt_);
  host_->interrupt(host_interrupt_);
  timer_->interrupt(timer_interrupt_);
  uart16550_->interrupt(uart16550_interrupt_);
  uartlite_->interrupt(uartlite_interrupt_);
  gpgpu_->interrupt(gpgpu_interrupt_);
  interrupt_controller_->inputs[GVP_IRQ_TIMER](timer_interrupt_);
  interrupt_controller_->inputs[GVP_IRQ_UART16550](uart16550_interrupt_);
  interrupt_controller_->inputs[GVP_IRQ_UARTLITE](uartlite_interrupt_);
  interrupt_controller_->inputs[GVP_IRQ_GPGPU](gpgpu_interrupt_);
}

void Platform::load(const ElfFile& firmware) {
  platform::load(firmware, {[this](uint32_t address, void* data, size_t size) {
                              return host_->debug_read(address, data, size);
                            },
                            [this](uint32_t address, const void* data, size_t size) {
                              return host_->debug_write(address, data, size);
                            }});
  pass_clocks(firmware, configuration_, *host_);
  host_->set_start_address(firmware.entry);
  host_->set_symbols(symbols_of(firmware));
  gpgpu_->set_kernel_names(kernel_names(firmware.image));
}

void Platform::pass_arguments(const ElfFile& firmware, const std::string& text) {
  const Symbol* symbol = firmware.symbols.find(std::string_view("program_argument_text"));
  if (symbol == nullptr)
    throw bad_input("this firmware takes no arguments", {firmware.name},
                    "it has no array program_argument_text; see docs/firmware.md");
  for (const char character : text)
    if (character < ' ' || character > '~')
      throw bad_input(fmt::format("the arguments have a byte {:#04x} in them",
                                  static_cast<unsigned char>(character)),
                      {"--arguments"}, "firmware takes printable ASCII");
  const size_t bytes = text.size() + 1;
  if (bytes > symbol->size)
    throw bad_input(fmt::format("arguments of {} characters; this firmware takes {}", text.size(),
                                symbol->size == 0 ? 0 : symbol->size - 1),
                    {firmware.name});
  host_->debug_write(symbol->address, text.c_str(), bytes);
}

uint16_t Platform::attach_debugger(uint16_t port) {
  const uint16_t listening = host_->attach_debugger(port);
  host_->add_monitor_command("gpgpu", "the kernel that runs or ran last", [this](const auto&) {
    const gpgpu::Progress progress = gpgpu_->progress();
    if (progress.kernels_started == 0) return std::string("no kernel has been started\n");
    return fmt::format("kernel {}: {}, {} of {} blocks done\n", progress.kernels_started,
                       progress.running ? "running" : "ended", progress.blocks_done,
                       progress.blocks_total);
  });
  host_->add_monitor_command("stats", "statistics of the whole board",
                             [this](const auto&) { return statistics().dump(2) + '\n'; });
  return listening;
}

void Platform::poll_serial_lines() {
  for (const auto& line : lines_) line->poll();
}

void Platform::flush_serial_lines() {
  uart16550_->flush();
  uartlite_->flush();
  for (const auto& line : lines_) line->flush();
}

nlohmann::ordered_json Platform::statistics() const {
  nlohmann::ordered_json host = {{"instructions", host_->instructions()},
                                 {"cycles", host_->cycles()}};
  host.update(host_->statistics());
  nlohmann::ordered_json axi = interconnect_->statistics();
  if (checks_.enabled()) axi["protocol_check"] = checks_.to_json();
  return {
      {"host", host}, {"gpgpu", gpgpu_->statistics()}, {"axi", axi}, {"ddr3", ddr3_->statistics()}};
}

}  // namespace gvp::platform
