// SPDX-License-Identifier: Apache-2.0
// Runs whole grids on a device's compute units, beside the published interface of one wavefront a
// launch.  A work-group is a wavefront, of up to 64 work-items; groups go to the unit that has been
// free the longest, x first.  Wavefronts find what OpenCL's compilers expect: s[0:1] the address of
// the arguments, from s2 on the numbers of the group that the kernel asked for, v0 to v2 those of
// the work-item.
//
// A wavefront that faults stops the grid, and the queue says why.  Cycles are those of the compute
// units' clock.  Not modelled: several wavefronts in a unit at a time, and therefore larger groups.
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
};

class GridQueue {
 public:
  enum class State : uint8_t { kIdle, kRunning, kDone, kStopped };

  using Units = std::vector<std::unique_ptr<ComputeUnit>>;
  GridQueue(Units& units, uint32_t dispatch_cycles)
      : units_(units), dispatch_cycles_(dispatch_cycles) {}

  // kBadConfiguration, kTooManyThreads, or kNone: it runs from this cycle of the clock on.
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
  // The unit whose memory request the host's registers show, and cycles from its wavefront's start.
  ComputeUnit& served(uint64_t cycle);
  uint64_t served_begin() const { return at_[served_].begin; }

 private:
  struct At {
    uint64_t begin = 0;  // of its wavefront
    uint64_t group = 0;
    uint64_t free = 0;  // from when on it takes the next
  };

  void dispatch(std::size_t unit, uint64_t cycle);
  void collect(std::size_t unit);
  void stop(std::size_t unit);

  Units& units_;
  const uint32_t dispatch_cycles_;
  GridLaunch launch_;
  State state_ = State::kIdle;
  std::vector<At> at_;
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
