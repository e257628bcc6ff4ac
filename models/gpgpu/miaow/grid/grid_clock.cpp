// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid/grid_clock.h"

#include <algorithm>

namespace gvp::gpgpu::miaow {
namespace {

using southern_islands::Op;
using southern_islands::Operation;
using southern_islands::Unit;

bool touches(const OperationCost& late, const OperationCost& next) {
  const auto holds = [&](const std::vector<uint16_t>& list, uint16_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  };
  return std::any_of(late.writes.begin(), late.writes.end(), [&](uint16_t each) {
    return holds(next.reads, each) || holds(next.writes, each);
  });
}

GridCost grid_cost(const Op& op, const OperationCost& cost, const Timing& timing) {
  GridCost result;
  result.unit = static_cast<uint8_t>(cost.unit);
  result.has_unit = cost.unit != Unit::kIssue;
  result.is_vector = cost.is_late() || (cost.is_memory() && cost.is_vector);
  result.is_vector_access = cost.is_memory() && cost.is_vector;
  result.branches = cost.branches;
  result.always = op.instruction.operation == Operation::kSBranch;
  result.ends = cost.ends;
  result.late = cost.is_late();
  result.taken = timing.branch_taken;
  if (cost.is_memory()) {
    result.cycles = cost.fixed_cycles;
    result.words = cost.access_words;
    result.per_lane = cost.access_words * timing.memory_word;
  } else {
    result.cycles = result.has_unit ? cost.cycles : timing.issue;
  }
  result.registers = cost.writes;
  result.written = static_cast<uint16_t>(cost.writes.size());
  for (const uint16_t each : cost.reads)
    if (std::find(result.registers.begin(), result.registers.end(), each) == result.registers.end())
      result.registers.push_back(each);
  return result;
}

}  // namespace

std::vector<GridCost> grid_costs(const southern_islands::Program& program, std::size_t words,
                                 const Timing& timing) {
  std::vector<GridCost> costs(words);
  std::vector<OperationCost> plain;
  for (std::size_t i = 0; i < words; ++i)
    plain.push_back(cost_of(program.at(static_cast<uint32_t>(4 * i)), timing));
  for (std::size_t i = 0; i < words; ++i) {
    const Op& op = program.at(static_cast<uint32_t>(4 * i));
    costs[i] = grid_cost(op, plain[i], timing);
  }
  // Only what is executed straight after a vector operation can meet its late result.
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t next = program.at(static_cast<uint32_t>(4 * i)).next_pc / 4;
    if (plain[i].is_late() && next < words && touches(plain[i], plain[next]))
      costs[i].after_late = timing.vector_result;
  }
  return costs;
}

void GroupClock::begin(uint32_t wavefronts) {
  waves_.resize(wavefronts);
  for (Wave& wave : waves_) {
    wave.ready.fill(0);
    wave.next_issue = 0;
    wave.done = 0;
  }
  free_.fill(0);
  last_issue_ = 0;
  any_issue_ = false;
}

uint64_t GroupClock::issue_cycle(uint32_t wavefront, const GridCost& cost) const {
  const Wave& wave = waves_[wavefront];
  uint64_t cycle = std::max(wave.next_issue, any_issue_ ? last_issue_ + 1 : 0);
  if (cost.has_unit) cycle = std::max(cycle, free_[cost.unit]);
  for (const uint16_t each : cost.registers) cycle = std::max(cycle, wave.ready[each]);
  return cycle;
}

void GroupClock::issued(uint32_t wavefront, const GridCost& cost, uint64_t cycle, uint64_t cycles) {
  Wave& wave = waves_[wavefront];
  last_issue_ = cycle;
  any_issue_ = true;
  wave.next_issue = cycle + (cost.ends ? 0 : cost.branches ? cycles : timing_.issue);
  if (!cost.has_unit) return;
  free_[cost.unit] = cycle + cycles;
  const uint64_t result = cycle + cycles + (cost.late ? timing_.vector_result : 0);
  for (unsigned i = 0; i < cost.written; ++i) wave.ready[cost.registers[i]] = result;
  wave.done = std::max(wave.done, result);
}

uint64_t GroupClock::end(uint32_t wavefront) const {
  return std::max(waves_[wavefront].done, waves_[wavefront].next_issue) + timing_.launch;
}

}  // namespace gvp::gpgpu::miaow
