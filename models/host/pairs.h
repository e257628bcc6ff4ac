// SPDX-License-Identifier: Apache-2.0
// Pairs of operations that one handler executes, because half as many jumps from handler to handler
// is most of what an interpreter can save.  Any two of kPaired may stand together, and any of them
// before a branch: the operations that are frequent in compiled code.
//
// A pair changes only the first operation's handler: the second operation stays where it is, with
// its own, so that places, slow handlers and the translator see single operations.
#pragma once

#include <array>

#include "models/host/block.h"

namespace gvp::host {

// clang-format off
inline constexpr MicroOp kPaired[] = {
    MicroOp::addk_r, MicroOp::addk_i, MicroOp::rsubk_r, MicroOp::cmp,   MicroOp::cmpu,
    MicroOp::or_r,   MicroOp::and_i,  MicroOp::xor_r,   MicroOp::xor_i, MicroOp::sext8,
    MicroOp::srl,    MicroOp::bsll_i, MicroOp::bsrl_i,  MicroOp::mul_r, MicroOp::mul_i,
    MicroOp::lbu_r,  MicroOp::lbu_i,  MicroOp::lw_r,    MicroOp::lw_i,
    MicroOp::sb_r,   MicroOp::sb_i,   MicroOp::sw_r,    MicroOp::sw_i};
inline constexpr MicroOp kPairedBranches[] = {
    MicroOp::branch,    MicroOp::branch_eq, MicroOp::branch_ne, MicroOp::branch_lt,
    MicroOp::branch_le, MicroOp::branch_gt, MicroOp::branch_ge};
// clang-format on

// Handlers: one for each operation, in their order, then the pairs with another of kPaired, row by
// row, then those with a branch.
inline constexpr size_t kSingles = static_cast<size_t>(MicroOp::count);
inline constexpr size_t kPairs = std::size(kPaired) * std::size(kPaired);
inline constexpr size_t kPairsWithBranch = std::size(kPaired) * std::size(kPairedBranches);
inline constexpr size_t kHandlers = kSingles + kPairs + kPairsWithBranch;

// Where each operation stands in a list, or the list's length.
template <size_t kLength>
constexpr std::array<uint8_t, kSingles> places_in(const MicroOp (&list)[kLength]) {
  std::array<uint8_t, kSingles> result{};
  for (size_t i = 0; i < kSingles; ++i) result[i] = static_cast<uint8_t>(kLength);
  for (size_t i = 0; i < kLength; ++i)
    result[static_cast<size_t>(list[i])] = static_cast<uint8_t>(i);
  return result;
}

// The number of the handler of two operations that follow each other; 0: they are no pair.
inline size_t pair_handler(MicroOp first, MicroOp second) {
  static constexpr auto kRows = places_in(kPaired);
  static constexpr auto kBranches = places_in(kPairedBranches);
  const size_t row = kRows[static_cast<size_t>(first)];
  if (row == std::size(kPaired)) return 0;
  const size_t column = kRows[static_cast<size_t>(second)];
  if (column < std::size(kPaired)) return kSingles + row * std::size(kPaired) + column;
  const size_t branch = kBranches[static_cast<size_t>(second)];
  if (branch == std::size(kPairedBranches)) return 0;
  return kSingles + kPairs + row * std::size(kPairedBranches) + branch;
}

}  // namespace gvp::host
