// SPDX-License-Identifier: Apache-2.0
// An address that no target answers is refused by the interconnect alone.
#include <systemc>

#include "models/axi/interconnect.h"

int sc_main(int, char*[]) {
  gvp::axi::InterconnectConfiguration map;
  map.initiators = {"mine"};
  const auto bus = gvp::axi::make_interconnect("bus", "lt", map);
  return bus != nullptr ? 0 : 1;
}
