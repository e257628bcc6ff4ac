// SPDX-License-Identifier: Apache-2.0
// AXI4 and AXI4-Lite ports among the pins of a block: found, and held against IHI 0022 (widths,
// directions, what must not be missing).  Used by roles.cpp.
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-rtl/description.h"
#include "tools/gvp-rtl/pins.h"

namespace gvp::tools::rtl {

// Gives the pins of all ports their roles; see assign_roles().
void assign_ports(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block);

std::string lower(std::string text);
// The pin of this name; throws Error (bad input), with the nearest, where there is none.
Pin& pin_named(std::vector<Pin>& pins, const std::string& name, const SourceLocation& where,
               const std::string& block);

}  // namespace gvp::tools::rtl
