// SPDX-License-Identifier: Apache-2.0
// Moves the fields of one table row between instruction words and the decoded instruction.  Each
// field is described once, for both directions, so that decoder and encoder cannot disagree.
// Internal to the g80 library.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {

class Codec {
 public:
  enum class Direction { kDecode, kEncode };

  // Decoding fills `instruction` from `words`; encoding fills the fields of `words`.
  Codec(Direction direction, const Row& row, Words& words, Instruction& instruction);

  void run();

  // Empty, or why the instruction does not fit this row (encoding), or which field has a
  // reserved value (decoding).
  const std::string& problem() const { return problem_; }
  // How many fields were right before the first problem.
  unsigned progress() const { return progress_; }

 private:
  bool encoding() const { return direction_ == Direction::kEncode; }
  void fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
  }

  void fail_range(const char* what, uint32_t value, uint32_t maximum);

  template <typename T>
  void bits(unsigned word, unsigned low, unsigned count, T& value, const char* what);
  void flag(unsigned word, unsigned bit, bool& value);
  void signed_type(unsigned word, unsigned bit, Type& type);

  void transfer(Field field);
  void transfer_destination(Field field);
  void transfer_source(Field field);
  void transfer_memory(Field field);
  void transfer_modifier(Field field);
  void transfer_conversion(Field field);

  // Register fields.
  void word_register(Operand& operand, unsigned word, unsigned low, unsigned count);
  void half_register(Operand& operand, unsigned word, unsigned low, unsigned count);
  void any_register(Operand& operand, bool half, unsigned word, unsigned low, unsigned count);
  void destination(bool half, bool may_be_output);
  void memory_registers(Operand& operand);

  // Operands that are a register or memory.
  void source1(bool half, bool is_short);
  void source2(bool half, bool is_short);
  void source3(Operand& operand, bool half);
  void shared(Operand& operand, unsigned size_low, unsigned offset_bits);
  void constant(Operand& operand, bool half, unsigned word, unsigned low, unsigned count);
  void bank(Operand& operand);
  void immediate(Operand& operand);
  // Operands whose offset has a field of its own.
  void full_offset(Operand& operand, Type access);
  void access_type(Operand& operand);
  // The $a register applies to the first memory operand.
  void indexing(Operand& operand);
  void offset(Operand& operand, unsigned word, unsigned low, unsigned count);
  void finish_types();

  Direction direction_;
  const Row& row_;
  Words& w_;
  Instruction& i_;
  bool indexing_done_ = false;
  std::string problem_;
  unsigned progress_ = 0;
};

template <typename T>
void Codec::bits(unsigned word, unsigned low, unsigned count, T& value, const char* what) {
  const uint32_t mask = (1u << count) - 1;
  if (encoding()) {
    const uint32_t raw = static_cast<uint32_t>(value);
    if (raw > mask) fail_range(what, raw, mask);
    w_[word] |= (raw & mask) << low;
  } else {
    value = static_cast<T>((w_[word] >> low) & mask);
  }
}

}  // namespace gvp::gpgpu::g80
