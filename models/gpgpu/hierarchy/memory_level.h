// SPDX-License-Identifier: Apache-2.0
// What a level of a GPGPU's memory hierarchy offers the one above it.  Function and time in one
// call: data move at once, and the cycle in which the answer is there is worked out.  Requests may
// come for cycles before those of requests that are over (SMs run ahead of each other by an
// instruction): what they then find is what the later one has left.  No SystemC.  Units: clock
// cycles since the start of the kernel, of the GPGPU or of the level's own clock
// (clock_crossing.h); bytes.
#pragma once

#include <cstdint>

#include "models/gpgpu/fault.h"
#include "models/gpgpu/hierarchy/byte_runs.h"

namespace gvp::gpgpu::hierarchy {

class MemoryLevel {
 public:
  virtual ~MemoryLevel() = default;
  // cycle: in which the request comes; then in which its answer is there.  A request that fails
  // may have been done in part.
  virtual FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) = 0;
  // One request that changes the bytes whose strobes are set (strobe 0: of the first), as AXI's
  // WSTRB; null: all of them.
  virtual FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                   const LineBytes* strobes, uint64_t& cycle) = 0;
  FaultCause write(uint32_t address, const uint8_t* data, uint32_t bytes, uint64_t& cycle) {
    return write_strobed(address, data, bytes, nullptr, cycle);
  }
  // When the last request was taken: until then it stood at the entrance, and keeps the next one
  // from coming.  0: at once.
  virtual uint64_t accepted() const { return 0; }
  // The level above takes the last request's answer in this cycle; where that is later than the
  // answer was there, what it stands in is not free before.
  virtual void answer_taken(uint64_t cycle) { static_cast<void>(cycle); }
};

}  // namespace gvp::gpgpu::hierarchy
