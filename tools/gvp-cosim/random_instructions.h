// SPDX-License-Identifier: Apache-2.0
// Kernels of random instruction words: what an encoding of the table leaves open is random, so that
// every field of every instruction is met.  Registers are loaded before and stored after them.
// Without control flow; what fails is part of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/kernel.h"

namespace gvp::cosim {

constexpr uint32_t kWordsAt = 0x1000;

struct Subject {
  gpgpu::flexgrip::Kernel kernel;
  std::vector<uint32_t> code;
  std::vector<uint32_t> words = {};  // of global memory, from kWordsAt on
};

enum class Kind {
  kAll,
  kFloats
};  // kFloats: with one in each instruction, on operands of all sorts

// The same for the same seed.
Subject random_instructions(uint32_t seed, Kind kind);
// Every special function of 256 operands of all sorts.
Subject special_functions(uint32_t seed);
std::string listing_of(const Subject& subject);

}  // namespace gvp::cosim
