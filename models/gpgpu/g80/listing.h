// SPDX-License-Identifier: Apache-2.0
// Whole modules as text: a listing that the assembler reads again, and reports about them.  Where
// the module knows source lines, each stands in a comment before its instructions, in cuobjdump's
// words.
#pragma once

#include <string>

#include "models/gpgpu/g80/module.h"

namespace gvp::gpgpu::g80 {

struct ListingOptions {
  bool colours = false;  // terminal escape sequences
  bool plain = false;    // instructions only
};

std::string to_listing(const Module& module, const ListingOptions& options = {});
// One line per kernel: name and resources.
std::string list_kernels(const Module& module);
// One line per word that is no executable instruction or has unknown bits.
std::string list_problems(const Module& module);

// The table of the instruction set as a Markdown table (docs/g80_encodings.md).
std::string encodings_as_markdown();

}  // namespace gvp::gpgpu::g80
