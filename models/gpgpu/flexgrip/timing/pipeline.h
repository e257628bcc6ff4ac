// SPDX-License-Identifier: Apache-2.0
// When the rows of warp instructions leave the five stages of one SM: fetch, decode, read,
// execute, write (docs/flexgrip-timing.md).  Each stage holds one row; a row leaves a stage when
// its work there is done and the stage after it is free.  Works instruction by instruction, not
// clock by clock; no SystemC.  Units: clock cycles since the start of the kernel.
//
// Not here: which warp is issued when (WarpScheduler), what an instruction does (g80).
#pragma once

#include <array>
#include <cstdint>

#include "models/gpgpu/flexgrip/timing/instruction_costs.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip::timing {

// One row's way through the pipeline: when it was issued and when it left each stage.
struct RowTimes {
  uint64_t number = 0;  // of the row; the first is 1
  uint64_t issue = 0;
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t read = 0;
  uint64_t execute = 0;
  uint64_t write = 0;
};

// Until when a row worked in each stage; it left the stage in the cycle after, or when the row
// before it had made room.
struct RowWork {
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t join = 0;       // read: of it, popping the stack...
  uint64_t registers = 0;  // ...then reading registers, then memory
  uint64_t read = 0;
  uint64_t push = 0;  // execute: of it, pushing or popping the stack
  uint64_t execute = 0;
  uint64_t write = 0;
  bool active = false;   // has an active lane
  bool barrier = false;  // its write had to wait for a barrier's
};

// What the execution of an instruction adds to its costs.
struct Execution {
  simt::Mask active = simt::kAllLanes;  // lanes before it
  simt::Mask executed = 0;              // lanes in which it takes effect
  simt::Mask negative = 0;              // FADD: lanes in which an operand has its sign set
  uint32_t read_first = 0;              // more for reading, first row
  uint32_t execute_first = 0;           // more for executing, first row
  uint32_t execute_each = 0;            // more for executing, every row
  // Global memory on a bus: what the access of each lane took; null: block RAM.
  const uint32_t* lane_cycles = nullptr;
};

// Cycles in which a row that was done with a stage could not leave it, by stage.
struct StageStalls {
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t read = 0;
  uint64_t execute = 0;
  uint64_t write = 0;
};

class Pipeline {
 public:
  static constexpr unsigned kMaxRows = 4;

  Pipeline(const PipelineTiming& timing, unsigned sps);

  // Sends the rows of one warp instruction through, the first issued in the given cycle.
  void issue(uint64_t cycle, const InstructionCosts& costs, const Execution& execution);

  unsigned rows() const { return row_count_; }
  const RowTimes& row(unsigned i) const { return rows_[i]; }  // of the last instruction
  const RowWork& work(unsigned i) const { return work_[i]; }
  const RowTimes& last() const { return last_; }
  // When the next instruction will begin to be read, at the earliest, if it is issued then: for
  // memories whose answer takes time.
  uint64_t read_start(uint64_t cycle, const InstructionCosts& costs) const;

  // The last instruction was a BAR that released its block: the next write waits for that.
  void hold_write_for_release() { write_gap_ = timing_.write_gap_release; }

  const StageStalls& stalls() const { return stalls_; }

 private:
  uint32_t read_cost(const InstructionCosts& costs, const Execution& execution, unsigned row) const;
  uint32_t execute_cost(const InstructionCosts& costs, const Execution& execution,
                        unsigned row) const;
  uint32_t write_cost(const InstructionCosts& costs, const Execution& execution,
                      unsigned row) const;
  uint32_t lanes_cost(const LaneCosts& costs, const Execution& execution, unsigned row) const;
  simt::Mask lanes_of(unsigned row) const { return row_lanes_ << (row * sps_); }

  const PipelineTiming timing_;
  const unsigned sps_;
  const unsigned row_count_;
  const simt::Mask row_lanes_;
  std::array<RowTimes, kMaxRows> rows_;
  std::array<RowWork, kMaxRows> work_;
  RowTimes last_;
  uint64_t write_gap_ = 0;
  StageStalls stalls_;
};

}  // namespace gvp::gpgpu::flexgrip::timing
