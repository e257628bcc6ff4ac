// SPDX-License-Identifier: Apache-2.0
// A UART 16550 on a line that ends in strings, its registers, and the time of a character.
#pragma once

#include <string>

#include "models/peripherals/uart16550.h"
#include "tests/models/peripherals/bench.h"

namespace gvp::peripherals {

inline constexpr uint64_t kRbr = 0x1000, kThr = 0x1000, kDll = 0x1000, kIer = 0x1004, kDlm = 0x1004,
                          kIir = 0x1008, kFcr = 0x1008, kLcr = 0x100c, kMcr = 0x1010, kLsr = 0x1014,
                          kMsr = 0x1018, kScr = 0x101c;

// 100 MHz and a divisor of 6: 16 * 6 * 10 ns = 960 ns a bit, 9.6 us a character of 8N1.
inline const sc_time kCharacter(9600, SC_NS);

struct UartBench : SerialBench<Uart16550, Uart16550Configuration> {
  explicit UartBench(const Uart16550Configuration& configuration = {})
      : SerialBench<Uart16550, Uart16550Configuration>(configuration) {}
  void set_up(uint32_t fcr = 0) {
    write(kLcr, 0x83);
    write(kDll, 6);
    write(kDlm, 0);
    write(kLcr, 0x03);
    write(kFcr, fcr);
  }
  // Input that arrives in the next character times.
  void receive(const std::string& text) {
    for (char c : text) input.push_back(c);
    pass(static_cast<double>(text.size()) * kCharacter);
  }
};

}  // namespace gvp::peripherals
