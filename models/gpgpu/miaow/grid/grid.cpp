// SPDX-License-Identifier: Apache-2.0
// The loop of advance() is what a run of gpgpu-run does: one instruction of a whole wavefront a
// turn, counters and cycles from tables that were prepared for the code.
#include "models/gpgpu/miaow/grid/grid.h"

#include <algorithm>
#include <limits>

namespace gvp::gpgpu::miaow {

using namespace southern_islands;

Grid::Grid(const std::vector<uint32_t>& code, const Machine& machine, const Timing& timing,
           bool approximately_timed, const InstructionList& instructions)
    : machine_(machine),
      program_(code.data(), code.size()),
      costs_(grid_costs(program_, code.size(), timing)),
      timing_(timing),
      timed_(approximately_timed),
      clock_(timing),
      executed_(code.size()),
      lanes_(code.size()) {
  if (!instructions.has_all())
    program_.keep_only([&](const Instruction& each) { return instructions.has(each); });
}

GridResult Grid::run(const GridLaunch& launch, uint64_t most_cycles) {
  result_ = {};
  std::fill(executed_.begin(), executed_.end(), 0);
  std::fill(lanes_.begin(), lanes_.end(), 0);
  const uint32_t items = launch.local[0] * launch.local[1] * launch.local[2];
  const uint32_t count = (items + kWavefrontLanes - 1) / kWavefrontLanes;
  wavefronts_.resize(count);
  registers_.assign(count, std::vector<Lanes>(launch.vector_registers, Lanes{}));
  share_.assign(launch.share_bytes, 0);
  local_numbers_.resize(count);
  const uint32_t x = launch.local[0];
  const uint32_t y = launch.local[1];
  for (uint32_t item = 0; item < count * kWavefrontLanes; ++item) {
    auto& rows = local_numbers_[item / kWavefrontLanes];
    const uint32_t lane = item % kWavefrontLanes;
    rows[0].lane[lane] = item % x;
    rows[1].lane[lane] = item / x % y;
    rows[2].lane[lane] = item / x / y;
  }
  std::array<uint32_t, 3> group{};
  for (group[2] = 0; group[2] < launch.groups[2]; ++group[2])
    for (group[1] = 0; group[1] < launch.groups[1]; ++group[1])
      for (group[0] = 0; group[0] < launch.groups[0]; ++group[0]) {
        begin_group(launch, group);
        run_group(most_cycles);
        if (result_.stop != Stop::kFinished || result_.out_of_time) return result_;
      }
  for (std::size_t i = 0; i < executed_.size(); ++i) {
    result_.instructions += executed_[i];
    result_.lane_instructions += lanes_[i];
    result_.memory_words +=
        (costs_[i].is_vector_access ? lanes_[i] : executed_[i]) * costs_[i].words;
  }
  return result_;
}

void Grid::begin_group(const GridLaunch& launch, const std::array<uint32_t, 3>& group) {
  place_ = {group, 0};
  const uint32_t items = launch.local[0] * launch.local[1] * launch.local[2];
  for (uint32_t w = 0; w < wavefronts_.size(); ++w) {
    Wavefront& wave = wavefronts_[w];
    wave = {};
    wave.pc = launch.entry;
    wave.vector = registers_[w].data();
    wave.vector_count = launch.vector_registers;
    wave.share = share_.data();
    wave.share_bytes = static_cast<uint32_t>(share_.size());
    if (launch.user_scalars != 0) wave.scalar[0] = launch.argument_address;
    unsigned next = launch.user_scalars;
    for (unsigned i = 0; i < 3; ++i)
      if (launch.group_numbers[i]) wave.scalar[next++] = group[i];
    wave.scalar[code::kM0] = ~0u;  // no limit of the local data share but its own
    const uint32_t first = kWavefrontLanes * w;
    wave.set_pair(code::kExecLo,
                  simt::first_lanes_of<kWavefrontLanes>(std::min(items - first, kWavefrontLanes)));
    for (unsigned i = 0; i < std::min(3u, launch.vector_registers); ++i)
      wave.vector[i] = local_numbers_[w][i];
  }
  clock_.begin(static_cast<uint32_t>(wavefronts_.size()));
  loose_cycles_ = 0;
  running_ = static_cast<uint32_t>(wavefronts_.size());
  waiting_ = 0;
}

void Grid::run_group(uint64_t most_cycles) {
  if (timed_)
    observer_ == nullptr ? run_wavefronts<true, false>(most_cycles)
                         : run_wavefronts<true, true>(most_cycles);
  else
    observer_ == nullptr ? run_wavefronts<false, false>(most_cycles)
                         : run_wavefronts<false, true>(most_cycles);
  uint64_t cycles = loose_cycles_;
  for (uint32_t w = 0; timed_ && w < wavefronts_.size(); ++w)
    cycles = std::max(cycles, clock_.end(w));
  result_.cycles += cycles;
}

// Loosely timed, a wavefront runs on to a barrier or its end.  Approximately timed, the one whose
// next instruction can be issued first runs while it stays the first.
template <bool kTimed, bool kObserved>
void Grid::run_wavefronts(uint64_t most_cycles) {
  const uint64_t limit = most_cycles == 0 ? std::numeric_limits<uint64_t>::max()
                                          : most_cycles - std::min(most_cycles, result_.cycles);
  while (running_ != 0 && result_.stop == Stop::kFinished && !result_.out_of_time) {
    if (waiting_ == running_) release_barrier();
    advance<kTimed, kObserved>(next_wavefront(), limit);
  }
}

uint32_t Grid::next_wavefront() const {
  uint32_t best = 0;
  uint64_t cycle = std::numeric_limits<uint64_t>::max();
  for (uint32_t w = 0; w < wavefronts_.size(); ++w) {
    const Wavefront& wave = wavefronts_[w];
    if (wave.stop != Stop::kNone) continue;
    if (!timed_) return w;
    const uint64_t at =
        clock_.issue_cycle(w, costs_[std::min<std::size_t>(wave.pc / 4, costs_.size() - 1)]);
    if (at >= cycle) continue;
    cycle = at;
    best = w;
  }
  return best;
}

template <bool kTimed, bool kObserved>
void Grid::advance(uint32_t number, uint64_t until) {
  Wavefront& wave = wavefronts_[number];
  const bool alone = running_ - waiting_ == 1;
  uint32_t late = 0;
  while (wave.stop == Stop::kNone) {
    const Op& op = program_.at(wave.pc);
    const std::size_t at = wave.pc / 4;
    if (at >= costs_.size() || op.vector_registers > wave.vector_count) {
      step(machine_, wave, program_);  // faults
      break;
    }
    if constexpr (kObserved) {
      place_.wavefront = number;
      observer_->instruction(place_, wave, op);
    }
    const GridCost& cost = costs_[at];
    uint64_t cycle = loose_cycles_;
    if constexpr (kTimed) cycle = clock_.issue_cycle(number, cost);
    machine_.clock = result_.cycles + cycle;
    const unsigned lanes = cost.is_vector ? simt::count_lanes(wave.exec()) : 0;
    wave.pc = op.next_pc;
    op.execute(machine_, wave, op);
    if (wave.stop == Stop::kFault) break;
    ++executed_[at];
    lanes_[at] += lanes;
    const bool taken = cost.branches && (cost.always || wave.pc != op.next_pc);
    const uint64_t cycles = (taken ? cost.taken : cost.cycles) +
                            uint64_t{cost.per_lane} * (cost.is_vector_access ? lanes : 1);
    if constexpr (kTimed) {
      clock_.issued(number, cost, cycle, cycles);
      if (cycle >= until) {
        result_.out_of_time = true;
        return;
      }
      if (!alone && wave.stop == Stop::kNone) return;  // another one may be first now
    } else {
      if (!cost.ends) loose_cycles_ += cycles;
      // What the last vector operation's result costs at the end of the wavefront, whatever it was.
      late = cost.ends ? late : cost.late ? timing_.vector_result : 0;
      if (!cost.ends) loose_cycles_ += wave.pc == op.next_pc ? cost.after_late : 0;
      if (wave.stop == Stop::kFinished) loose_cycles_ += timing_.launch + (cost.ends ? late : 0);
      if (loose_cycles_ >= until) {
        result_.out_of_time = true;
        return;
      }
    }
  }
  stopped(number);
}

void Grid::stopped(uint32_t number) {
  Wavefront& wave = wavefronts_[number];
  place_.wavefront = number;
  switch (wave.stop) {
    case Stop::kFinished:
      --running_;
      return;
    case Stop::kBarrier:
      ++waiting_;
      return;
    default:
      wave.pc = wave.fault.pc;
      result_.stop = wave.stop;
      result_.fault = wave.fault;
      result_.place = place_;
      return;
  }
}

// Wavefronts that have ended do not hold up the others.
void Grid::release_barrier() {
  uint64_t cycle = 0;
  for (uint32_t w = 0; w < wavefronts_.size(); ++w)
    if (wavefronts_[w].stop == Stop::kBarrier) cycle = std::max(cycle, clock_.next(w));
  for (uint32_t w = 0; w < wavefronts_.size(); ++w) {
    if (wavefronts_[w].stop != Stop::kBarrier) continue;
    wavefronts_[w].stop = Stop::kNone;
    clock_.wait_until(w, cycle);
  }
  waiting_ = 0;
  if (observer_ != nullptr)
    observer_->barrier(place_, static_cast<uint32_t>(wavefronts_.size()) - running_);
}

}  // namespace gvp::gpgpu::miaow
