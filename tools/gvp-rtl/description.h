// SPDX-License-Identifier: Apache-2.0
// What `gvp-rtl build` reads: a TOML file that names the sources, top module and parameters of a
// block, and what its ports are where their names do not say it (docs/rtl-blocks.md).  Paths are
// relative to the file that has them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"

namespace gvp::tools::rtl {

// Names of the block's pins, by what they are.
struct PortMapping {
  bool is_master = false;
  std::string prefix;                          // "": none, only the signals named
  std::map<std::string, std::string> signals;  // "awaddr": the pin's name, or "pin[63:32]"
  SourceLocation where;
  unsigned index = 0, count = 1;  // it has this one of so many parts of each pin
};

struct NamedPin {
  std::string name;  // "!rst_n": active low
  SourceLocation where;
};

struct Mapping {
  std::vector<NamedPin> clocks, resets, interrupts;
  std::vector<NamedPin> others;              // none of these, whatever their names look like
  std::map<std::string, PortMapping> ports;  // by their names on the board
};

struct Parameter {
  std::string name;
  std::string verilog;  // as Verilator's -G has it: 32, 8'h2a, 1, "text" with its quotes
  std::string vhdl;     // as GHDL's -g has it: 32, true, text
};

struct Description {
  std::string file;
  std::string name;
  std::string top;
  std::vector<std::string> sources;  // .v, .sv, .vhd, .vhdl; full paths, as all that follow
  std::vector<std::string> includes;
  std::vector<std::string> defines;
  std::vector<Parameter> parameters;
  std::string language;                        // of Verilator's --default-language; "": its own
  std::vector<std::string> verilator_options;  // more of them
  Mapping mapping;
};

// Throws Error (bad input) with file, line and remedy.
Description read_description(const std::string& path);
// A mapping alone; text and name of its file.
Mapping read_mapping(std::string_view text, const std::string& file);

}  // namespace gvp::tools::rtl
