// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/cycle_account.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {

void CycleAccount::prepare(size_t ops, size_t warps) {
  profile_.ops.resize(ops);
  warps_.resize(warps);
}

void CycleAccount::pass(uint64_t until, CycleClass which) {
  if (until <= reached_) return;
  profile_.elsewhere[which] += until - reached_;
  reached_ = until;
}

// Most rows are issued as soon as the one before them has left: callers look before they call.
void CycleAccount::stay(uint64_t number, unsigned stage, uint64_t until) {
  const Row& r = row(number);
  CycleClass own = CycleClass::kFetch;
  uint64_t worked = r.work.fetch;
  switch (stage) {
    case kFetch:
      break;
    case kDecode:
      own = CycleClass::kDecode;
      worked = r.work.decode;
      break;
    case kRead:
      own = r.read;
      worked = r.work.read;
      spend(std::min({until, r.work.join, worked}), CycleClass::kDivergence, r.op);
      spend(std::min({until, r.work.registers, worked}), CycleClass::kRead, r.op);
      break;
    case kExecute:
      own = CycleClass::kExecute;
      worked = r.work.execute;
      spend(std::min({until, r.work.push, worked}), CycleClass::kDivergence, r.op);
      break;
    default:
      own = r.write;
      worked = r.work.write;
      break;
  }
  spend(std::min(until, worked), own, r.op);
  // It waits until the row before it has made room; the last cycle here is its own again.
  const uint64_t leaves = r.left[stage];
  if (leaves > worked + 1 && until > reached_) {
    if (stage != kWrite) {
      const uint64_t there = std::min({until, leaves - 1, row(number - 1).left[stage + 1]});
      if (there > reached_) stay(number - 1, stage + 1, there);
    } else if (r.work.barrier) {
      spend(std::min(until, leaves - 1), CycleClass::kBarrier, row(number - 1).op);
    }
  }
  spend(until, own, r.op);
}

void CycleAccount::follow(uint64_t number) {
  const Row& r = row(number);
  for (unsigned stage = kFetch; stage < kStages; ++stage)
    if (reached_ < r.left[stage]) stay(number, stage, r.left[stage]);
}

void CycleAccount::wait(const WarpScheduler& scheduler, uint32_t op) {
  if (const uint64_t left = row(last_).left[kFetch]; left > reached_) stay(last_, kFetch, left);
  for (const WarpScheduler::Wait& wait : scheduler.waits()) {
    const Issued& issued = warps_[wait.warp];
    switch (wait.reason) {
      case WarpScheduler::Reason::kPipeline:
        follow(issued.row);
        spend(wait.until, row(issued.row).write, issued.op);
        break;
      case WarpScheduler::Reason::kStep:
        spend(wait.until, CycleClass::kSchedule, issued.op);
        break;
      case WarpScheduler::Reason::kBarrier:
        spend(wait.until, CycleClass::kBarrier, issued.op);
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
  for (unsigned i = 0; i < pipeline.rows(); ++i) {
    const RowTimes& times = pipeline.row(i);
    if (i != 0 && times.issue - 1 > reached_) stay(last_, kFetch, times.issue - 1);
    last_ = times.number;
    Row& r = row(last_);
    r.work = pipeline.work(i);
    r.left = {times.fetch, times.decode, times.read, times.execute, times.write};
    r.op = op;
    r.read = costs.read_class;
    r.write = costs.write_class;
    spend(times.issue, r.work.active ? CycleClass::kIssue : CycleClass::kDivergence, op);
  }
  warps_[warp] = {last_, op};
}

void CycleAccount::end_batch(uint64_t until) {
  follow(last_);
  pass(until, CycleClass::kNoWarp);
}

}  // namespace gvp::gpgpu::flexgrip::timing
