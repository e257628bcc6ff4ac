// SPDX-License-Identifier: Apache-2.0
// Works with lengths, not with times: a row that leaves a stage has been there in one cycle of its
// own at the end, stalled before that and worked before that, and when it was stalled the row ahead
// of it was in the next stage and left that at the end of the stall.  So the last cycles of a row
// in a stage are shared by a few subtractions for each row in the queue.
#include "models/gpgpu/flexgrip/timing/cycle_account.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// Of the last cycles in a stage, those in which the row waited for the one ahead to leave the next
// stage.  `own`: how many are the row's own at the end, the last of which is not counted as stall.
uint64_t passed_on(uint64_t cycles, uint64_t stalled, uint64_t own) {
  if (cycles <= own || stalled < own) return 0;
  return std::min(cycles - own, stalled - (own - 1));
}
// From fetch and decode a row goes on in the cycle after the one ahead does, from read and execute
// it does one later.
constexpr uint64_t kAtOnce = 1;
constexpr uint64_t kOneLater = 2;

// Of the last cycles in a stage, those in which the row worked.
uint64_t worked(uint64_t cycles, uint64_t stalled) {
  return cycles > stalled + 1 ? cycles - (stalled + 1) : 0;
}

}  // namespace

void CycleAccount::prepare(size_t ops, size_t warps) {
  profile_.ops.resize(ops);
  warps_.resize(warps);
}

void CycleAccount::note(uint64_t& counter, uint64_t cycles) {
  for (Increment& increment : *increments_) {
    if (increment.counter != &counter) continue;
    increment.cycles += cycles;
    return;
  }
  increments_->push_back({&counter, cycles});
}

void CycleAccount::pass(uint64_t until, CycleClass which) {
  if (until <= reached_) return;
  add(profile_.elsewhere, which, until - reached_);
  reached_ = until;
}

// Memory is the last part of the work, popping the stack the first.
inline void CycleAccount::share_read(const RowWork& work, const Owner& owner, uint64_t cycles,
                                     uint64_t passed) {
  const uint64_t busy = worked(cycles, work.stalls.read);
  const uint64_t before_memory = busy - std::min<uint64_t>(busy, work.memory);
  CycleClasses& classes = *owner.cycles;
  add(classes, owner.read, cycles - passed - before_memory);
  if (before_memory == 0) return;
  const uint64_t registers = std::min<uint64_t>(before_memory, work.read - work.memory);
  add(classes, CycleClass::kRead, registers);
  if (before_memory != registers) add(classes, CycleClass::kDivergence, before_memory - registers);
}

inline void CycleAccount::share_execute(const RowWork& work, const Owner& owner, uint64_t cycles,
                                        uint64_t passed) {
  const uint64_t busy = worked(cycles, work.stalls.execute);
  const uint64_t on_stack = busy - std::min<uint64_t>(busy, work.execute);
  CycleClasses& classes = *owner.cycles;
  add(classes, CycleClass::kExecute, cycles - passed - on_stack);
  if (on_stack != 0) add(classes, CycleClass::kDivergence, on_stack);
}

// A stall here is the gap that writes keep, or the wait for the release of a barrier.
inline void CycleAccount::share_write(const RowWork& work, uint64_t row, uint64_t cycles) {
  uint64_t released = 0;
  if (work.barrier) {
    released = std::min<uint64_t>(cycles - 1, work.stalls.write);
    if (released != 0) add(*owner(row - 1).cycles, CycleClass::kBarrier, released);
  }
  const Owner& own = owner(row);
  add(*own.cycles, own.write, cycles - released);
}

