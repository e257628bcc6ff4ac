// SPDX-License-Identifier: Apache-2.0
// A pin of a block of RTL: its value lies in the block's memory, little-endian.  A pin that the
// block does not have reads as its default and takes writes without effect, so that optional
// signals (AxCACHE, AxQOS...) need no care.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace gvp::rtl {

class Pin {
 public:
  Pin() = default;
  Pin(std::string name, void* data, unsigned bits, bool is_input)
      : name_(std::move(name)),
        data_(static_cast<uint8_t*>(data)),
        bits_(bits),
        is_input_(is_input) {}

  bool exists() const { return data_ != nullptr; }
  const std::string& name() const { return name_; }
  unsigned bits() const { return bits_; }
  unsigned bytes() const { return (bits_ + 7) / 8; }
  bool is_input() const { return is_input_; }
  // Of the value, for those who look at it at every edge; null for a pin that is not there.
  const uint8_t* data() const { return data_; }

  // Up to 64 bits.
  uint64_t get(uint64_t if_absent = 0) const {
    if (data_ == nullptr) return if_absent;
    uint64_t value = 0;
    std::memcpy(&value, data_, bits_ <= 8 ? 1 : bits_ <= 16 ? 2 : bits_ <= 32 ? 4 : 8);
    return value;
  }
  bool high() const { return data_ != nullptr && (*data_ & 1) != 0; }
  // Bits that the pin does not have are left out.
  void set(uint64_t value) {
    if (data_ == nullptr) return;
    if (bits_ < 64) value &= (uint64_t{1} << bits_) - 1;
    std::memcpy(data_, &value, bits_ <= 8 ? 1 : bits_ <= 16 ? 2 : bits_ <= 32 ? 4 : 8);
  }
  // Whole bytes, of pins of any width.
  void get_bytes(uint8_t* to, unsigned first, unsigned count) const {
    std::memcpy(to, data_ + first, count);
  }
  void set_bytes(const uint8_t* from, unsigned first, unsigned count) {
    std::memcpy(data_ + first, from, count);
  }
  void clear() {
    if (data_ != nullptr) std::memset(data_, 0, bytes());
  }

 private:
  std::string name_;
  uint8_t* data_ = nullptr;
  unsigned bits_ = 0;
  bool is_input_ = false;
};

}  // namespace gvp::rtl
