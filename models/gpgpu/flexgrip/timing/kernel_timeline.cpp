// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {

KernelTimeline::KernelTimeline(const Configuration& configuration, const KernelRun& run,
                               const std::vector<SmBus>& buses)
    : configuration_(configuration),
      run_(run),
      costs_(program_costs(run.program, configuration)),
      blocks_(run.kernel.grid(), configuration.sms),
      scheduler_free_(configuration.timing.kernel_start) {
  sms_.reserve(configuration.sms);
  for (unsigned number = 0; number < configuration.sms; ++number) {
    sms_.emplace_back(configuration, number)
        .prepare(run_, costs_, buses.empty() ? SmBus{} : buses.at(number));
    if (configure(sms_.back(), 0)) running_.push_back(&sms_.back());
  }
  choose_next();
}

// Gives an SM its next batch of blocks; false when there is none left for it.
bool KernelTimeline::configure(SmTimeline& sm, uint64_t earliest) {
  const std::vector<simt::BlockIndex> batch =
      blocks_.next_batch(sm.function().number(), run_.blocks_per_sm);
  if (batch.empty()) return false;
  const PipelineTiming& t = configuration_.timing;
  const uint64_t each = uint64_t{t.configure_block} +
                        uint64_t{t.configure_parameter} * run_.kernel.parameter_count +
                        uint64_t{t.configure_thread} * run_.kernel.threads() +
                        uint64_t{t.configure_warp} * run_.kernel.warps_per_block();
  const uint64_t cost = t.configure_batch + batch.size() * each;
  sm.pass(std::max(earliest, uint64_t{t.kernel_start}), CycleClass::kLaunch);
  scheduler_free_ = std::max(scheduler_free_, earliest);
  sm.pass(scheduler_free_, CycleClass::kConfigurationWait);
  scheduler_free_ += cost;
  sm.pass(scheduler_free_, CycleClass::kConfiguration);
  counters_.configuration_cycles += cost;
  ++counters_.batches;
  sm.load(batch, scheduler_free_);
  return true;
}

void KernelTimeline::choose_next() {
  if (running_.size() < 2) {
    next_ = 0;
    return;
  }
  const auto earliest = std::min_element(
      running_.begin(), running_.end(),
      [](const SmTimeline* a, const SmTimeline* b) { return a->cycle() < b->cycle(); });
  next_ = static_cast<size_t>(earliest - running_.begin());
}

bool KernelTimeline::end_batch(SmTimeline& sm) {
  counters_.blocks_done += sm.function().blocks();
  if (configure(sm, sm.cycle() + configuration_.timing.batch_gap)) return true;
  end_ = std::max(end_, sm.cycle() + configuration_.timing.kernel_end);
  running_.erase(std::find(running_.begin(), running_.end(), &sm));
  if (running_.empty()) account_for_end();
  return false;
}

// Of SMs that had no more blocks, or none at all.
void KernelTimeline::account_for_end() {
  for (SmTimeline& sm : sms_) {
    sm.pass(configuration_.timing.kernel_start, CycleClass::kLaunch);
    sm.pass(end_ - configuration_.timing.kernel_end, CycleClass::kNoBlocks);
    sm.pass(end_, CycleClass::kLaunch);
  }
}

std::vector<ProgramProfile> KernelTimeline::take_profiles() {
  std::vector<ProgramProfile> profiles;
  profiles.reserve(sms_.size());
  for (SmTimeline& sm : sms_) profiles.push_back(sm.take_profile());
  return profiles;
}

void KernelTimeline::fail(SmTimeline& sm, SmTimeline::Result how) {
  if (failed_ != nullptr) return;
  failure_ = how;
  failed_ = &sm;
  end_ = sm.cycle();
}

void KernelTimeline::step() {
  SmTimeline& sm = *running_[next_];
  const SmTimeline::Result result = sm.step();
  if (result == SmTimeline::Result::kBatchEnded) {
    end_batch(sm);
  } else if (result != SmTimeline::Result::kGoesOn) {
    fail(sm, result);
    return;
  }
  choose_next();
}

KernelCounters KernelTimeline::counters() const {
  KernelCounters sum = counters_;
  for (const SmTimeline& sm : sms_) {
    const SmCounters& more = sm.counters();
    sum.warp_instructions += more.warp_instructions;
    sum.thread_instructions += more.thread_instructions;
    sum.divergent_branches += more.divergent_branches;
    sum.max_stack_depth = std::max(sum.max_stack_depth, more.max_stack_depth);
    sum.executing_cycles += sm.executing();
    sum.schedule_stalls += sm.schedule_stalls();
    const StageStalls& stages = sm.stage_stalls();
    sum.stage_stalls.fetch += stages.fetch;
    sum.stage_stalls.decode += stages.decode;
    sum.stage_stalls.read += stages.read;
    sum.stage_stalls.execute += stages.execute;
    sum.stage_stalls.write += stages.write;
  }
  return sum;
}

}  // namespace gvp::gpgpu::flexgrip::timing
