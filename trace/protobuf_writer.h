// SPDX-License-Identifier: Apache-2.0
// Writes fields of the protocol buffers' wire format (protobuf.dev/programming-guides/encoding) to
// a place in memory.  A message within a message is written behind room for its length, which is
// filled in afterwards with two bytes: no nested message here reaches 16 KiB.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace gvp::trace {

class ProtobufWriter {
 public:
  static constexpr size_t kLongestNested = (1u << 14) - 1;  // bytes

  explicit ProtobufWriter(char* at) : at_(at) {}
  char* end() const { return at_; }

  void number(unsigned field, uint64_t value) {
    key(field, kVarint);
    varint(value);
  }
  void fixed64(unsigned field, uint64_t value) {
    key(field, kFixed64);
    for (unsigned i = 0; i < sizeof value; ++i) *at_++ = static_cast<char>(value >> (8 * i));
  }
  void text(unsigned field, std::string_view value) {
    key(field, kLengthDelimited);
    varint(value.size());
    std::memcpy(at_, value.data(), value.size());
    at_ += value.size();
  }

  // A message: what is written until end_message() is in it.
  char* begin_message(unsigned field) {
    key(field, kLengthDelimited);
    at_ += 2;
    return at_;
  }
  void end_message(char* begin) {
    const auto length = static_cast<uint32_t>(at_ - begin);
    begin[-2] = static_cast<char>((length & 0x7f) | 0x80);  // a varint may be longer than it must
    begin[-1] = static_cast<char>(length >> 7);
  }

 private:
  enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2 };

  void key(unsigned field, WireType type) { varint(field << 3 | type); }
  void varint(uint64_t value) {
    for (; value > 0x7f; value >>= 7) *at_++ = static_cast<char>(value | 0x80);
    *at_++ = static_cast<char>(value);
  }

  char* at_;
};

}  // namespace gvp::trace
