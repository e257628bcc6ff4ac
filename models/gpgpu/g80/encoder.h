// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to instruction words.  What `encode` accepts decodes to the same
// instruction again; anything else (an operand the form cannot reach, a modifier the encoding
// does not have) is refused with a reason.  Operand::type may be left kNone where the operation
// implies it.
#pragma once

#include <optional>
#include <string>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {

// Nothing if the instruction has no encoding; then *problem (if given) says why.  Short forms
// use the first word only.
std::optional<Words> try_encode(const Instruction& instruction, std::string* problem = nullptr);

// Throws gvp::Error (bad input) with the reason.
Words encode(const Instruction& instruction);

// The same instruction in another form (kLong for kShort...), if that form can express it.
std::optional<Instruction> with_form(const Instruction& instruction, Form form);

}  // namespace gvp::gpgpu::g80
