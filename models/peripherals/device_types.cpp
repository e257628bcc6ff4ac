// SPDX-License-Identifier: Apache-2.0
// The peripherals as devices of a board.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/device/device_type.h"
#include "models/peripherals/interrupt_controller.h"
#include "models/peripherals/rtl_peripheral.h"
#include "models/peripherals/timer.h"
#include "models/peripherals/uart16550.h"
#include "models/peripherals/uartlite.h"
#include "models/rtl/model_name.h"

namespace gvp::peripherals {
namespace {

using namespace device;

constexpr uint64_t kRegisterBytes = 64 << 10;  // of address space, as Xilinx's tools give them
constexpr unsigned kLeastInputs = 8;
constexpr const char* kInterrupt = "interrupt";

struct UartSettings {
  std::string line = "none";
};

struct ControllerSettings {
  uint32_t inputs = kLeastInputs;
};

bool is_port(const std::string& text) {
  if (text.empty() || text.size() > 5) return false;
  if (text.find_first_not_of("0123456789") != std::string::npos) return false;
  return std::stoul(text) <= 65535;
}

bool is_serial_line(const std::string& text) {
  if (text == "none" || text == "stdio") return true;
  if (text.rfind("tcp:", 0) == 0) {
    const size_t comma = std::min(text.find(','), text.size());
    return is_port(text.substr(4, comma - 4)) &&
           (comma == text.size() || text.substr(comma) == ",wait");
  }
  return text.rfind("file:", 0) == 0 && text.size() > 5;
}

std::vector<Key> uart_keys() {
  return {
      {"line", field<&UartSettings::line>,
       text_form(is_serial_line, "none, stdio, tcp:PORT[,wait] or file:PATH"), "",
       "What is connected to the UART: nothing, the terminal (stdio), a TCP server on 127.0.0.1 "
       "(port 0 picks a free one; with \",wait\" the run starts when a client has connected), a "
       "file "
       "that receives the output"}};
}

// A type whose registers are its only window, behind AXI4-Lite.
DeviceType peripheral(const char* name, const char* description,
                      Trigger interrupt = Trigger::kLevel) {
  DeviceType type;
  type.interrupts = {{kInterrupt, interrupt}};
  type.has_reset = true;
  type.name = name;
  type.description = description;
  type.windows = [text = std::string(description)](const Instance&) {
    Window registers{"", kRegisterBytes, text};
    registers.lite = true;
    return std::vector<Window>{registers};
  };
  return type;
}

template <typename T>
Parts parts_of(std::unique_ptr<T> peripheral) {
  Parts parts;
  parts.targets = {{"", &peripheral->socket}};
  parts.interrupts = {{kInterrupt, &peripheral->interrupt}};
  parts.reset = [p = peripheral.get()] { p->reset(); };
  parts.module = std::move(peripheral);
  return parts;
}

InterruptControllerConfiguration configuration_of(const Instance& instance) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = instance.as<ControllerSettings>().inputs;
  configuration.kind_of_interrupt = instance.pulse_inputs;
  return configuration;
}

// The model as RTL, or null where the board wants the transaction-level one.
std::unique_ptr<RtlPeripheral> rtl_of(const Instance& instance, const Surroundings& surroundings,
                                      const char* block) {
  if (instance.model != "lt" && !rtl::is_rtl(instance.model))
    throw bad_input(fmt::format("{} has no model \"{}\"", instance.name, instance.model), {},
                    fmt::format("{}.model is \"lt\" or \"rtl\"", instance.name));
  if (!rtl::is_rtl(instance.model)) return nullptr;
  rtl::BlockConfiguration configuration;
  configuration.clock_hz = instance.clock_hz;
  configuration.seed = surroundings.seed;
  return std::make_unique<RtlPeripheral>(instance.name.c_str(),
                                         rtl::block_of(instance.model, block), configuration);
}

std::string cell(uint64_t value) { return '<' + std::to_string(value) + '>'; }

template <typename Uart, typename Configuration>
Parts make_uart(const Instance& instance, Surroundings& surroundings) {
  Configuration configuration;
  configuration.clock_hz = instance.clock_hz;
  auto uart =
      std::make_unique<Uart>(instance.name.c_str(), configuration,
                             surroundings.serial_line(instance, instance.as<UartSettings>().line));
  Uart& u = *uart;
  Parts parts = parts_of(std::move(uart));
  parts.flush = [&u] { u.flush(); };
  return parts;
}

Parts rtl_controller(std::unique_ptr<RtlPeripheral> block,
                     const InterruptControllerConfiguration& configuration) {
  RtlPeripheral& controller = *block;
  connect_controller(controller, configuration);
  Parts parts = parts_of(std::move(block));
  parts.connect_input = [&controller](unsigned line, sc_core::sc_signal<bool>& signal) {
    controller.input(line)(signal);
  };
  return parts;
}

}  // namespace

