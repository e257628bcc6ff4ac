// SPDX-License-Identifier: Apache-2.0
// What an SM only reads, instructions or constants, through a cache of its own (thesis 5.3, figure
// 18).  Reads come one after the other, each when the one before is answered, as the stage of the
// pipeline that needs them does nothing else meanwhile.  Units: clock cycles since the start of the
// kernel; bytes.  No SystemC.
//
// Not modelled: other warps going on while one waits for its line, prefetching.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpgpu/hierarchy/cache_level.h"
#include "models/gpgpu/hierarchy/memory_level.h"

namespace gvp::gpgpu::hierarchy {

class ReadPort {
 public:
  // Throws Error (bad input) for settings that are not possible; prefix: "gpgpu.constant_cache".
  ReadPort(const cache::Settings& settings, const std::string& prefix, MemoryLevel& next)
      : line_bytes_(settings.line_bytes), cache_(settings, prefix, next) {}

  // A kernel begins: nothing is cached, nothing has been counted.
  void reset() { cache_.begin(); }
  // The next read comes in this cycle.
  void begin(uint64_t cycle) {
    next_ = cycle;
    waited_ = 0;
  }
  // One that spans lines is a read of each of them.
  FaultCause read(uint32_t address, void* data, uint32_t bytes);
  // Cycles that the reads since begin() have taken, but for one each: that is the pipeline's own.
  uint32_t waited() const { return waited_; }

  const CacheLevel& cache() const { return cache_; }

 private:
  const uint32_t line_bytes_;
  CacheLevel cache_;
  uint64_t next_ = 0;
  uint32_t waited_ = 0;
};

}  // namespace gvp::gpgpu::hierarchy
