// SPDX-License-Identifier: Apache-2.0
// A scenario as text, which people read and gvp-cosim --replay takes:
//
//   launches 2
//   grid 1,1
//   block 32,1,1
//   blocks-per-sm 0
//   parameters 0x7
//   constants 0x1 0x2
//   data 0x1000 0x12345678         (an offset into global memory, and the words from there on)
//   access before 3 write control 0x10 07 00 00 00 strobes 1100
//   access during 0 read code 0x40 bytes 64
//   kernel
//   .regs 16                        (assembly, until the end)
//
// An access comes before the first kernel, during each or after the last, so many cycles after the
// one before it, to a window and an offset there; a strobe is a byte enable.  Lines that begin with
// # say nothing.
#pragma once

#include <string>

#include "tools/gvp-cosim/scenario.h"

namespace gvp::cosim {

std::string text_of(const Scenario& scenario);
// The reverse.  Throws Error (bad input) with the line of `file` that is wrong.
Scenario parse_scenario(const std::string& text, const std::string& file);

}  // namespace gvp::cosim
