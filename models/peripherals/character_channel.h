// SPDX-License-Identifier: Apache-2.0
// The far end of a serial line: what a UART sends goes to write(), what read() returns arrives at
// the UART.  The platform implements it for the terminal, TCP and files.  A UART asks for input
// once per character time of the simulated line, so a file as input is deterministic.
#pragma once

#include <cstdint>
#include <optional>

namespace gvp::peripherals {

class CharacterChannel {
 public:
  virtual ~CharacterChannel() = default;
  virtual void write(uint8_t character) = 0;
  // The next character if one is waiting; must not block.
  virtual std::optional<uint8_t> read() = 0;
  // False once no character will ever come (any more): the UART then stops asking.
  virtual bool has_input() const { return true; }
};

}  // namespace gvp::peripherals
