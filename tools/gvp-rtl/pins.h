// SPDX-License-Identifier: Apache-2.0
// The ports of a top module, from the class that Verilator made of it (--cc): the one list that
// cannot differ from the compiled model.  What the class calls otherwise than the RTL (words of
// C++, names with odd characters) has its own name back.
#pragma once

#include <string>
#include <vector>

namespace gvp::tools::rtl {

struct Pin {
  std::string name;    // in the RTL
  std::string member;  // of Verilator's class
  unsigned bits = 1;
  bool is_input = false;
  std::string role;  // as models/rtl/block_interface.h has it; "": none
};

// header: the text of the class's header.  Throws Error (bad input), naming block and port, for a
// port that is no vector of bits (inout, array, real, string), and for a module without ports.
std::vector<Pin> read_pins(const std::string& header, const std::string& block);

}  // namespace gvp::tools::rtl
