// SPDX-License-Identifier: Apache-2.0
// Packets of GDB's remote serial protocol (GDB manual, appendix E "Overview"): "$data#checksum",
// acknowledgements, and the interrupt byte.  Whatever arrives, the parser stays within its limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::host {

struct GdbEvent {
  enum class Kind : uint8_t { kPacket, kBadPacket, kAcknowledge, kRetransmit, kInterrupt };
  Kind kind = Kind::kPacket;
  std::string data;  // of kPacket, escapes resolved
};

class GdbPacketParser {
 public:
  static constexpr size_t kMaxPacket = 16384;  // bytes, as qSupported tells GDB

  // Takes bytes as they arrive and returns what they complete.
  std::vector<GdbEvent> feed(const char* bytes, size_t size);

 private:
  enum class State : uint8_t { kIdle, kData, kChecksumHigh, kChecksumLow };
  void take(char c, std::vector<GdbEvent>& events);
  GdbEvent finish(char low) const;

  State state_ = State::kIdle;
  std::string data_;
  bool too_long_ = false;
  char checksum_high_ = 0;
};

// Frames an answer, escaping what must be.
std::string gdb_frame(const std::string& data);

// Hexadecimal text.  from_hex is empty-handed (false) for anything but pairs of digits.
std::string gdb_to_hex(const void* data, size_t size);
bool gdb_from_hex(const std::string& text, std::vector<uint8_t>& bytes);
// Reads a hexadecimal number at a position and moves it behind; false if there is none, or more
// than 32 bits.
bool gdb_number(const std::string& text, size_t& position, uint32_t& value);

}  // namespace gvp::host
