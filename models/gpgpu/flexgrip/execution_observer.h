// SPDX-License-Identifier: Apache-2.0
// For whoever wants to see every instruction that a device executes: traces, breakpoints,
// checkers.  Works with every timing model; a device that nobody observes pays nothing.
#pragma once

#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/g80/semantics.h"
#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu::flexgrip {

struct WarpPlace {
  unsigned sm = 0;
  unsigned slot = 0;  // in the SM
  unsigned block_slot = 0;
  unsigned warp_of_block = 0;
  simt::BlockIndex block{0, 0};
};

class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // An SM has loaded so many blocks, into the block slots from 0 on.
  virtual void blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) = 0;
  // A warp is about to execute an instruction.
  virtual void before(const WarpPlace& place, const g80::Op& op, g80::Warp& warp) = 0;
  // It has (or has faulted).
  virtual void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) = 0;
  // All warps of a block have come to a barrier of the whole block.
  virtual void barrier_passed(unsigned sm, unsigned block_slot) = 0;
};

}  // namespace gvp::gpgpu::flexgrip
