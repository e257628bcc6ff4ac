// SPDX-License-Identifier: Apache-2.0
// A set of small numbers as bits: what data-flow analyses iterate over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gvp::compiler {

class BitSet {
 public:
  explicit BitSet(size_t size = 0) : words_((size + 63) / 64) {}

  bool contains(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void insert(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void erase(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }

  // Returns whether the set has grown.
  bool merge(const BitSet& other) {
    uint64_t grown = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      grown |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return grown != 0;
  }
  void subtract(const BitSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  bool operator==(const BitSet& other) const { return words_ == other.words_; }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<uint32_t>(i * 64) + static_cast<uint32_t>(__builtin_ctzll(rest)));
      }
    }
  }
  size_t count() const {
    size_t sum = 0;
    for (const uint64_t word : words_) sum += static_cast<size_t>(__builtin_popcountll(word));
    return sum;
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace gvp::compiler
