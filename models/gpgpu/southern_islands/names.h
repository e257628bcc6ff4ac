// SPDX-License-Identifier: Apache-2.0
// How operands are written, in LLVM's words; read and written from the same tables.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::southern_islands {

// A register, a constant or a literal of so many words: "v[2:3]", "vcc", "-4", "0.5", "0x1234".  A
// literal that a constant could stand for is "lit(0x1)".  Numbers that mean nothing: "<reserved
// 105>".
std::string text_of_operand(Code number, unsigned words, uint32_t literal);

// The special registers, with how many words each has under that name.
struct RegisterName {
  std::string_view name;
  Code number;
  unsigned words;
};
struct RegisterNames {
  const RegisterName* first;
  const RegisterName* last;
  const RegisterName* begin() const { return first; }
  const RegisterName* end() const { return last; }
};
RegisterNames special_registers();

// The constant that stands for a word or for a double word; code::kLiteral: none does.
Code constant_for(uint32_t word);
Code constant_for_double_word(uint64_t value);

// Of tbuffer's format:[...].
std::string_view data_format_name(unsigned format);    // "BUF_DATA_FORMAT_32"
std::string_view number_format_name(unsigned format);  // "BUF_NUM_FORMAT_FLOAT"
constexpr unsigned kDataFormats = 16;
constexpr unsigned kNumberFormats = 8;

// What s_waitcnt waits for, in its simm16.
struct WaitCounter {
  std::string_view name;
  unsigned low;
  uint16_t most;
};
inline constexpr std::array<WaitCounter, 3> kWaitCounters = {
    {{"vmcnt", 0, 15}, {"expcnt", 4, 7}, {"lgkmcnt", 8, 15}}};
constexpr uint16_t kWaitForNothing = 0x0f7f;

}  // namespace gvp::gpgpu::southern_islands
