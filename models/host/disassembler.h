// SPDX-License-Identifier: Apache-2.0
// Assembly text of one instruction, as GNU objdump prints it for MicroBlaze.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gvp::host {

// pc: where the word lies, for branch targets.  imm_prefix: the upper half that an imm instruction
// before it set, if there was one.  An undefined word is ".word 0x...".
std::string disassemble(uint32_t word, uint32_t pc,
                        std::optional<uint16_t> imm_prefix = std::nullopt);

// "rmsr", "rear"...; an unknown number is "0x...".
std::string special_register_name(uint32_t number);

}  // namespace gvp::host
