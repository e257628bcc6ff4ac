// SPDX-License-Identifier: Apache-2.0
// Runs whole grids on a device's compute units, beside the published interface of one wavefront a
// launch.  A unit holds as many work-groups as its slots for wavefronts, its register files and its
// local data share have room for; all groups of a grid need the same, so each has a fixed part of
// them. Groups go to the part that has been free the longest, x first, and a unit's dispatcher
// starts one wavefront after the other.  Wavefronts find what OpenCL's compilers expect: s[0:1] the
// address of the arguments, from s2 on the numbers of the group that the kernel asked for, v0 to v2
// those of the work-item.
//
// A wavefront that faults stops the grid, and the queue says why.  Cycles are those of the compute
// units' clock.  Not modelled: that a wavefront's registers are free before its group's are.
// No SystemC.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpgpu/miaow/compute_unit.h"

namespace gvp::gpgpu::miaow {

struct GridLaunch {
  uint32_t groups[3] = {1, 1, 1};
  uint32_t items[3] = {1, 1, 1};  // of a group
  uint32_t pc = 0;
  uint32_t arguments = 0;      // address
  uint32_t group_numbers = 0;  // bit i: that of dimension i is in a scalar register
  // What a wavefront needs, and the local data share of a group, bytes.
  uint32_t vectors = kMostVectorRegisters;
  uint32_t scalars = southern_islands::code::kScalarRegisters;
  uint32_t share_bytes = kShareBytes;
};

class GridQueue {
 public:
  enum class State : uint8_t { kIdle, kRunning, kDone, kStopped };

  using Units = std::vector<std::unique_ptr<ComputeUnit>>;
  // wavefronts: slots of a unit.
  GridQueue(Units& units, uint32_t dispatch_cycles, uint32_t wavefronts = 1)
      : units_(units), dispatch_cycles_(dispatch_cycles), wavefronts_(wavefronts) {}

  // Why a group does not fit, or kNone: the grid runs from this cycle of the clock on.
  FaultCause start(const GridLaunch& launch, uint64_t cycle);
  // Goes on to the end of this cycle.
  void run_until(uint64_t cycle);
  // Ends a grid; the units are reset.
  void abort();

  State state() const { return state_; }
  bool running() const { return state_ == State::kRunning; }
  uint64_t cycles(uint64_t cycle) const;  // of the grid, so far or in all
  uint64_t groups_done() const { return done_; }
  uint64_t groups() const;
  const Fault& fault() const { return fault_; }
  uint64_t faulting_group() const { return faulting_group_; }
  // Of the grid so far.
  uint64_t instructions() const { return instructions_; }
  uint64_t lane_instructions() const { return lane_instructions_; }
  const ComputeUnit::Words& words() const { return words_; }
  // The unit whose memory request the host's registers show.
  ComputeUnit& served(uint64_t cycle);
  // Groups that a unit holds at a time, of the last grid.
  uint32_t resident_groups() const { return resident_; }

 private:
  // Where a group can be.
  struct Place {
    std::size_t unit = 0;
    unsigned slot = 0;  // the first
    bool busy = false;
    uint64_t group = 0;
    uint64_t free = 0;  // from when on it takes the next
  };

  FaultCause check(const GridLaunch& launch) const;
  FaultCause allot();
  void dispatch(Place& place, uint64_t cycle);
  void dispatch_wavefront(const Place& place, uint32_t number, uint64_t cycle);
  bool run_unit(std::size_t unit, uint64_t cycle);
  bool collect(std::size_t unit);
  void stop(std::size_t unit);
  Place* first_free();

  Units& units_;
  const uint32_t dispatch_cycles_;
  const uint32_t wavefronts_;
  GridLaunch launch_;
  State state_ = State::kIdle;
  uint32_t group_items_ = 0;
  uint32_t group_wavefronts_ = 0;
  uint32_t resident_ = 0;
  std::vector<Place> places_;         // a group in each unit, then the next one in each
  std::vector<uint64_t> dispatched_;  // by unit: when its last wavefront was started
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  uint64_t next_ = 0;
  uint64_t done_ = 0;
  std::size_t served_ = 0;
  Fault fault_;
  uint64_t faulting_group_ = 0;
  uint64_t instructions_ = 0;
  uint64_t lane_instructions_ = 0;
  ComputeUnit::Words words_;
};

}  // namespace gvp::gpgpu::miaow
