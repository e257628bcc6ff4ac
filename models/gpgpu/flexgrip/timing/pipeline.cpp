// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/pipeline.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// A row that is done with a stage at `done` leaves it one cycle after the stage is free for it to
// leave, at `blocked` at the earliest.
uint64_t leave(uint64_t done, uint64_t blocked, uint64_t& stall) {
  if (blocked <= done) return done + 1;
  stall += blocked - done;
  return blocked + 1;
}

}  // namespace

Pipeline::Pipeline(const PipelineTiming& timing, unsigned sps)
    : timing_(timing),
      sps_(sps),
      row_count_(simt::kWarpSize / sps),
      row_lanes_(simt::first_lanes(sps)) {}

uint64_t Pipeline::read_start(uint64_t cycle, const InstructionCosts& costs) const {
  const uint64_t fetch = std::max(cycle + costs.fetch, last_.decode) + 1;
  return std::max(fetch + 1, last_.read) + 1;
}

uint32_t Pipeline::lanes_cost(const LaneCosts& costs, const Execution& execution,
                              unsigned row) const {
  const simt::Mask lanes = lanes_of(row);
  const simt::Mask active = execution.executed & lanes;
  const unsigned count = simt::count_lanes(active);
  if (execution.lane_cycles == nullptr) return count * costs.active + (sps_ - count) * costs.idle;
  uint32_t cost = (sps_ - count) * costs.idle;
  for (simt::Mask left = active; left != 0; left &= left - 1)
    cost += costs.access + execution.lane_cycles[simt::first_lane(left)];
  return cost;
}

uint32_t Pipeline::read_cost(const InstructionCosts& costs, const Execution& execution,
                             unsigned row) const {
  uint32_t cost = costs.read_registers;
  if (costs.read_memory != 0) {
    const uint32_t lanes =
        costs.read_lanes.active != 0 ? lanes_cost(costs.read_lanes, execution, row) : 0;
    cost = std::max(cost, costs.read_memory + lanes);
  }
  return row == 0 ? cost + costs.read_prologue + execution.read_first : cost;
}

uint32_t Pipeline::execute_cost(const InstructionCosts& costs, const Execution& execution,
                                unsigned row) const {
  uint32_t cost = costs.execute + execution.execute_each;
  if (row == 0) cost += execution.execute_first;
  if (costs.float_add && (execution.negative & lanes_of(row)) != 0)
    cost += timing_.execute_float_subtract - timing_.execute_float_add;
  return cost;
}

uint32_t Pipeline::write_cost(const InstructionCosts& costs, const Execution& execution,
                              unsigned row) const {
  if (costs.write_lanes.active == 0) return costs.write;
  return costs.write + lanes_cost(costs.write_lanes, execution, row);
}

void Pipeline::issue(uint64_t cycle, const InstructionCosts& costs, const Execution& execution) {
  RowTimes before = last_;
  for (unsigned row = 0; row < row_count_; ++row) {
    RowTimes now;
    RowWork& work = work_[row];
    now.number = before.number + 1;
    now.issue = cycle;
    work.active = (execution.active & lanes_of(row)) != 0;
    work.fetch = now.issue + (row == 0 ? costs.fetch : timing_.fetch_row);
    now.fetch = leave(work.fetch, before.decode, stalls_.fetch);
    work.decode = now.fetch + 1;
    now.decode = leave(work.decode, before.read, stalls_.decode);
    work.read = now.decode + read_cost(costs, execution, row) - 1;
    work.join = now.decode + (row == 0 ? execution.read_first : 0);
    work.registers = work.join + costs.read_registers + (row == 0 ? costs.read_prologue : 0);
    now.read = leave(work.read, before.execute + 1, stalls_.read);
    work.push = now.read + (row == 0 ? execution.execute_first : 0);
    work.execute = now.read + execute_cost(costs, execution, row) - 1;
    now.execute = leave(work.execute, before.write + 1, stalls_.execute);
    work.write = now.execute + write_cost(costs, execution, row) - 1;
    work.barrier = write_gap_ > timing_.write_gap;
    now.write = leave(work.write, before.write + write_gap_, stalls_.write);
    write_gap_ = timing_.write_gap;
    rows_[row] = now;
    before = now;
    cycle = now.fetch + 1;
  }
  last_ = before;
  if (costs.barrier) write_gap_ = timing_.write_gap_barrier;
}

}  // namespace gvp::gpgpu::flexgrip::timing