DeviceType axi_intc_type() {
  DeviceType type = peripheral("axi_intc", "AXI interrupt controller (PG099)");
  type.models = {"lt", "rtl"};
  type.defaults = ControllerSettings{};
  type.keys = {{"inputs", field<&ControllerSettings::inputs>, range(1, 32), "",
                "Interrupt inputs (C_NUM_INTR_INPUTS)"}};
  type.interrupt_inputs = [](const Instance& instance) {
    return instance.as<ControllerSettings>().inputs;
  };
  type.device_tree = [](const Instance& instance) {
    return TreeNode{"interrupt-controller",
                    {"xlnx,xps-intc-1.00.a"},
                    {{"interrupt-controller", ""},
                     {"#address-cells", "<0>"},
                     {"#interrupt-cells", "<2>"},
                     {"xlnx,kind-of-intr", cell(instance.pulse_inputs)},
                     {"xlnx,num-intr-inputs", cell(instance.as<ControllerSettings>().inputs)}}};
  };
  type.registers = [](const Instance& instance) {
    return RegisterMap{"", InterruptController::register_rows(configuration_of(instance))};
  };
  type.make = [](const Instance& instance, Surroundings& surroundings) {
    const InterruptControllerConfiguration configuration = configuration_of(instance);
    if (auto block = rtl_of(instance, surroundings, "axi_intc"))
      return rtl_controller(std::move(block), configuration);
    auto controller = std::make_unique<InterruptController>(instance.name.c_str(), configuration);
    auto& inputs = controller->inputs;
    Parts parts = parts_of(std::move(controller));
    parts.connect_input = [&inputs](unsigned line, sc_core::sc_signal<bool>& signal) {
      inputs[line](signal);
    };
    return parts;
  };
  return type;
}

DeviceType axi_timer_type() {
  DeviceType type = peripheral("axi_timer", "AXI timer (PG079), two 32-bit counters");
  type.models = {"lt", "rtl"};
  type.device_tree = [](const Instance& instance) {
    return TreeNode{"timer",
                    {"xlnx,xps-timer-1.00.a"},
                    {{"clock-frequency", cell(static_cast<uint64_t>(instance.clock_hz))},
                     {"xlnx,count-width", "<32>"},
                     {"xlnx,one-timer-only", "<0>"}}};
  };
  type.registers = [](const Instance&) { return RegisterMap{"", Timer::register_rows()}; };
  type.make = [](const Instance& instance, Surroundings& surroundings) {
    if (auto block = rtl_of(instance, surroundings, "axi_timer")) return parts_of(std::move(block));
    TimerConfiguration configuration;
    configuration.clock_hz = instance.clock_hz;
    return parts_of(std::make_unique<Timer>(instance.name.c_str(), configuration));
  };
  return type;
}

DeviceType axi_uart16550_type() {
  DeviceType type =
      peripheral("axi_uart16550", "AXI UART 16550 (PG143), registers from +0x1000, 4 bytes apart");
  type.defaults = UartSettings{};
  type.keys = uart_keys();
  type.models = {"lt", "rtl"};
  type.device_tree = [](const Instance& instance) {
    return TreeNode{"serial",
                    {"xlnx,axi-uart16550-1.01.a", "xlnx,xps-uart16550-2.00.a", "ns16550a"},
                    {{"clock-frequency", cell(static_cast<uint64_t>(instance.clock_hz))},
                     {"current-speed", "<115200>"},
                     {"reg-shift", "<2>"},
                     {"reg-offset", "<0x1000>"}}};
  };
  type.registers = [](const Instance&) {
    return RegisterMap{"", Uart16550::register_rows(Uart16550Configuration{})};
  };
  type.make = [](const Instance& instance, Surroundings& surroundings) {
    if (auto block = rtl_of(instance, surroundings, "axi_uart16550")) {
      connect_uart16550(*block, {},
                        surroundings.serial_line(instance, instance.as<UartSettings>().line));
      return parts_of(std::move(block));
    }
    return make_uart<Uart16550, Uart16550Configuration>(instance, surroundings);
  };
  return type;
}

DeviceType axi_uartlite_type() {
  DeviceType type = peripheral("axi_uartlite", "AXI UART Lite (PG142)", Trigger::kPulse);
  type.defaults = UartSettings{};
  type.keys = uart_keys();
  type.models = {"lt", "rtl"};
  type.device_tree = [](const Instance&) {
    return TreeNode{
        "serial",
        {"xlnx,xps-uartlite-1.00.a"},
        {{"current-speed", "<115200>"}, {"xlnx,data-bits", "<8>"}, {"xlnx,use-parity", "<0>"}}};
  };
  type.registers = [](const Instance&) { return RegisterMap{"", UartLite::register_rows()}; };
  type.make = [](const Instance& instance, Surroundings& surroundings) {
    if (auto block = rtl_of(instance, surroundings, "axi_uartlite")) {
      UartLiteConfiguration configuration;
      configuration.clock_hz = instance.clock_hz;
      connect_uartlite(*block, configuration,
                       surroundings.serial_line(instance, instance.as<UartSettings>().line));
      return parts_of(std::move(block));
    }
    return make_uart<UartLite, UartLiteConfiguration>(instance, surroundings);
  };
  return type;
}

}  // namespace gvp::peripherals
