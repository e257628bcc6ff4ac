// SPDX-License-Identifier: Apache-2.0
// The back door that a block of RTL may have for debug accesses: an input debug_address and an
// output debug_data that follows it without a clock and without side effects.  Reads only.
#pragma once

#include <tlm>

#include "models/rtl/block.h"
#include "models/rtl/pin.h"

namespace gvp::axi::pins {

class DebugPins {
 public:
  // base: added to addresses (Port::base).
  DebugPins(rtl::Block& block, uint64_t base)
      : block_(block),
        base_(base),
        address_(block.pin("debug_address")),
        data_(block.pin("debug_data")) {}

  // As transport_dbg: the bytes moved, 0 for a write and for a block without these pins.
  unsigned access(tlm::tlm_generic_payload& payload);

 private:
  rtl::Block& block_;
  uint64_t base_;
  rtl::Pin address_, data_;
};

}  // namespace gvp::axi::pins
