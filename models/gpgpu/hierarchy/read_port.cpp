// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/read_port.h"

#include <algorithm>

namespace gvp::gpgpu::hierarchy {

FaultCause ReadPort::read(uint32_t address, void* data, uint32_t bytes) {
  auto* const to = static_cast<uint8_t*>(data);
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t part = std::min(bytes - done, line_bytes_ - (address + done) % line_bytes_);
    uint64_t answered = next_;
    const FaultCause cause = cache_.read(address + done, to + done, part, answered);
    waited_ += static_cast<uint32_t>(answered - next_ - 1);
    next_ = answered;
    if (cause != FaultCause::kNone) return cause;
    done += part;
  }
  return FaultCause::kNone;
}

}  // namespace gvp::gpgpu::hierarchy
