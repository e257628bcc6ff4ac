// SPDX-License-Identifier: Apache-2.0
// For whoever wants to see a FlexGrip device's instructions in its own terms, G80 operations and
// the registers of the warp: breakpoints, checkers, --log warp.  What any device can tell is in
// models/gpgpu/observer.h.  Works with every timing model; a device that nobody observes pays
// nothing.
#pragma once

#include <vector>

#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/g80/semantics.h"
#include "models/gpgpu/observer.h"

namespace gvp::gpgpu::flexgrip {

class WarpObserver {
 public:
  virtual ~WarpObserver() = default;
  // An SM has loaded so many blocks, into the block slots from 0 on.
  virtual void blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) = 0;
  // A warp is about to execute an instruction.
  virtual void before(const WarpPlace& place, const g80::Op& op, g80::Warp& warp) = 0;
  // It has (or has faulted).
  virtual void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) = 0;
  // All warps of a block have come to a barrier of the whole block.
  virtual void barrier_passed(unsigned sm, unsigned block_slot) = 0;
};

// Everybody who watches a device while it runs a kernel.
struct Observation {
  const Observers& observers;
  std::vector<WarpObserver*> warps;
};

}  // namespace gvp::gpgpu::flexgrip
