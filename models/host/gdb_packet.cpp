// SPDX-License-Identifier: Apache-2.0
#include "models/host/gdb_packet.h"

namespace gvp::host {
namespace {

constexpr char kEscape = '}';
constexpr char kInterruptByte = 3;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

unsigned checksum(const std::string& data) {
  unsigned sum = 0;
  for (const char c : data) sum += static_cast<uint8_t>(c);
  return sum & 0xff;
}

std::string unescape(const std::string& data) {
  std::string text;
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] == kEscape && i + 1 < data.size()) {
      text += static_cast<char>(data[++i] ^ 0x20);
    } else {
      text += data[i];
    }
  }
  return text;
}

constexpr const char* kDigits = "0123456789abcdef";

}  // namespace

std::vector<GdbEvent> GdbPacketParser::feed(const char* bytes, size_t size) {
  std::vector<GdbEvent> events;
  for (size_t i = 0; i < size; ++i) take(bytes[i], events);
  return events;
}

void GdbPacketParser::take(char c, std::vector<GdbEvent>& events) {
  switch (state_) {
    case State::kIdle:
      if (c == '$') {
        state_ = State::kData;
        data_.clear();
        too_long_ = false;
      } else if (c == '+') {
        events.push_back({GdbEvent::Kind::kAcknowledge, ""});
      } else if (c == '-') {
        events.push_back({GdbEvent::Kind::kRetransmit, ""});
      } else if (c == kInterruptByte) {
        events.push_back({GdbEvent::Kind::kInterrupt, ""});
      }  // anything else is noise between packets
      return;
    case State::kData:
      if (c == '#') {
        state_ = State::kChecksumHigh;
      } else if (c == '$') {  // the packet before was cut off
        data_.clear();
        too_long_ = false;
      } else if (data_.size() < kMaxPacket) {
        data_ += c;
      } else {
        too_long_ = true;
      }
      return;
    case State::kChecksumHigh:
      checksum_high_ = c;
      state_ = State::kChecksumLow;
      return;
    case State::kChecksumLow:
      events.push_back(finish(c));
      state_ = State::kIdle;
      return;
  }
}

GdbEvent GdbPacketParser::finish(char low) const {
  const int high = digit(checksum_high_);
  const int sum = high < 0 || digit(low) < 0 ? -1 : high * 16 + digit(low);
  if (too_long_ || sum != static_cast<int>(checksum(data_)))
    return {GdbEvent::Kind::kBadPacket, ""};
  return {GdbEvent::Kind::kPacket, unescape(data_)};
}

std::string gdb_frame(const std::string& data) {
  std::string escaped;
  for (const char c : data) {
    if (c == '$' || c == '#' || c == kEscape || c == '*') {
      escaped += kEscape;
      escaped += static_cast<char>(c ^ 0x20);
    } else {
      escaped += c;
    }
  }
  const unsigned sum = checksum(escaped);
  return "$" + escaped + "#" + kDigits[sum >> 4] + kDigits[sum & 15];
}

std::string gdb_to_hex(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  std::string text;
  text.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

bool gdb_from_hex(const std::string& text, std::vector<uint8_t>& bytes) {
  bytes.clear();
  if (text.size() % 2 != 0) return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]);
    const int low = digit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return true;
}

bool gdb_number(const std::string& text, size_t& position, uint32_t& value) {
  const size_t start = position;
  uint64_t number = 0;
  while (position < text.size() && digit(text[position]) >= 0) {
    number = number << 4 | static_cast<unsigned>(digit(text[position++]));
    if (number > 0xffffffff) return false;
  }
  value = static_cast<uint32_t>(number);
  return position > start;
}

}  // namespace gvp::host
