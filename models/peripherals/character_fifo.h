// SPDX-License-Identifier: Apache-2.0
// A UART's FIFO: up to 16 characters, each with the error bits it arrived with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gvp::peripherals {

class CharacterFifo {
 public:
  static constexpr size_t kMaximum = 16;
  struct Entry {
    uint8_t data = 0;
    uint8_t errors = 0;
  };

  explicit CharacterFifo(size_t depth) : depth_(depth) {}
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ >= depth_; }
  size_t size() const { return count_; }
  const Entry& front() const { return entries_[first_]; }
  void push(const Entry& entry) { entries_[(first_ + count_++) % kMaximum] = entry; }
  Entry pop() {
    const Entry entry = entries_[first_];
    first_ = (first_ + 1) % kMaximum;
    --count_;
    return entry;
  }
  void clear() { count_ = 0; }
  void set_depth(size_t depth) { depth_ = depth; }

 private:
  std::array<Entry, kMaximum> entries_{};
  size_t depth_;
  size_t first_ = 0;
  size_t count_ = 0;
};

}  // namespace gvp::peripherals
