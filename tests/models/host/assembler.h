// SPDX-License-Identifier: Apache-2.0
// A one-line assembler for the tests, driven by the ISA table: "addik r3, r4, -5".  Operands are
// registers, numbers (C notation) and special register names.  An unknown text throws, so that a
// typing error fails the test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::host::test {

uint32_t assemble(std::string_view line);
// One instruction a line; empty lines and "#" comments are skipped.
std::vector<uint32_t> assemble_program(std::string_view text);

}  // namespace gvp::host::test
