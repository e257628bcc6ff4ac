// SPDX-License-Identifier: Apache-2.0
// Random instruction words for the tests of decoder, encoder, assembler and disassembler.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {

// From GVP_TEST_SEED, or always the same.  Tests trace it, so that a failure can be repeated.
inline unsigned test_seed() {
  const char* given = std::getenv("GVP_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::atol(given)) : 2026;
}
inline std::string seed_trace(unsigned seed) { return "GVP_TEST_SEED=" + std::to_string(seed); }

// Words that match a row of the table; the other bits are random where `noise` is set.
inline Words random_words(const Row& row, std::mt19937& random, uint32_t noise = ~0u) {
  const Words form = form_bits(row.form);
  const Words mask = form_mask(row.form);
  const auto fill = [&](std::size_t n, uint32_t bits, uint32_t fixed) {
    return (static_cast<uint32_t>(random()) & noise & ~fixed & ~mask[n]) | bits | form[n];
  };
  Words words = {fill(0, row.bits0, row.mask0), fill(1, row.bits1, row.mask1)};
  if (is_short(words[0])) words[1] = 0;
  return words;
}

}  // namespace gvp::gpgpu::g80
