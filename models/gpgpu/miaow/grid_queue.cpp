// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid_queue.h"

#include <algorithm>

namespace gvp::gpgpu::miaow {

using southern_islands::kWavefrontLanes;

namespace {

// Of registers and bytes of the share, as AMD's dispatchers give them out.
constexpr uint32_t kVectorGranule = 4;
constexpr uint32_t kScalarGranule = 8;
constexpr uint32_t kShareGranule = 256;

constexpr uint32_t round_up(uint32_t number, uint32_t granule) {
  return (number + granule - 1) / granule * granule;
}

}  // namespace

FaultCause GridQueue::check(const GridLaunch& launch) const {
  const uint32_t most = wavefronts_ * kWavefrontLanes;
  uint64_t items = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.items[i] == 0 || launch.groups[i] == 0 || launch.groups[i] > UINT16_MAX)
      return FaultCause::kBadConfiguration;
    if (launch.items[i] > most) return FaultCause::kTooManyThreads;
    items *= launch.items[i];
  }
  if (items > most) return FaultCause::kTooManyThreads;
  if (launch.vectors > kMostVectorRegisters ||
      launch.scalars > southern_islands::code::kScalarRegisters)
    return FaultCause::kTooManyRegisters;
  return launch.share_bytes > kShareBytes ? FaultCause::kTooMuchShared : FaultCause::kNone;
}

// How many groups a unit has room for, and where they are.
FaultCause GridQueue::allot() {
  launch_.vectors = std::max(kVectorGranule, round_up(launch_.vectors, kVectorGranule));
  launch_.scalars = std::max(kScalarGranule, round_up(launch_.scalars, kScalarGranule));
  launch_.share_bytes = round_up(launch_.share_bytes, kShareGranule);
  group_items_ = launch_.items[0] * launch_.items[1] * launch_.items[2];
  group_wavefronts_ = (group_items_ + kWavefrontLanes - 1) / kWavefrontLanes;
  const uint32_t by_registers = std::min(kVectorRegisters / (group_wavefronts_ * launch_.vectors),
                                         kScalarRegisters / (group_wavefronts_ * launch_.scalars));
  if (by_registers == 0) return FaultCause::kTooManyRegisters;
  resident_ = std::min(wavefronts_ / group_wavefronts_, by_registers);
  if (launch_.share_bytes != 0) resident_ = std::min(resident_, kShareBytes / launch_.share_bytes);
  return FaultCause::kNone;
}

