// SPDX-License-Identifier: Apache-2.0
// An SM of FlexGrip's loosely timed engine and its clocks: one of each warp, one of the slowest
// pipeline stage, and what the cycles that are no instruction's are spent on.  Units: cycles since
// the kernel was started.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/engine.h"
#include "models/gpgpu/flexgrip/sm.h"
#include "models/gpgpu/flexgrip/timing/lt_costs.h"
#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"

namespace gvp::gpgpu::flexgrip::timing {

struct LtCore {
  LtCore(const Configuration& configuration, unsigned number)
      : timing(configuration.timing), sm(configuration, number) {}

  // Before a kernel's first batch.
  void prepare(const Launch& launch);
  // The next blocks, which are configured after those before.  False when there are none.
  bool load_batch(const Launch& launch, simt::BlockScheduler& blocks);
  // All warps have finished.
  void end_batch();
  // The ready warp that is furthest behind; negative when none is ready.
  int next_warp() const;
  // Whether the warp's block goes on, and how the clocks are then, after the warp has stopped.
  void settle(unsigned slot, g80::Stop stop);
  // From when the slowest stage has nothing to do to when this warp gives it something.
  void account_for_wait(unsigned slot);
  // Cycles of the batch that is not over yet.
  uint64_t executing_batch() const;
  // What the SM did until its last batch was over; classes: by op.
  ProgramProfile profile(const g80::Program& program, const std::vector<OpClasses>& classes) const;

  const PipelineTiming timing;
  Sm sm;
  uint64_t busy_until = 0;       // the slowest stage
  std::vector<uint64_t> clocks;  // of the warps
  // Of these, when the warp's last instructions are through, and when the bus port is free, too;
  // what is beyond is a barrier.
  std::vector<uint64_t> through, served;
  std::vector<g80::OpCounts> counts;  // by op
  CycleClasses cycles;                // those that are no instruction's
  uint64_t port = 0;                  // cycles in which it had the bus port
  uint64_t port_waits = 0;            // and in which it waited for others' accesses
  uint64_t warp_cycles = 0;           // from the configuration of each warp to its end
  uint64_t batch_end = 0;             // of the batches so far
  uint64_t executing = 0;             // cycles in which batches ran
  uint64_t configured = 0;            // when this batch was
  bool done = false;
};

}  // namespace gvp::gpgpu::flexgrip::timing
