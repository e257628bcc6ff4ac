// SPDX-License-Identifier: Apache-2.0
// The one C++ source of a Verilated block: what Verilator wrote, and over it the pins as plain C
// (models/rtl/block_interface.h).  Compiled with GVP_RTL_PLUGIN it makes a plug-in.
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-rtl/pins.h"

namespace gvp::tools::rtl {

struct Verilated {
  std::string name;           // of the block; Verilator's class is V and this
  std::string directory;      // where its sources are
  std::string compiled_with;  // "Verilator 5.006"
};

// The header of Verilator's class, as text.  Throws Error where it cannot be read.
std::string header_of(const Verilated& block);
// The files that Verilator has read for it, what sources include among them, in a makefile's
// syntax; without those that are made on the way.
std::string read_by_verilator(const Verilated& block);
std::string source_text(const Verilated& block, const std::vector<Pin>& pins);

}  // namespace gvp::tools::rtl
