// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/host_port.h"

#include <cstring>

namespace gvp::gpgpu::miaow {

void HostPort::record(bool is_atomic) {
  requests_.clear();
  replays_ = false;
  is_atomic_ = is_atomic;
}

void HostPort::replay() {
  replays_ = true;
  next_ = 0;
}

uint32_t HostPort::load(uint32_t address) {
  if (replays_) return requests_.at(next_++).data;
  requests_.push_back({false, address, 0});
  return 0;
}

FaultCause HostPort::read(uint32_t address, void* data, unsigned bytes) {
  if (is_atomic_) return FaultCause::kUnsupportedInstruction;
  uint8_t words[20] = {};  // 16 bytes and what is before them in their first word
  const unsigned skipped = address % 4;
  for (unsigned at = 0; at < skipped + bytes; at += 4) {
    const uint32_t word = load(address - skipped + at);
    std::memcpy(words + at, &word, 4);
  }
  std::memcpy(data, words + skipped, bytes);
  return FaultCause::kNone;
}

FaultCause HostPort::write(uint32_t address, const void* data, unsigned bytes) {
  if (address % 4 != 0 || bytes % 4 != 0) return FaultCause::kUnsupportedInstruction;
  for (unsigned at = 0; at < bytes && !replays_; at += 4) {
    Request request{true, address + at, 0};
    std::memcpy(&request.data, static_cast<const uint8_t*>(data) + at, 4);
    requests_.push_back(request);
  }
  return FaultCause::kNone;
}

}  // namespace gvp::gpgpu::miaow
