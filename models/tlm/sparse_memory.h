// SPDX-License-Identifier: Apache-2.0
// Bytes of a guest memory, all zero at first.  The address space is reserved from the operating
// system but no host page exists before it is written, so 512 MiB that the guest does not touch
// cost nothing.  Sizes are bytes.  Knows nothing of SystemC or time.
#pragma once

#include <cstdint>
#include <cstring>

namespace gvp::kit {

class SparseMemory {
 public:
  // Throws Error (bad input) for size 0 or what the host cannot reserve.
  explicit SparseMemory(uint64_t size);
  ~SparseMemory();
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  uint64_t size() const { return size_; }
  // Is [address, address + count) inside?  Free of overflow for any arguments.
  bool contains(uint64_t address, uint64_t count) const {
    return address <= size_ && count <= size_ - address;
  }
  // Gives every page back to the host: all bytes are zero again.  Pointers stay valid.
  void clear();

 private:
  uint8_t* data_;
  uint64_t size_;
};

}  // namespace gvp::kit
