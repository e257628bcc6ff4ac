// SPDX-License-Identifier: Apache-2.0
// Operands and modifiers as they are written, before an instruction's form says what they mean.
// Internal to the Southern Islands library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/instruction.h"
#include "models/gpgpu/southern_islands/scanner.h"

namespace gvp::gpgpu::southern_islands {

struct ParsedOperand {
  enum class What : uint8_t { kRegister, kInteger, kFloat, kOff, kSymbol };
  What what = What::kInteger;
  Code number = 0;  // kRegister
  unsigned words = 1;
  int64_t integer = 0;
  double real = 0;
  std::string symbol;
  bool negate = false;
  bool absolute = false;
  bool literal = false;  // lit(...): no constant for it
  std::size_t position = 0;
};

struct ParsedModifier {
  std::string name;
  int64_t value = 0;
  bool has_value = false;
  std::size_t position = 0;
  bool used = false;
};

struct ParsedOperands {
  std::vector<ParsedOperand> operands;
  std::vector<ParsedModifier> modifiers;

  // The modifier of that name, marked as used; nullptr: none.
  ParsedModifier* take(std::string_view name);
  bool flag(std::string_view name) { return take(name) != nullptr; }
};

// All to the end of the line.
ParsedOperands parse_operands(Scanner& scanner);
// What s_waitcnt waits for.
uint16_t parse_wait_counts(Scanner& scanner);

}  // namespace gvp::gpgpu::southern_islands
