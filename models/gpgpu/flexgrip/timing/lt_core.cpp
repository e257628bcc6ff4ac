// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/lt_core.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip::timing {

void LtCore::prepare(const Launch& launch) {
  sm.prepare(launch.kernel, launch.program, launch.blocks_per_sm, launch.observation);
  batch_end = timing.kernel_start;
  executing = 0;
  port = port_waits = 0;
  warp_cycles = 0;
  cycles = {};
  counts.assign(launch.program.ops().size(), {});
}

bool LtCore::load_batch(const Launch& launch, simt::BlockScheduler& blocks) {
  const std::vector<simt::BlockIndex> batch = blocks.next_batch(sm.number(), launch.blocks_per_sm);
  if (batch.empty()) return false;
  const Kernel& kernel = launch.kernel;
  const uint64_t per_block =
      timing.configure_block + timing.configure_parameter * kernel.parameter_count +
      timing.configure_thread * kernel.threads() + timing.configure_warp * kernel.warps_per_block();
  configured = batch_end + timing.configure_batch + batch.size() * per_block;
  cycles[CycleClass::kConfiguration] += configured - batch_end;
  cycles[CycleClass::kSchedule] += timing.first_issue;
  sm.load(batch, configured);
  busy_until = configured + timing.first_issue;
  clocks.assign(sm.warps(), busy_until);
  through = served = clocks;
  return true;
}

void LtCore::end_batch() {
  const auto last = std::max_element(clocks.begin(), clocks.end());
  account_for_wait(static_cast<unsigned>(last - clocks.begin()));
  batch_end = *last + timing.finish_visible + timing.batch_end;
  cycles[CycleClass::kNoWarp] += batch_end - *last;
  executing += batch_end - configured;
}

int LtCore::next_warp() const {
  int chosen = -1;
  for (unsigned slot = 0; slot < sm.warps(); ++slot) {
    if (sm.state(slot) != WarpState::kReady) continue;
    if (chosen < 0 || clocks[slot] < clocks[static_cast<unsigned>(chosen)])
      chosen = static_cast<int>(slot);
  }
  return chosen;
}

void LtCore::settle(unsigned slot, g80::Stop stop) {
  if (stop == g80::Stop::kFinished) warp_cycles += clocks[slot] - configured;
  const StopOutcome outcome = sm.settle(slot, stop);
  if (outcome.block_ended) sm.tell_block_end(slot, clocks[slot]);
  if (outcome.released == 0) return;
  // The block goes on when its last warp has come, one warp after the other.
  const unsigned first = slot / sm.warps_per_block() * sm.warps_per_block();
  const uint64_t together = clocks[slot] + timing.barrier_release;
  for (simt::Barriers::Warps rest = outcome.released; rest != 0; rest &= rest - 1) {
    const unsigned warp = first + simt::first_lane(rest);
    clocks[warp] = std::max(clocks[warp], together + uint64_t{warp} * timing.barrier_release_warp);
  }
  if (stop == g80::Stop::kBarrier) clocks[slot] += timing.write_gap_release;
}

void LtCore::account_for_wait(unsigned slot) {
  uint64_t reached = busy_until;
  const auto pass = [&](uint64_t until, CycleClass which) {
    if (until <= reached) return;
    cycles[which] += until - reached;
    reached = until;
  };
  pass(through[slot], CycleClass::kLatency);
  pass(served[slot], CycleClass::kGlobal);
  pass(clocks[slot], CycleClass::kBarrier);
}

uint64_t LtCore::executing_batch() const {
  if (done || clocks.empty()) return 0;
  const uint64_t reached = *std::max_element(clocks.begin(), clocks.end());
  return reached - std::min(reached, configured);
}

ProgramProfile LtCore::profile(const g80::Program& program,
                               const std::vector<OpClasses>& classes) const {
  ProgramProfile profile;
  profile.ops.resize(classes.size());
  for (size_t number = 0; number < classes.size(); ++number) {
    const g80::Op& op = program.ops()[number];
    g80::OpCounts& of = profile.ops[number].counts = counts[number];
    if (op.plain) of.executed = of.active;
    CycleClasses& spent = profile.ops[number].cycles;
    spent.add(classes[number].base, of.issued);
    spent[classes[number].lanes] +=
        op.cost_per_lane * (op.steps != nullptr ? of.steps : of.executed);
  }
  profile.elsewhere = cycles;
  profile.elsewhere[CycleClass::kLaunch] += timing.kernel_start;
  profile.executing_cycles = executing;
  profile.warp_cycles = warp_cycles;
  return profile;
}

}  // namespace gvp::gpgpu::flexgrip::timing