FaultCause GridQueue::start(const GridLaunch& launch, uint64_t cycle) {
  FaultCause cause = check(launch);
  if (cause != FaultCause::kNone) return cause;
  launch_ = launch;
  cause = allot();
  if (cause != FaultCause::kNone) return cause;
  places_.clear();
  for (unsigned group = 0; group < resident_; ++group)
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      places_.push_back({unit, group * group_wavefronts_, false, 0, cycle});
  dispatched_.assign(units_.size(), cycle);
  for (auto& each : units_) each->prepare();
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

void GridQueue::dispatch(Place& place, uint64_t cycle) {
  place.busy = true;
  place.group = next_++;
  uint64_t& last = dispatched_[place.unit];
  last = std::max(last, cycle);
  for (uint32_t i = 0; i < group_wavefronts_; ++i)
    dispatch_wavefront(place, i, last += dispatch_cycles_);
}

void GridQueue::dispatch_wavefront(const Place& place, uint32_t number, uint64_t cycle) {
  ComputeUnit& target = *units_[place.unit];
  const unsigned slot = place.slot + number;
  Launch wavefront;
  wavefront.pc = launch_.pc;
  wavefront.vectors = launch_.vectors;
  wavefront.scalars = launch_.scalars;
  wavefront.share_bytes = launch_.share_bytes;
  wavefront.base_vector = slot * launch_.vectors;
  wavefront.base_scalar = slot * launch_.scalars;
  wavefront.base_share = place.slot / group_wavefronts_ * launch_.share_bytes;
  wavefront.first_of_group = place.slot;
  wavefront.group_size = group_wavefronts_;
  target.set_scalar(wavefront.base_scalar, launch_.arguments);
  target.set_scalar(wavefront.base_scalar + 1, 0);
  uint64_t rest = place.group;
  uint32_t next = wavefront.base_scalar + 2;
  for (unsigned i = 0; i < 3; ++i) {
    if ((launch_.group_numbers >> i & 1u) != 0)
      target.set_scalar(next++, static_cast<uint32_t>(rest % launch_.groups[i]));
    rest /= launch_.groups[i];
  }
  const uint32_t first = number * kWavefrontLanes;
  wavefront.lanes = std::min(group_items_ - first, kWavefrontLanes);
  for (uint32_t lane = 0; lane < wavefront.lanes; ++lane) {
    uint32_t item = first + lane;
    for (unsigned i = 0; i < 3; ++i) {
      target.vector(wavefront.base_vector + i)[lane] = item % launch_.items[i];
      item /= launch_.items[i];
    }
  }
  target.start(slot, wavefront, cycle);
}

// Groups of a unit whose wavefronts have all ended; whether there were any.
bool GridQueue::collect(std::size_t unit) {
  bool any = false;
  ComputeUnit& from = *units_[unit];
  for (Place& place : places_) {
    if (place.unit != unit || !place.busy) continue;
    bool ended = true;
    for (unsigned i = 0; i < group_wavefronts_; ++i)
      ended = ended && from.state(place.slot + i) == ComputeUnit::State::kFinished;
    if (!ended) continue;
    for (unsigned slot = place.slot; slot < place.slot + group_wavefronts_; ++slot) {
      from.take_finished(slot);
      place.free = std::max(place.free, from.end_cycle(slot));
      instructions_ += from.instructions(slot);
      lane_instructions_ += from.lane_instructions(slot);
      words_.prefetch += from.words(slot).prefetch;
      words_.host += from.words(slot).host;
    }
    place.busy = false;
    end_ = std::max(end_, place.free);
    ++done_;
    any = true;
  }
  return any;
}

void GridQueue::stop(std::size_t unit) {
  const ComputeUnit& stuck = *units_[unit];
  fault_ = stuck.fault();
  // What has halted will not go on either.
  if (fault_.cause == FaultCause::kNone) fault_ = {FaultCause::kTrap, stuck.pc(), 0, 0};
  const unsigned first = stuck.stuck_slot() / group_wavefronts_ * group_wavefronts_;
  for (const Place& place : places_)
    if (place.unit == unit && place.slot == first) faulting_group_ = place.group;
  for (auto& each : units_) each->reset();
  state_ = State::kStopped;
}

// To this cycle, or to that in which a group has ended: whether one has.
bool GridQueue::run_unit(std::size_t unit, uint64_t cycle) {
  ComputeUnit& runs = *units_[unit];
  while (runs.executing() != 0) {
    const unsigned before = runs.executing();
    runs.run_until(cycle);
    if (runs.executing() == before) return false;
    if (collect(unit)) return true;
  }
  return false;
}

GridQueue::Place* GridQueue::first_free() {
  Place* first = nullptr;
  if (next_ == groups()) return first;
  for (Place& place : places_)
    if (!place.busy && (first == nullptr || place.free < first->free)) first = &place;
  return first;
}

// No unit goes beyond the cycle in which a group may still begin in it: units therefore stop where
// a group has ended, and the place that is free the longest is always the one that is known.
void GridQueue::run_until(uint64_t cycle) {
  while (running()) {
    const Place* const idle = first_free();
    const uint64_t limit = idle == nullptr ? cycle : std::min(cycle, idle->free);
    bool ended = false;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      ended = run_unit(i, limit) || ended;
      if (!units_[i]->stuck()) continue;
      end_ = cycle;
      return stop(i);
    }
    if (done_ == groups()) {
      state_ = State::kDone;
      return;
    }
    Place* const next = first_free();
    if (next != nullptr && next->free <= cycle)
      dispatch(*next, next->free);
    else if (!ended)
      return;
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
  const bool under_way =
      current.busy() ? !current.turn_over() : current.state(cycle) != MIAOW_MEMORY_IDLE;
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
