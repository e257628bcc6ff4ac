// SPDX-License-Identifier: Apache-2.0
// When the instructions of the wavefronts of a work-group are issued: MIAOW's scoreboard
// (schedule.h) for several wavefronts, which share the units.  Costs are prepared once for each
// instruction, so that nothing is searched or allocated while wavefronts run.  No SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/miaow/operation_cost.h"

namespace gvp::gpgpu::miaow {

// An OperationCost as the clocks of a grid use it.
struct GridCost {
  uint32_t cycles =
      0;  // in its unit, or of the wavefront where it has none; of memory the fixed ones
  uint32_t taken = 0;       // branches: where they are taken
  uint32_t after_late = 0;  // more where the instruction before in the code was executed before
  uint32_t per_lane = 0;    // memory: for each active lane; scalar loads: all words, as one lane
  uint32_t words = 0;       // memory: of each lane
  uint8_t unit = 0;
  bool has_unit = false;
  bool is_vector = false;  // its lanes count
  bool is_vector_access = false;
  bool branches = false;
  bool always = false;  // a branch that is taken whatever is behind it
  bool ends = false;
  bool late = false;
  uint16_t written = 0;             // the first so many of registers are written
  std::vector<uint16_t> registers;  // those, and those read
};
// words: of the code, whose operations are at(4 * i).
std::vector<GridCost> grid_costs(const southern_islands::Program& program, std::size_t words,
                                 const Timing& timing);

class GroupClock {
 public:
  explicit GroupClock(const Timing& timing) : timing_(timing) {}

  void begin(uint32_t wavefronts);
  // When this wavefront's next instruction can be issued.
  uint64_t issue_cycle(uint32_t wavefront, const GridCost& cost) const;
  // It was, and keeps its unit, or the wavefront where it has none or branches, for so long.
  void issued(uint32_t wavefront, const GridCost& cost, uint64_t cycle, uint64_t cycles);
  // The earliest cycle in which this wavefront issues anything.
  uint64_t next(uint32_t wavefront) const { return waves_[wavefront].next_issue; }
  void wait_until(uint32_t wavefront, uint64_t cycle) { waves_[wavefront].next_issue = cycle; }
  // When all that this wavefront has issued is done.
  uint64_t end(uint32_t wavefront) const;

 private:
  struct Wave {
    std::array<uint64_t, kRegisterNumbers> ready;
    uint64_t next_issue;
    uint64_t done;
  };
  Timing timing_;
  std::vector<Wave> waves_;
  std::array<uint64_t, 5> free_{};  // by Unit
  uint64_t last_issue_ = 0;
  bool any_issue_ = false;
};

}  // namespace gvp::gpgpu::miaow
