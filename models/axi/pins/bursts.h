// SPDX-License-Identifier: Apache-2.0
// Which AXI4 bursts a TLM-2.0 transaction becomes at a port of some width (IHI 0022 A3.4.1): plain
// arithmetic.  What carries axi::Extension and fits is the burst that it describes; anything else
// is cut at 4 KiB and at the most beats: narrow where it is a part of one beat, FIXED where it
// streams by whole beats.  Addresses and widths are bytes.
#pragma once

#include <tlm>
#include <vector>

#include "models/axi/pins/lanes.h"

namespace gvp::axi::pins {

struct Part {  // one burst
  Beats beats{};
  unsigned first = 0;  // of its data in the payload's
  unsigned bytes = 0;
};

// Bytes of data of a burst.
uint64_t bytes_of(const Beats& beats, unsigned data_bytes);

// Adds the bursts to `parts`.  widen: incrementing ones as wide as the port, whatever their
// extension says.  False, and the response set, for a wrapping burst that IHI 0022 does
// not have, or whose byte enables are not there for all of it.
bool cut(tlm::tlm_generic_payload& payload, unsigned data_bytes, std::vector<Part>& parts,
         bool widen = false);

}  // namespace gvp::axi::pins
