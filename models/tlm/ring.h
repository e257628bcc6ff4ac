// SPDX-License-Identifier: Apache-2.0
// A queue in one block of memory, that grows as needed and never shrinks: what std::deque is for,
// without a block to allocate every few hundred bytes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gvp::kit {

template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  T& operator[](size_t index) { return slots_[(first_ + index) & mask()]; }
  const T& operator[](size_t index) const { return slots_[(first_ + index) & mask()]; }
  T& front() { return slots_[first_]; }
  const T& front() const { return slots_[first_]; }

  void push_back(T value) {
    if (size_ == slots_.size()) grow();
    ++size_;
    (*this)[size_ - 1] = std::move(value);
  }
  void push_front(T value) {
    if (size_ == slots_.size()) grow();
    first_ = (first_ - 1) & mask();
    ++size_;
    slots_[first_] = std::move(value);
  }
  void pop_front() {
    first_ = (first_ + 1) & mask();
    --size_;
  }

 private:
  size_t mask() const { return slots_.size() - 1; }  // the number of slots is a power of two
  void grow() {
    std::vector<T> slots(slots_.empty() ? 8 : 2 * slots_.size());
    for (size_t i = 0; i < size_; ++i) slots[i] = std::move((*this)[i]);
    slots_ = std::move(slots);
    first_ = 0;
  }

  std::vector<T> slots_;
  size_t first_ = 0, size_ = 0;
};

}  // namespace gvp::kit
