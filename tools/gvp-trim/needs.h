// SPDX-License-Identifier: Apache-2.0
// What code needs of a compute unit: instructions, formats, units and their parts, registers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/instruction_list.h"
#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::trim {

// An instruction by its encoding: "VOP2", 0x25.
struct Entry {
  std::string name;    // "v_add_i32_e32"
  std::string format;  // that it is encoded in
  unsigned opcode = 0;
  gpgpu::southern_islands::Unit unit{};
  bool in_rtl = false;    // the published RTL executes it
  uint64_t places = 0;    // in the code
  uint64_t executed = 0;  // as a profile says
};

struct Needs {
  std::map<std::string, Entry> entries;  // by name
  std::set<std::string> formats;
  unsigned scalar_registers = 0;
  unsigned vector_registers = 0;
  bool integer_multiplier = false;
  bool float_adder = false;
  bool float_multiplier = false;
  bool float_divider = false;  // reciprocals, roots and the like
  bool float_converter = false;
  bool share = false;
  gpgpu::miaow::InstructionList list;
  std::vector<gpgpu::southern_islands::Instruction> instructions;  // in the order of the code
  std::vector<std::string> problems;  // words that are reached and are no instructions

  unsigned count(gpgpu::southern_islands::Unit unit) const;
};

// Adds what can be reached from a place on, by all paths.  executed: by word, or empty: not known.
// only_executed: nothing else.
void add_reachable(Needs& needs, const std::vector<uint32_t>& code, uint32_t entry,
                   const std::vector<uint64_t>& executed, bool only_executed);

// How many instructions the published RTL has for a unit.
unsigned rtl_count(gpgpu::southern_islands::Unit unit);

}  // namespace gvp::trim
