// SPDX-License-Identifier: Apache-2.0
// Places the instructions of a kernel: keeps long instructions on 8-byte boundaries, gives
// labels their addresses and resolves branches.  Internal to the g80 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/gpgpu/g80/instruction_parser.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {

class Layout {
 public:
  void label(const std::string& name, const Scanner& scanner, std::size_t column);
  void instruction(const ParsedInstruction& parsed, const Scanner& scanner);
  void word(uint32_t word);
  void align();  // the next item begins on an 8-byte boundary
  // Leave everything where it is, also long instructions that begin at an odd word.
  void no_alignment() { aligning_ = false; }

  // The words of the kernel.  Throws for unknown labels.
  std::vector<uint32_t> finish();
  unsigned registers_used() const { return registers_used_; }
  // Where a register is first used that a kernel of so many does not have, as a message.
  std::string use_beyond(unsigned registers) const;
  unsigned barriers_used() const { return barriers_used_; }

 private:
  struct Item {
    bool is_instruction = false;
    ParsedInstruction parsed;
    uint32_t word = 0;
    uint32_t address = 0;
    std::string line;  // for messages
    std::string file;
    uint32_t line_number = 0;
    uint32_t size() const;
  };
  struct Label {
    std::size_t item;  // the label stands before this item
    uint32_t line_number;
  };

  void note_use(const Instruction& instruction);
  void pad();

  std::vector<Item> items_;
  std::map<std::string, Label> labels_;
  uint32_t address_ = 0;
  bool aligning_ = true;
  bool moved_ = false;  // an instruction grew or padding was inserted
  unsigned registers_used_ = 0;
  unsigned barriers_used_ = 0;
};

}  // namespace gvp::gpgpu::g80
