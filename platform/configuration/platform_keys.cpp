// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/rows.h"

namespace gvp::platform::rows {
namespace {

bool is_port(const std::string& text) {
  if (text.empty() || text.size() > 5) return false;
  if (text.find_first_not_of("0123456789") != std::string::npos) return false;
  return std::stoul(text) <= 65535;
}

bool is_serial_line(const std::string& text) {
  if (text == "none" || text == "stdio") return true;
  if (text.rfind("tcp:", 0) == 0) return is_port(text.substr(4));
  return text.rfind("file:", 0) == 0 && text.size() > 5;
}

bool is_model_name(const std::string& text) {
  if (text == "lt" || text == "at" || text == "rtl") return true;
  return text.rfind("rtl:", 0) == 0 && text.size() > 4;
}

Allowed serial_line() { return text_form(is_serial_line, "none, stdio, tcp:PORT or file:PATH"); }

}  // namespace

Allowed model_name() { return text_form(is_model_name, "lt, at or rtl[:NAME]"); }

std::vector<Key> platform_keys() {
  return {
      {"quantum_ns", [](Configuration& c) -> Field { return &c.quantum_ns; }, range(1, 1e9), "ns",
       "How far a loosely timed initiator may run ahead of simulated time before the others get "
       "their turn: larger is faster, smaller delivers interrupts earlier"},
      {"uart16550.line", [](Configuration& c) -> Field { return &c.serial.uart16550; },
       serial_line(), "",
       "What is connected to the 16550 UART, the firmware's console: the terminal (stdio), a "
       "TCP server on 127.0.0.1 (port 0 picks a free one), a file that receives the output"},
      {"uartlite.line", [](Configuration& c) -> Field { return &c.serial.uartlite; }, serial_line(),
       "", "What is connected to the UART Lite"},
  };
}

}  // namespace gvp::platform::rows