void CycleAccount::share(const Pipeline& pipeline, uint64_t row, Stage stage, uint64_t cycles) {
  uint64_t passed = 0;
  switch (stage) {
    case Stage::kFetch:
      passed = passed_on(cycles, pipeline.work(row).stalls.fetch, kAtOnce);
      add(*owner(row).cycles, CycleClass::kFetch, cycles - passed);
      if (passed == 0) return;
      cycles = passed;
      --row;
      [[fallthrough]];
    case Stage::kDecode:
      passed = passed_on(cycles, pipeline.work(row).stalls.decode, kAtOnce);
      add(*owner(row).cycles, CycleClass::kDecode, cycles - passed);
      if (passed == 0) return;
      cycles = passed;
      --row;
      [[fallthrough]];
    case Stage::kRead: {
      const RowWork& work = pipeline.work(row);
      passed = passed_on(cycles, work.stalls.read, kOneLater);
      share_read(work, owner(row), cycles, passed);
      if (passed == 0) return;
      cycles = passed;
      --row;
      [[fallthrough]];
    }
    case Stage::kExecute: {
      const RowWork& work = pipeline.work(row);
      passed = passed_on(cycles, work.stalls.execute, kOneLater);
      share_execute(work, owner(row), cycles, passed);
      if (passed == 0) return;
      cycles = passed;
      --row;
      [[fallthrough]];
    }
    case Stage::kWrite:
      share_write(pipeline.work(row), row, cycles);
  }
}

void CycleAccount::follow(const Pipeline& pipeline, uint64_t row) {
  const RowTimes& times = pipeline.times(row);
  stay(pipeline, row, Stage::kFetch, times.fetch);
  stay(pipeline, row, Stage::kDecode, times.decode);
  stay(pipeline, row, Stage::kRead, times.read);
  stay(pipeline, row, Stage::kExecute, times.execute);
  stay(pipeline, row, Stage::kWrite, times.write);
}

void CycleAccount::wait(const Pipeline& pipeline, const WarpScheduler& scheduler, uint32_t op) {
  const RowTimes& last = pipeline.last();
  stay(pipeline, last.number, Stage::kFetch, last.fetch);
  for (const WarpScheduler::Wait& wait : scheduler.waits()) {
    const Issued& issued = warps_[wait.warp];
    switch (wait.reason) {
      case WarpScheduler::Reason::kPipeline:
        follow(pipeline, issued.row);
        spend(wait.until, owner(issued.row).write, issued.op);
        break;
      case WarpScheduler::Reason::kStep:
        spend(wait.until, CycleClass::kSchedule, issued.op);
        break;
      case WarpScheduler::Reason::kBarrier:
        spend(wait.until, CycleClass::kBarrier, issued.op);
        break;
      case WarpScheduler::Reason::kMemory:
        spend(wait.until, CycleClass::kGlobal, issued.op);
        break;
      case WarpScheduler::Reason::kFinished:
        pass(wait.until, CycleClass::kNoWarp);
        break;
    }
  }
  spend(scheduler.issue_cycle() - 1, CycleClass::kSchedule, op);
}

void CycleAccount::issue(const Pipeline& pipeline, unsigned warp, uint32_t op,
                         const InstructionCosts& costs) {
  const uint64_t last = pipeline.last().number;
  const Owner own{op, costs.read_class, costs.write_class, &profile_.ops[op].cycles};
  for (uint64_t row = last - (pipeline.rows() - 1); row <= last; ++row) {
    owner(row) = own;
    const CycleClass issue =
        pipeline.work(row).active ? CycleClass::kIssue : CycleClass::kDivergence;
    add(*own.cycles, issue, 1);
    reached_ = pipeline.times(row).issue;
    if (row == last) break;
    // The next row is issued when this one leaves the fetch stage.
    const uint64_t fetched = pipeline.times(row).fetch;
    const uint64_t cycles = fetched - reached_;
    const uint64_t passed = passed_on(cycles, pipeline.work(row).stalls.fetch, kAtOnce);
    add(*own.cycles, CycleClass::kFetch, cycles - passed);
    if (passed != 0) share(pipeline, row - 1, Stage::kDecode, passed);
    reached_ = fetched;
  }
  warps_[warp] = {last, op};
}

void CycleAccount::end_batch(const Pipeline& pipeline, uint64_t until) {
  follow(pipeline, pipeline.last().number);
  pass(until, CycleClass::kNoWarp);
}

}  // namespace gvp::gpgpu::flexgrip::timing
