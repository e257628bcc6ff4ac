// SPDX-License-Identifier: Apache-2.0
// From the description of a block of RTL to a plug-in: VHDL through GHDL's synthesis, all through
// Verilator, its C++ through the compiler ($CXX, else c++).
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-rtl/description.h"
#include "tools/gvp-rtl/pins.h"

namespace gvp::tools::rtl {

struct BuildOptions {
  std::string output;     // FILE.so; "": beside the working directory's caller, NAME.so
  std::string directory;  // of what is made on the way; "": OUTPUT.build
  std::string program;    // gvp-rtl itself: what it compiles with lies beside it
  std::string depfile;    // "": none; else a makefile's line of what the plug-in depends on
};

struct Built {
  std::string output;
  std::string compiled_with;
  std::string warnings;  // Verilator's words, "" for none
  std::vector<Pin> pins;
};

// Throws Error (bad input): for a missing program with the package that has it, for RTL that a
// program refuses with its words and the place in the RTL, for ports that cannot be (roles.h).
Built build(const Description& description, const BuildOptions& options);

// "Verilator 5.006"; throws Error (bad input), with the package to install, where there is none.
std::string verilator_version();

}  // namespace gvp::tools::rtl
