// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/memoized_pipeline.h"

#include <algorithm>
#include <limits>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// To work an instruction out and note it takes several times as long as to work it out, and that
// several times as long as to look it up.  So it pays where nearly all are found; where they are
// not, the pauses are so long that what is lost is within a few per cent.
constexpr uint32_t kWindow = 512;  // instructions after which it is seen whether it pays
constexpr uint32_t kAllowedMisses = kWindow / 16;
constexpr uint64_t kPausePerMiss = 40;  // instructions

constexpr uint64_t kFits32 = std::numeric_limits<uint32_t>::max();

template <unsigned kBits>
bool fits(uint64_t value) {
  return value < uint64_t{1} << kBits;
}

// Counts of lanes of the rows, or of their steps, six bits each, where the costs depend on them.
uint64_t lane_counts(const InstructionCosts& costs, const Execution& execution, unsigned sps) {
  if (!costs.read_lanes.accessed && !costs.write_lanes.accessed) return 0;
  uint64_t counts = 0;
  for (unsigned lane = 0; lane < simt::kWarpSize; lane += sps)
    counts = counts << 6 |
             (execution.row_steps != nullptr
                  ? execution.row_steps[lane / sps]
                  : simt::count_lanes(execution.executed >> lane & simt::first_lanes(sps)));
  return counts;
}

// The rows with a lane of these.
uint64_t rows_with(simt::Mask lanes, unsigned sps) {
  if (lanes == simt::kAllLanes || lanes == 0) return lanes & ((1u << simt::kWarpSize / sps) - 1);
  uint64_t rows = 0;
  for (unsigned lane = 0; lane < simt::kWarpSize; lane += sps)
    rows = rows << 1 | ((lanes >> lane & simt::first_lanes(sps)) != 0 ? 1 : 0);
  return rows;
}

}  // namespace

void MemoizedPipeline::prepare(size_t ops, size_t warps, const Memoization& memoization) {
  account_.prepare(ops, warps);
  table_ = TransitionTable(memoization.max_states);
  state_ = kNone;
  pause_ = memoization.enabled ? memoization.warm_up : std::numeric_limits<decltype(pause_)>::max();
  pauses_ = memoization.pauses;
}

void MemoizedPipeline::pass(uint64_t until, CycleClass which) {
  forget_state();
  account_.pass(until, which);
}

void MemoizedPipeline::fail(const WarpScheduler& scheduler, uint32_t op) {
  forget_state();
  account_.wait(pipeline_, scheduler, op);
}

void MemoizedPipeline::end_batch(uint64_t until) {
  forget_state();
  account_.end_batch(pipeline_, until);
}

ProgramProfile& MemoizedPipeline::profile() {
  table_.settle();
  return account_.profile();
}

// Of waits of the same kind that follow each other the last one says all.  Which row of the warp is
// waited for follows from when that leaves the last stage, as no other does.
inline bool MemoizedPipeline::describe_waits(const WarpScheduler& scheduler) {
  using Reason = WarpScheduler::Reason;
  const RowTimes& last = pipeline_.last();
  signature_.size = IssueSignature::kFixed;
  uint64_t before = ~uint64_t{0};
  for (const WarpScheduler::Wait& wait : scheduler.waits()) {
    const uint64_t until = wait.until - last.issue;
    if (!fits<30>(until)) return false;
    const uint64_t op = wait.reason == Reason::kFinished ? 0 : account_.issued(wait.warp).op;
    const uint64_t what = op << 3 | static_cast<uint64_t>(wait.reason);
    if (what != before || wait.reason == Reason::kPipeline) ++signature_.size;
    if (signature_.size > signature_.words.size()) return false;
    signature_.words[signature_.size - 1] = what << 30 | until;
    before = what;
  }
  return true;
}

inline bool MemoizedPipeline::describe(const WarpScheduler& scheduler, uint32_t op,
                                       const InstructionCosts& costs, const Execution& execution) {
  const uint64_t cycles = scheduler.issue_cycle() - pipeline_.last().issue;
  const uint64_t gap = pipeline_.write_gap();
  if (execution.lane_cycles != nullptr || cycles > kFits32 || !fits<24>(gap) ||
      !fits<8>(execution.fetch_first) || !fits<14>(execution.constant_first) || !fits<18>(op) ||
      !fits<21>(execution.read_first) || !fits<21>(execution.execute_first) ||
      !fits<21>(execution.execute_each))
    return false;
  const unsigned sps = simt::kWarpSize / pipeline_.rows();
  signature_.words[0] = uint64_t{execution.constant_first} << 50 | uint64_t{op} << 32 | cycles;
  const uint64_t negative = costs.float_add ? rows_with(execution.negative, sps) : 0;
  signature_.words[1] = uint64_t{execution.fetch_first} << 56 |
                        lane_counts(costs, execution, sps) << 32 |
                        rows_with(execution.active, sps) << 28 | negative << 24 | gap;
  signature_.words[2] = uint64_t{execution.read_first} << 42 |
                        uint64_t{execution.execute_first} << 21 | execution.execute_each;
  return describe_waits(scheduler);
}

inline void MemoizedPipeline::issue_memoized(const WarpScheduler& scheduler, unsigned warp,
                                             uint32_t op, const InstructionCosts& costs,
                                             const Execution& execution) {
  if (state_ == kNone) {
    if (!table_.has_room()) table_.clear();
    state_ = state_of_rows();
  }
  if (state_ == kNone || !describe(scheduler, op, costs, execution)) {
    ++missed_;
    forget_state();
    work_out(scheduler, warp, op, costs, execution);
    return;
  }
  Transition* const transition = table_.find(state_, signature_);
  if (transition == nullptr) {
    ++missed_;
    learn(scheduler, warp, op, costs, execution);
    return;
  }
  ++transition->hits;
  ++hits_;
  pipeline_.skip(scheduler.issue_cycle(), costs, transition->outcome);
  account_.skip(pipeline_.last(), warp, op);
  state_ = transition->to;
  rows_known_ = false;
}

