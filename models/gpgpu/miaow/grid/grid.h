// SPDX-License-Identifier: Apache-2.0
// A grid of work-groups on one compute unit of MIAOW: one group after the other, its wavefronts
// side by side, which barriers and the local data share take.  Registers are set as clang's target
// amdgcn-- expects them (code_object.h).  Cycles are those of the compute unit's clock; memory
// answers as its prefetch memory does.  No SystemC.
//
// Two timings: loosely timed, the cycles of a wavefront are the sum of what its instructions cost,
// and those of a group the sum of its wavefronts'; approximately timed, the wavefronts of a group
// share the units under the scoreboard, one issue a cycle, the wavefront that can issue first
// first.
//
// Not modelled: several compute units; what a host takes to launch a group and to serve memory; the
// sizes of the register files (a group has as many registers as it asks for).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/miaow/grid/grid_clock.h"
#include "models/gpgpu/miaow/instruction_list.h"
#include "models/gpgpu/miaow/operation_cost.h"
#include "models/gpgpu/southern_islands/program.h"
#include "models/gpgpu/southern_islands/wavefront.h"

namespace gvp::gpgpu::miaow {

constexpr uint32_t kMostGroupWavefronts = 40;  // wavefront slots of the RTL

struct GridLaunch {
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> local{1, 1, 1};  // work-items of a group
  uint32_t entry = 0;                      // bytes
  uint32_t argument_address = 0;
  unsigned user_scalars = 2;
  std::array<bool, 3> group_numbers{true, true, true};
  unsigned vector_registers = 256;
  uint32_t share_bytes = 0;
};

struct GridPlace {
  std::array<uint32_t, 3> group{};
  uint32_t wavefront = 0;  // of the group
};

struct GridResult {
  southern_islands::Stop stop = southern_islands::Stop::kFinished;  // or kFault, kHalted
  bool out_of_time = false;
  Fault fault;
  GridPlace place;  // of what stopped
  uint64_t cycles = 0;
  uint64_t instructions = 0;       // of wavefronts
  uint64_t lane_instructions = 0;  // of vector operations
  uint64_t memory_words = 0;
};

// Looks at what is executed.
class GridObserver {
 public:
  virtual ~GridObserver() = default;
  // Before an instruction.
  virtual void instruction(const GridPlace& place, const southern_islands::Wavefront& wavefront,
                           const southern_islands::Op& op) = 0;
  // All wavefronts of a group that still run have come to a barrier; how many had ended before.
  virtual void barrier(const GridPlace& place, uint32_t ended) = 0;
};

class Grid {
 public:
  // The machine's memories last as long as this.  What is not among the instructions faults.
  Grid(const std::vector<uint32_t>& code, const southern_islands::Machine& machine,
       const Timing& timing, bool approximately_timed, const InstructionList& instructions = {});

  void observe(GridObserver* observer) { observer_ = observer; }
  // most_cycles 0: no limit.  The launch has been checked.
  GridResult run(const GridLaunch& launch, uint64_t most_cycles = 0);

  const southern_islands::Program& program() const { return program_; }
  // By word of the code: how often an instruction was executed, and in how many lanes.
  const std::vector<uint64_t>& executed() const { return executed_; }
  const std::vector<uint64_t>& lanes() const { return lanes_; }

 private:
  void begin_group(const GridLaunch& launch, const std::array<uint32_t, 3>& group);
  void run_group(uint64_t most_cycles);
  template <bool kTimed, bool kObserved>
  void run_wavefronts(uint64_t most_cycles);
  template <bool kTimed, bool kObserved>
  void advance(uint32_t number, uint64_t until);
  void release_barrier();
  void stopped(uint32_t number);
  uint32_t next_wavefront() const;

  southern_islands::Machine machine_;
  southern_islands::Program program_;
  std::vector<GridCost> costs_;  // by word
  Timing timing_;
  bool timed_;  // approximately
  GridObserver* observer_ = nullptr;

  std::vector<southern_islands::Wavefront> wavefronts_;
  std::vector<std::vector<southern_islands::Lanes>> registers_;        // by wavefront
  std::vector<std::array<southern_islands::Lanes, 3>> local_numbers_;  // by wavefront: x, y, z
  std::vector<uint8_t> share_;
  GroupClock clock_;
  GridPlace place_;
  uint64_t loose_cycles_ = 0;  // of the group so far
  uint32_t running_ = 0;       // wavefronts that have not ended
  uint32_t waiting_ = 0;       // of these at a barrier
  GridResult result_;
  std::vector<uint64_t> executed_;
  std::vector<uint64_t> lanes_;
};

}  // namespace gvp::gpgpu::miaow
