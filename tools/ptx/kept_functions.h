// SPDX-License-Identifier: Apache-2.0
// Which of the functions that a kernel calls stay functions: those that are not to be inlined
// (.noinline) and, where the code would be too large otherwise, those of a size that are called
// from several places.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "tools/ptx/module.h"

namespace gvp::ptx {

struct KeptFunctions {
  bool marked = true;  // those that are not to be inlined
  uint64_t least = 0;  // instructions, with what is inlined, from which on others are; 0: none is
};

// Not among them, whatever they say: functions that end threads, that have predicates for
// parameters, take or give structures with words that are not aligned (bit fields are taken so) or
// access doubles in memory (whose calls need to know which memory that is), and with 64-bit
// addresses those that take structures by value; whether by themselves or in what is inlined into
// them.
std::set<std::string> kept_functions(const Module& module, const Function& kernel,
                                     const KeptFunctions& which);

// Instructions of the kernel with all that is inlined into it and into the functions that it calls.
uint64_t inlined_size(const Module& module, const Function& kernel,
                      const std::set<std::string>& kept);

}  // namespace gvp::ptx
