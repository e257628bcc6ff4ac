// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid_queue.h"

#include <algorithm>

namespace gvp::gpgpu::miaow {

using southern_islands::kWavefrontLanes;

FaultCause GridQueue::start(const GridLaunch& launch, uint64_t cycle) {
  uint64_t items = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.items[i] == 0 || launch.groups[i] == 0 || launch.groups[i] > UINT16_MAX)
      return FaultCause::kBadConfiguration;
    if (launch.items[i] > kWavefrontLanes) return FaultCause::kTooManyThreads;
    items *= launch.items[i];
  }
  if (items > kWavefrontLanes) return FaultCause::kTooManyThreads;
  launch_ = launch;
  at_.assign(units_.size(), At{0, 0, cycle});
  begin_ = end_ = cycle;
  next_ = done_ = 0;
  units_[0]->service().begin_turn(units_[served_]->service());
  served_ = 0;
  fault_ = {};
  faulting_group_ = 0;
  instructions_ = lane_instructions_ = 0;
  words_ = {};
  state_ = State::kRunning;
  return FaultCause::kNone;
}

uint64_t GridQueue::groups() const {
  return uint64_t{launch_.groups[0]} * launch_.groups[1] * launch_.groups[2];
}

uint64_t GridQueue::cycles(uint64_t cycle) const { return (running() ? cycle : end_) - begin_; }

void GridQueue::dispatch(std::size_t unit, uint64_t cycle) {
  At& at = at_[unit];
  at.group = next_++;
  at.begin = cycle + dispatch_cycles_;
  ComputeUnit& target = *units_[unit];
  target.set_scalar(0, launch_.arguments);
  target.set_scalar(1, 0);
  uint64_t rest = at.group;
  uint32_t number = 2;
  for (unsigned i = 0; i < 3; ++i) {
    if ((launch_.group_numbers >> i & 1u) != 0)
      target.set_scalar(number++, static_cast<uint32_t>(rest % launch_.groups[i]));
    rest /= launch_.groups[i];
  }
  Launch wavefront;
  wavefront.pc = launch_.pc;
  wavefront.lanes = launch_.items[0] * launch_.items[1] * launch_.items[2];
  for (uint32_t lane = 0; lane < wavefront.lanes; ++lane) {
    uint32_t item = lane;
    for (unsigned i = 0; i < 3; ++i) {
      target.vector(i)[lane] = item % launch_.items[i];
      item /= launch_.items[i];
    }
  }
  target.start(wavefront);
}

void GridQueue::collect(std::size_t unit) {
  ComputeUnit& from = *units_[unit];
  from.take_finished();
  At& at = at_[unit];
  at.free = at.begin + from.end_cycle();
  end_ = std::max(end_, at.free);
  ++done_;
  instructions_ += from.instructions();
  lane_instructions_ += from.lane_instructions();
  words_.prefetch += from.words().prefetch;
  words_.host += from.words().host;
}

void GridQueue::stop(std::size_t unit) {
  fault_ = units_[unit]->fault();
  // What has halted will not go on either.
  if (fault_.cause == FaultCause::kNone) fault_ = {FaultCause::kTrap, units_[unit]->pc(), 0, 0};
  faulting_group_ = at_[unit].group;
  for (auto& each : units_) each->reset();
  state_ = State::kStopped;
}

void GridQueue::run_until(uint64_t cycle) {
  while (running()) {
    // What executes, to this cycle.
    std::size_t first_free = units_.size();
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (units_[i]->state() == ComputeUnit::State::kExecuting && cycle >= at_[i].begin) {
        units_[i]->run_until(cycle - at_[i].begin);
        if (units_[i]->stuck()) {
          end_ = cycle;
          return stop(i);
        }
      }
      if (units_[i]->state() == ComputeUnit::State::kFinished) collect(i);
      const bool free = units_[i]->state() == ComputeUnit::State::kIdle;
      if (free && (first_free == units_.size() || at_[i].free < at_[first_free].free))
        first_free = i;
    }
    if (done_ == groups()) {
      state_ = State::kDone;
      return;
    }
    if (next_ == groups() || first_free == units_.size() || at_[first_free].free > cycle) return;
    dispatch(first_free, at_[first_free].free);
  }
}

void GridQueue::abort() {
  if (running()) {
    for (auto& each : units_) each->reset();
    fault_ = {};
  }
  state_ = State::kIdle;
}

// One after the other, in turn: a unit stays as long as its request is under way, and does not get
// a second one in while others wait.
ComputeUnit& GridQueue::served(uint64_t cycle) {
  if (!running()) return *units_[0];
  const MemoryService& current = units_[served_]->service();
  const uint64_t own = cycle - std::min(cycle, at_[served_].begin);
  const bool under_way =
      current.busy() ? !current.turn_over() : current.state(own) != MIAOW_MEMORY_IDLE;
  if (under_way) return *units_[served_];
  for (std::size_t i = 1; i <= units_.size(); ++i) {
    const std::size_t next = (served_ + i) % units_.size();
    if (!units_[next]->service().busy()) continue;
    units_[next]->service().begin_turn(current);
    served_ = next;
    break;
  }
  return *units_[served_];
}

}  // namespace gvp::gpgpu::miaow
