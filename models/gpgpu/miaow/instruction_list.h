// SPDX-License-Identifier: Apache-2.0
// Which instructions a trimmed MIAOW has, as gvp-trim writes them: a name a line, with its form
// where there are two ("v_add_f32_e32"); # starts a comment.  No SystemC.
#pragma once

#include <bitset>
#include <string>

#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::miaow {

class InstructionList {
 public:
  InstructionList() = default;
  // Of a file's text; without one there are all.  Throws Error (bad input) at the line of what is
  // no instruction.
  InstructionList(const std::string& text, const std::string& file);

  // Of a file; "": all.  Throws Error (bad input) for what cannot be read, too.
  static InstructionList of_file(const std::string& file);

  bool has_all() const { return all_; }
  bool has(const southern_islands::Instruction& instruction) const {
    return all_ || present_[index_of(instruction)];
  }
  void add(const southern_islands::Instruction& instruction);
  std::string text() const;  // a name a line, in the order of the table

 private:
  static std::size_t index_of(const southern_islands::Instruction& instruction) {
    return 2 * static_cast<std::size_t>(instruction.operation) + (instruction.vop3 ? 1 : 0);
  }
  bool all_ = true;
  std::bitset<2 * southern_islands::kOperationCount> present_;
};

// "v_add_f32_e64": the mnemonic, with its form where there are two.
std::string instruction_name(const southern_islands::Instruction& instruction);

}  // namespace gvp::gpgpu::miaow
