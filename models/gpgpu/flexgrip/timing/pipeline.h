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

// Cycles in which a row that was done with a stage could not leave it, by stage.
struct StageStalls {
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t read = 0;
  uint64_t execute = 0;
  uint64_t write = 0;
};

// What a row did in the stages: before the cycle in which it left one, it was stalled there for so
// many, and worked before.
struct RowWork {
  struct Stalls {
    uint32_t fetch = 0;
    uint32_t decode = 0;
    uint32_t read = 0;
    uint32_t execute = 0;
    uint32_t write = 0;
  };
  Stalls stalls;
  uint32_t read = 0;     // of the work there: what is not popping the stack, which comes first...
  uint32_t memory = 0;   // ...and of this the last cycles, in which registers had been read
  uint32_t execute = 0;  // of the work there: what is not pushing or popping the stack
  bool active = false;   // has an active lane
  bool barrier = false;  // its write had to wait for a barrier's
};

// What an instruction came to, in cycles from the issue of its first row.
struct IssueOutcome {
  uint32_t issue = 0;                // of its last row
  std::array<uint32_t, 5> left{};    // when that left each stage
  std::array<uint32_t, 5> stalls{};  // of all rows, by stage
};

// What the execution of an instruction adds to its costs.
struct Execution {
  simt::Mask active = simt::kAllLanes;  // lanes before it
  simt::Mask executed = 0;              // lanes in which it takes effect
  simt::Mask negative = 0;              // FADD: lanes in which an operand has its sign set
  uint32_t fetch_first = 0;             // more for fetching, first row
  uint32_t read_first = 0;              // more for reading, first row
  uint32_t constant_first = 0;          // more for reading constants, first row
  uint32_t execute_first = 0;           // more for executing, first row
  uint32_t execute_each = 0;            // more for executing, every row
  // Global memory on a bus: what the access of each lane took; null: block RAM.
  const uint32_t* lane_cycles = nullptr;
  // Shared memory with banks: steps of the access, by row; null: a step for each lane.
  const uint32_t* row_steps = nullptr;
};

class Pipeline {
 public:
  static constexpr unsigned kMaxRows = 4;

  Pipeline(const PipelineTiming& timing, unsigned sps);

  // Sends the rows of one warp instruction through, the first issued in the given cycle.
  void issue(uint64_t cycle, const InstructionCosts& costs, const Execution& execution);

  // The same for an instruction of which is known what it comes to.  Of the rows before its last
  // one nothing is known then, until restore() says where they are.
  void skip(uint64_t cycle, const InstructionCosts& costs, const IssueOutcome& outcome);
  void restore(const RowTimes& times, const RowWork& work) { of(times.number) = {times, work}; }

  unsigned rows() const { return row_count_; }
  const RowTimes& row(unsigned i) const { return of(first_ + i).times; }  // of the last instruction
  const RowTimes& last() const { return of(last_).times; }
  // The latest kRows rows, by their number: six are in flight at most, and the queue that the last
  // of them waited in has four more.
  static constexpr uint64_t kRows = 16;
  const RowTimes& times(uint64_t number) const { return of(number).times; }
  const RowWork& work(uint64_t number) const { return of(number).work; }
  // When the next instruction will begin to be read, at the earliest, if it is issued then: for
  // memories whose answer takes time.
  uint64_t read_start(uint64_t cycle, const InstructionCosts& costs) const;

  // The last instruction was a BAR that released its block: the next write waits for that.
  void hold_write_for_release() { write_gap_ = timing_.write_gap_release; }

  uint64_t write_gap() const { return write_gap_; }  // that the next write keeps

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
  struct Row {
    RowTimes times;
    RowWork work;
  };
  Row& of(uint64_t number) { return rows_[number % kRows]; }
  const Row& of(uint64_t number) const { return rows_[number % kRows]; }

  std::array<Row, kRows> rows_;
  uint64_t first_ = 0;  // number of the last instruction's first row...
  uint64_t last_ = 0;   // ...and last row
  uint64_t write_gap_ = 0;
  StageStalls stalls_;
};

inline void Pipeline::skip(uint64_t cycle, const InstructionCosts& costs,
                           const IssueOutcome& outcome) {
  first_ = last_ + 1;
  last_ += row_count_;
  of(last_).times = {last_,
                     cycle + outcome.issue,
                     cycle + outcome.left[0],
                     cycle + outcome.left[1],
                     cycle + outcome.left[2],
                     cycle + outcome.left[3],
                     cycle + outcome.left[4]};
  stalls_.fetch += outcome.stalls[0];
  stalls_.decode += outcome.stalls[1];
  stalls_.read += outcome.stalls[2];
  stalls_.execute += outcome.stalls[3];
  stalls_.write += outcome.stalls[4];
  write_gap_ = costs.barrier ? timing_.write_gap_barrier : timing_.write_gap;
}

}  // namespace gvp::gpgpu::flexgrip::timing
