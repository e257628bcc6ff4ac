// SPDX-License-Identifier: Apache-2.0
// Instructions as text, as llvm-mc prints them for tahiti: "v_add_f32_e32 v1, s2, v3".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/codec.h"

namespace gvp::gpgpu::southern_islands {

// One instruction.  target: a label to write instead of a branch's distance, or "".
std::string to_text(const Instruction& instruction, const std::string& target = "");

struct ListingOptions {
  bool plain = false;  // instructions and labels only: no addresses, no words
};
// Code as text that the assembler reads again, to the same words; what is no instruction becomes
// .long, with the reason behind it.  Targets of branches get labels, "L_" and the byte offset.
std::string to_listing(const std::vector<uint32_t>& words, const ListingOptions& options = {});

// One line for each word that cannot be executed or has bits without effect.
std::string list_problems(const std::vector<uint32_t>& words, const std::string& name);

// The table of the instruction set as a Markdown table (docs/southern-islands-encodings.md).
std::string encodings_as_markdown();

}  // namespace gvp::gpgpu::southern_islands
