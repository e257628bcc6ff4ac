// SPDX-License-Identifier: Apache-2.0
// Random instruction words for the tests of decoder, encoder, assembler and disassembler.
#pragma once

#include <cstdint>
#include <random>

#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {

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
