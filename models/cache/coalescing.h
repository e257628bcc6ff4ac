// SPDX-License-Identifier: Apache-2.0
// Which memory requests the accesses of a warp become.  FlexGrip makes one of each lane's (thesis
// 5.5.1: it does not coalesce); NVIDIA's rules are those of the CUDA C Programming Guide,
// appendix "Compute Capabilities": F.3.2.1 for 1.0 and 1.1, F.3.2.2 for 1.2 and 1.3, F.4.2 for 2.x.
// No time.
//
// Not here: rules of 3.0 and later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cache/warp_access.h"

namespace gvp::cache {

enum class Coalescing : uint8_t {
  kNone,       // "none": a request for each lane, of its own bytes
  kCompute10,  // "compute-1.0": half-warps whose lanes access successive words
  kCompute12,  // "compute-1.2": half-warps, segments of up to 128 bytes
  kCompute20,  // "compute-2.0": warps, whole lines
};

// One request of memory, aligned to its size.
struct Request {
  uint32_t address;
  uint32_t bytes;
  uint32_t lanes;  // that it serves; a write changes their bytes only
};

// Throws Error (bad input) for another name.
Coalescing coalescing_of(const std::string& name);

// The requests in the order in which they go out: by the lowest lane that each serves.
// line_bytes: of the cache that they go to, for kCompute20 (F.4.2: 128 through L1, 32 past it).
void coalesce(Coalescing rule, const WarpAccess& access, uint32_t line_bytes,
              std::vector<Request>& requests);

}  // namespace gvp::cache