void MemoizedPipeline::issue(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
                             const InstructionCosts& costs, const Execution& execution) {
  if (pause_ != 0) {
    --pause_;
    work_out(scheduler, warp, op, costs, execution);
  } else {
    issue_memoized(scheduler, warp, op, costs, execution);
    if (++looked_up_ == kWindow) end_window();
  }
}

void MemoizedPipeline::end_window() {
  if (pauses_ && missed_ > kAllowedMisses) {
    pause_ = kPausePerMiss * (missed_ - kAllowedMisses);
    forget_state();
  }
  looked_up_ = 0;
  missed_ = 0;
}

void MemoizedPipeline::work_out(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
                                const InstructionCosts& costs, const Execution& execution) {
  account_.wait(pipeline_, scheduler, op);
  pipeline_.issue(scheduler.issue_cycle(), costs, execution);
  account_.issue(pipeline_, warp, op, costs);
}

void MemoizedPipeline::learn(const WarpScheduler& scheduler, unsigned warp, uint32_t op,
                             const InstructionCosts& costs, const Execution& execution) {
  restore_rows();
  if (!table_.has_room()) {
    table_.clear();
    state_ = state_of_rows();
  }
  const StageStalls stalls = pipeline_.stalls();
  increments_.clear();
  account_.record(&increments_);
  work_out(scheduler, warp, op, costs, execution);
  account_.record(nullptr);
  const uint32_t from = state_;
  state_ = state_of_rows();
  if (state_ == kNone) return;
  const uint64_t cycle = scheduler.issue_cycle();
  const RowTimes& last = pipeline_.last();
  const StageStalls& now = pipeline_.stalls();
  const auto narrow = [](uint64_t cycles) { return static_cast<uint32_t>(cycles); };
  Transition transition;
  transition.signature = signature_;
  transition.to = state_;
  transition.outcome = {
      narrow(last.issue - cycle),
      {narrow(last.fetch - cycle), narrow(last.decode - cycle), narrow(last.read - cycle),
       narrow(last.execute - cycle), narrow(last.write - cycle)},
      {narrow(now.fetch - stalls.fetch), narrow(now.decode - stalls.decode),
       narrow(now.read - stalls.read), narrow(now.execute - stalls.execute),
       narrow(now.write - stalls.write)}};
  table_.add(from, transition, increments_);
}

uint32_t MemoizedPipeline::state_of_rows() {
  const RowTimes& last = pipeline_.last();
  if (account_.reached() != last.issue || last.write - last.issue > kFits32) return kNone;
  const auto left = [&](uint64_t cycle) {
    return static_cast<uint32_t>(std::max(cycle, last.issue) - last.issue);
  };
  scratch_.clear();
  // Of the row ahead of one that waits for the release of a barrier only the owner counts.
  bool owner_counts = false;
  for (uint64_t number = last.number;; --number) {
    const RowTimes& times = pipeline_.times(number);
    const bool gone = times.write <= last.issue;
    if (gone && !owner_counts) break;
    if (scratch_.size() + 1 == Pipeline::kRows) return kNone;
    const RowWork& work = pipeline_.work(number);
    const CycleAccount::Owner& owner = account_.owner_of(number);
    RowState& row = scratch_.emplace_back();
    row.op = owner.op;
    row.classes = static_cast<uint32_t>(owner.read) << 8 | static_cast<uint32_t>(owner.write);
    if (gone) break;
    row.left = {left(times.fetch), left(times.decode), left(times.read), left(times.execute),
                left(times.write)};
    row.stalls = {work.stalls.fetch, work.stalls.decode, work.stalls.read, work.stalls.execute,
                  work.stalls.write};
    for (size_t stage = 0; stage < row.left.size(); ++stage)
      if (row.left[stage] == 0) row.stalls[stage] = 0;
    if (row.left[2] != 0) {
      row.read = work.read;
      row.memory = work.memory;
    }
    if (row.left[3] != 0) row.execute = work.execute;
    row.barrier = work.barrier ? 1 : 0;
    owner_counts = work.barrier;
  }
  return table_.state(scratch_);
}

void MemoizedPipeline::restore_rows() {
  if (rows_known_) return;
  rows_known_ = true;
  const RowTimes last = pipeline_.last();
  const RowState* row = table_.rows(state_);
  for (uint32_t back = 0; back < table_.row_count(state_); ++back, ++row) {
    const uint64_t number = last.number - back;
    const RowTimes times{number,
                         last.issue,
                         last.issue + row->left[0],
                         last.issue + row->left[1],
                         last.issue + row->left[2],
                         last.issue + row->left[3],
                         last.issue + row->left[4]};
    RowWork work;
    work.stalls = {row->stalls[0], row->stalls[1], row->stalls[2], row->stalls[3], row->stalls[4]};
    work.read = row->read;
    work.memory = row->memory;
    work.execute = row->execute;
    work.barrier = row->barrier != 0;
    pipeline_.restore(times, work);
    account_.restore(number, row->op, static_cast<CycleClass>(row->classes >> 8),
                     static_cast<CycleClass>(row->classes & 0xff));
  }
}

}  // namespace gvp::gpgpu::flexgrip::timing
