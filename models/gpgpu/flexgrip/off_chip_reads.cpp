// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/off_chip_reads.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace gvp::gpgpu::flexgrip {

MovedMemory::MovedMemory(uint64_t base, uint32_t bytes)
    : base_(base), bytes_(bytes), written_((bytes + kStretch - 1) / kStretch) {}

bool MovedMemory::update(const uint8_t* bytes, size_t count, const Write& write) {
  for (size_t at = 0; at < count; at += kStretch) {
    const size_t length = std::min(kStretch, bytes_.size() - at);  // of what is kept, ...
    const size_t given = std::min(length, count - at);             // ...and of these
    const bool same = std::equal(bytes + at, bytes + at + given, bytes_.data() + at);
    if (same && written_[at / kStretch]) continue;
    std::memcpy(&bytes_[at], bytes + at, given);
    written_[at / kStretch] = false;
    if (!write(base_ + at, &bytes_[at], static_cast<uint32_t>(length))) return false;
    written_[at / kStretch] = true;
  }
  return true;
}

FaultCause InstructionFetch::read(const g80::Op& op, uint32_t address) {
  std::array<uint8_t, 8> found;
  const uint32_t bytes = op.next_pc - op.pc;
  if (bytes == 0) return FaultCause::kNone;  // it will stop the kernel
  const FaultCause cause = port_.read(address, found.data(), bytes);
  const uint8_t* const loaded = &code_.bytes()[op.pc];
  if (cause != FaultCause::kNone || std::memcmp(found.data(), loaded, bytes) == 0) return cause;
  const uint32_t word = std::memcmp(found.data(), loaded, 4) != 0 ? 0 : 4;
  ChangedCode changed{op.pc, address + word, 0, 0};
  std::memcpy(&changed.loaded, loaded + word, sizeof(uint32_t));
  std::memcpy(&changed.found, &found[word], sizeof(uint32_t));
  changed_ = changed;
  return FaultCause::kIllegalInstruction;
}

bool InstructionFetch::fetch(const g80::Op& op, uint64_t cycle, g80::Warp& warp) {
  port_.begin(cycle);
  const uint32_t address = static_cast<uint32_t>(code_.base()) + op.pc;
  const FaultCause cause = read(op, address);
  if (cause == FaultCause::kNone) return true;
  const unsigned lane = warp.flow.active != 0 ? simt::first_lane(warp.flow.active) : 0;
  warp.fault = {cause, op.pc, address, static_cast<uint8_t>(lane)};
  warp.stop = g80::Stop::kFault;
  return false;
}

}  // namespace gvp::gpgpu::flexgrip
