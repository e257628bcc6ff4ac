// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/pipeline.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// A row that is done with a stage at `done` leaves it one cycle after the stage is free for it to
// leave, at `blocked` at the earliest.
uint64_t leave(uint64_t done, uint64_t blocked, uint32_t& stall) {
  const uint64_t leaves = std::max(done, blocked);
  stall = static_cast<uint32_t>(leaves - done);
  return leaves + 1;
}

uint32_t beyond(uint32_t all, uint32_t first) { return all > first ? all - first : 0; }

}  // namespace

Pipeline::Pipeline(const PipelineTiming& timing, unsigned sps)
    : timing_(timing),
      sps_(sps),
      row_count_(simt::kWarpSize / sps),
      row_lanes_(simt::first_lanes(sps)) {}

uint64_t Pipeline::read_start(uint64_t cycle, const InstructionCosts& costs) const {
  const uint64_t fetch = std::max(cycle + costs.fetch, last().decode) + 1;
  return std::max(fetch + 1, last().read) + 1;
}

inline uint32_t Pipeline::lanes_cost(const LaneCosts& costs, const Execution& execution,
                                     unsigned row) const {
  if (execution.row_steps != nullptr) return execution.row_steps[row] * costs.active;
  const simt::Mask lanes = lanes_of(row);
  const simt::Mask active = execution.executed & lanes;
  const unsigned count = simt::count_lanes(active);
  if (execution.lane_cycles == nullptr) return count * costs.active + (sps_ - count) * costs.idle;
  uint32_t cost = (sps_ - count) * costs.idle;
  for (simt::Mask left = active; left != 0; left &= left - 1)
    cost += costs.access + execution.lane_cycles[simt::first_lane(left)];
  return cost;
}

inline uint32_t Pipeline::read_cost(const InstructionCosts& costs, const Execution& execution,
                                    unsigned row) const {
  uint32_t cost = costs.read_registers;
  if (costs.read_memory != 0) {
    const uint32_t lanes =
        costs.read_lanes.accessed ? lanes_cost(costs.read_lanes, execution, row) : 0;
    const uint32_t constants = row == 0 ? execution.constant_first : 0;
    cost = std::max(cost, costs.read_memory + lanes + constants);
  }
  return row == 0 ? cost + costs.read_prologue + execution.read_first : cost;
}

inline uint32_t Pipeline::execute_cost(const InstructionCosts& costs, const Execution& execution,
                                       unsigned row) const {
  uint32_t cost = costs.execute + execution.execute_each;
  if (row == 0) cost += execution.execute_first;
  if (costs.float_add && (execution.negative & lanes_of(row)) != 0)
    cost += timing_.execute_float_subtract - timing_.execute_float_add;
  return cost;
}

inline uint32_t Pipeline::write_cost(const InstructionCosts& costs, const Execution& execution,
                                     unsigned row) const {
  if (!costs.write_lanes.accessed) return costs.write;
  return costs.write + lanes_cost(costs.write_lanes, execution, row);
}

void Pipeline::issue(uint64_t cycle, const InstructionCosts& costs, const Execution& execution) {
  first_ = last_ + 1;
  const RowTimes* before = &of(last_).times;
  StageStalls sum;
  for (unsigned row = 0; row < row_count_; ++row) {
    Row& next = of(++last_);
    RowTimes& now = next.times;
    RowWork& work = next.work;
    RowWork::Stalls& stalls = work.stalls;
    const bool is_first = row == 0;
    now.number = last_;
    now.issue = cycle;
    now.fetch = leave(cycle + (is_first ? costs.fetch + execution.fetch_first : timing_.fetch_row),
                      before->decode, stalls.fetch);
    now.decode = leave(now.fetch + 1, before->read, stalls.decode);
    const uint32_t read = read_cost(costs, execution, row);
    now.read = leave(now.decode + read - 1, before->execute + 1, stalls.read);
    const uint32_t execute = execute_cost(costs, execution, row);
    now.execute = leave(now.read + execute - 1, before->write + 1, stalls.execute);
    now.write = leave(now.execute + write_cost(costs, execution, row) - 1,
                      before->write + write_gap_, stalls.write);
    work.active = (execution.active & lanes_of(row)) != 0;
    work.read = beyond(read, 1 + (is_first ? execution.read_first : 0));
    work.memory = beyond(work.read, costs.read_registers + (is_first ? costs.read_prologue : 0));
    work.execute = beyond(execute, 1 + (is_first ? execution.execute_first : 0));
    work.barrier = write_gap_ > timing_.write_gap;
    write_gap_ = timing_.write_gap;
    sum.fetch += stalls.fetch;
    sum.decode += stalls.decode;
    sum.read += stalls.read;
    sum.execute += stalls.execute;
    sum.write += stalls.write;
    before = &now;
    cycle = now.fetch + 1;
  }
  stalls_.fetch += sum.fetch;
  stalls_.decode += sum.decode;
  stalls_.read += sum.read;
  stalls_.execute += sum.execute;
  stalls_.write += sum.write;
  if (costs.barrier) write_gap_ = timing_.write_gap_barrier;
}

}  // namespace gvp::gpgpu::flexgrip::timing
