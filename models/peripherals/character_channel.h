// SPDX-License-Identifier: Apache-2.0
// The far end of a serial line: what a UART model sends characters to and takes characters from.
// The platform connects it to a terminal, a TCP port or a file.  Called in simulation context;
// neither call ever blocks.
#pragma once

#include <cstdint>
#include <optional>

namespace gvp::peripherals {

class CharacterChannel {
 public:
  virtual ~CharacterChannel() = default;
  virtual void write(uint8_t character) = 0;
  virtual std::optional<uint8_t> read() = 0;  // nothing: no character waits
};

}  // namespace gvp::peripherals
