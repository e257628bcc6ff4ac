// SPDX-License-Identifier: Apache-2.0
// What the keys of an AXI bus of a board set.
#pragma once

#include "models/axi/configuration.h"

namespace gvp::axi {

struct BusSettings {
  Configuration configuration;
  bool check = false;  // checkers on every socket; whoever binds the sockets sees to it
};

}  // namespace gvp::axi
