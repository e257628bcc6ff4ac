// SPDX-License-Identifier: Apache-2.0
// Kernels of random instruction words: what an encoding of the table leaves open is random, so that
// every field of every instruction is met.  Registers are loaded before and stored after them.
// Without control flow; what fails is part of it.
#pragma once

#include <cstdint>
#include <string>

#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"

namespace gvp::test {

enum class Kind {
  kAll,
  kFloats
};  // kFloats: with one in each instruction, on operands of all sorts

// The same for the same seed.
Subject random_instructions(uint32_t seed, Kind kind);
// Every special function of 256 operands of all sorts.
Subject special_functions(uint32_t seed);
std::string listing_of(const Subject& subject);

}  // namespace gvp::test
