// SPDX-License-Identifier: Apache-2.0
// The assembler: text as cuobjdump prints it for sm_10, plus labels, directives and a few
// conveniences, to a Module.  The language is described in docs/g80.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/module.h"

namespace gvp::gpgpu::g80 {

// Throws gvp::Error (bad input) with file, line, column, the line with a caret below it, and the
// nearest valid form where there is one.  `file` is used in messages only.  Warnings: registers
// beyond what a kernel declares.
Module assemble(std::string_view source, const std::string& file,
                std::vector<std::string>* warnings = nullptr);

// One instruction without labels; the same errors.
Instruction assemble_instruction(std::string_view text);

}  // namespace gvp::gpgpu::g80
