// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a message in the protocol buffers' wire format
// (protobuf.dev/programming-guides/encoding), in their order.  A field that reaches beyond the
// message's end ends it and is_damaged() from then on.
#pragma once

#include <cstdint>
#include <string_view>

namespace gvp::trace_report {

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  bool next() {
    uint64_t key = 0;
    if (rest_.empty() || !varint(key)) return false;
    field_ = static_cast<unsigned>(key >> 3);
    number_ = 0;
    text_ = {};
    switch (key & 7) {
      case kVarint:
        return varint(number_);
      case kFixed64:
        return take(sizeof(uint64_t));
      case kLengthDelimited: {
        uint64_t length = 0;
        return varint(length) && take(length);
      }
      case kFixed32:
        return take(sizeof(uint32_t));
      default:
        return damage();
    }
  }
  unsigned field() const { return field_; }
  uint64_t number() const { return number_; }      // of a varint
  std::string_view text() const { return text_; }  // a text, a message, or the bytes of a number
  bool is_damaged() const { return damaged_; }
  std::string_view rest() const { return rest_; }  // behind the field

 private:
  enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

  bool damage() {
    damaged_ = true;
    return false;
  }
  bool take(uint64_t bytes) {
    if (bytes > rest_.size()) return damage();
    text_ = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return true;
  }
  bool varint(uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return true;
    }
    return damage();
  }

  std::string_view rest_, text_;
  unsigned field_ = 0;
  uint64_t number_ = 0;
  bool damaged_ = false;
};

}  // namespace gvp::trace_report
