// SPDX-License-Identifier: Apache-2.0
// Blocks whose pins are shared: vectors that hold a signal of several ports, as interconnects have
// them ("s_axi_awaddr[2*32-1:0]" for two ports), and single bits that are interrupts.  A module
// around the block's top gives each part a pin of its own, which the mapping then names; whatever
// comes after sees an ordinary block.
//
// In a mapping: `index` and `count` of a port say that it has the index-th of so many equal parts
// of each of its pins, the first in the lowest bits; "name[7:4]" and "name[3]" are bits of a pin.
// Not here: parts of clocks and resets.
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-rtl/description.h"
#include "tools/gvp-rtl/pins.h"

namespace gvp::tools::rtl {

// Whether the mapping asks for parts of pins at all.
bool has_parts(const Mapping& mapping);

struct Split {
  std::string top;   // the module around
  std::string text;  // its source, plain Verilog
  Mapping mapping;   // of the new pins
};

// pins: of the description's own top.  parameters: whether the module passes them on to it.  Throws
// Error (bad input), with place, pin and remedy, for parts that a pin does not have, vectors that
// cannot be divided, and inputs that two ports want.
Split split(const Description& description, const std::vector<Pin>& pins, bool parameters);

}  // namespace gvp::tools::rtl
