// SPDX-License-Identifier: Apache-2.0
// How conditions, types and special registers are written; shared by assembler and disassembler.
// Internal to the g80 library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/gpgpu/g80/instruction.h"

namespace gvp::gpgpu::g80 {

// LT, NE, EQU, CARRY...; conditions 0x14 to 0x1b have no name of NVIDIA's: F14 to F1B.
std::string condition_name(Condition condition);
std::optional<Condition> condition_from_name(std::string_view name);

// U16, S32, F32...; bits without sign are written as unsigned, 64 and 128 bits as signed, as
// cuobjdump does.
std::string_view type_name(Type type);
std::optional<Type> type_from_name(std::string_view name);

// SR_PHYSID, SR_CLOCK...; SR_2 for those without a name.
std::string special_register_name(unsigned number);
std::optional<unsigned> special_register_from_name(std::string_view name);

// The name of the row an instruction belongs to ("IADD32I"); empty if it has none.
std::string_view row_name(const Instruction& instruction);

// ASCII upper case; identifiers of the assembly language ignore case.
std::string upper(std::string_view text);

}  // namespace gvp::gpgpu::g80
