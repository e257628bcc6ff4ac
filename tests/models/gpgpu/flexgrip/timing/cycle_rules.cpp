// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/flexgrip/timing/cycle_rules.h"

#include <algorithm>
#include <cstring>

#include "models/gpgpu/flexgrip/sm.h"

namespace gvp::fidelity {
namespace {

namespace flexgrip = gpgpu::flexgrip;
namespace g80 = gpgpu::g80;
namespace simt = gpgpu::simt;

struct Row {
  uint64_t fetch = 0, decode = 0, read = 0, execute = 0, write = 0;
};

// The memories of the micro-benchmarks.
struct Memories {
  std::vector<uint8_t> global = std::vector<uint8_t>(256 * 1024);
  std::vector<uint8_t> constants = std::vector<uint8_t>(8 * 1024);
  explicit Memories(g80::Machine& machine) {
    for (uint32_t i = 0; i < 4096; ++i) std::memcpy(&global[4 * i], &i, sizeof i);
    machine.global.data = global.data();
    machine.global.bytes = static_cast<uint32_t>(global.size());
    machine.wrap_global = true;
    machine.constants = constants.data();
    machine.constant_bytes = static_cast<uint32_t>(constants.size());
    machine.banks.fill({0, machine.constant_bytes});
  }
};

unsigned lane_cycles(unsigned bytes, unsigned active, unsigned lanes) {
  return bytes == 0 ? 0 : (3 + bytes) * active + (lanes - active);
}

class Batch {
 public:
  Batch(flexgrip::Sm& sm, g80::Machine& machine, const KernelCosts& costs, unsigned sps,
        uint64_t configured, std::vector<IssuedRow>& rows)
      : sm_(sm),
        machine_(machine),
        costs_(costs),
        sps_(sps),
        warps_(sm.warps()),
        time_(configured + 1),
        rows_(rows) {}

  // Runs the batch; when it has ended.
  uint64_t run() {
    while (sm_.unfinished() != 0) execute(next());
    uint64_t last = 0;
    for (const Warp& warp : warps_) last = std::max(last, warp.written);
    while (time_ < last + 2) pass_or_wait();
    return time_ + 3;
  }

 private:
  static constexpr uint64_t kNever = ~uint64_t{0};
  struct Warp {
    uint64_t written = 0;  // its last row
    uint64_t ready = 0;
  };

  // Looks at the warps in turn until one can be issued, in the cycle after.
  unsigned next() {
    while (!seen() || warps_[looked_at_].ready > time_) pass_or_wait();
    return looked_at_;
  }

  // The instruction of the warp that is looked at has left the pipeline, and fetch is free.
  bool seen() {
    if (warps_[looked_at_].written + 1 > time_) return false;
    time_ = std::max(time_, last_.fetch);
    return true;
  }

  void pass_or_wait() {
    if (seen()) looked_at_ = (looked_at_ + 1) % static_cast<unsigned>(warps_.size());
    time_ += 2;
  }

  void execute(unsigned slot) {
    flexgrip::StopOutcome outcome;
    const RuleCosts& costs = costs_.at(sm_.warp(slot).flow.pc);
    const g80::Step step = sm_.step(machine_, slot, outcome);
    uint64_t issue = time_ + 1;
    for (unsigned row = 0; row < 32 / sps_; ++row) {
      if (row != 0) issue = last_.fetch + 1;
      pass(costs, step, row, issue);
      gap_ = 2;
      rows_.push_back({slot, row, step.op->pc, issue, last_.fetch, last_.decode, last_.read,
                       last_.execute, last_.write});
    }
    Warp& warp = warps_[slot];
    warp.written = last_.write;
    warp.ready = outcome.state == flexgrip::WarpState::kFinished ? kNever : 0;
    if (costs.barrier) {
      gap_ = 4;
      warp.ready = kNever;
      if (outcome.state == flexgrip::WarpState::kReady) release_block_of(slot);
    }
    time_ = issue + 1;
    looked_at_ = (slot + 1) % static_cast<unsigned>(warps_.size());
  }

  void release_block_of(unsigned slot) {
    gap_ = 37;
    const unsigned first = slot / sm_.warps_per_block() * sm_.warps_per_block();
    for (unsigned each = first; each < first + sm_.warps_per_block(); ++each)
      warps_[each].ready = last_.write + 4 + each;
  }

  void pass(const RuleCosts& c, const g80::Step& step, unsigned row, uint64_t issue) {
    const unsigned active =
        simt::count_lanes(step.executed >> (row * sps_) & simt::first_lanes(sps_));
    uint64_t read = c.read + lane_cycles(c.read_lane, active, sps_);
    uint64_t execute = c.execute + (c.execute_lanes ? sps_ : 0);
    const uint64_t write = c.write + lane_cycles(c.write_lane, active, sps_);
    if (row == 0) {
      if (!c.nop) read += 2 + (c.predicate ? 4 + 2 * (32 / sps_) : 0);
      if (c.join && step.depth_before != 0) read += 4;
      const bool diverges = c.branch && step.branch == simt::ControlFlow::Branch::kDivergent;
      if (c.push || diverges) execute += 2;
    }
    if (c.leave && step.depth_before == 0) execute += 1;
    const uint64_t fetch = row != 0 ? 1 : c.bytes == 8 ? 3 : 2;
    const Row before = last_;
    last_.fetch = 1 + std::max(issue + fetch, before.decode);
    last_.decode = 1 + std::max(last_.fetch + 1, before.read);
    last_.read = 1 + std::max(last_.decode + read - 1, before.execute + 1);
    last_.execute = 1 + std::max(last_.read + execute - 1, before.write + 1);
    last_.write = 1 + std::max(last_.execute + write - 1, before.write + gap_);
  }

  flexgrip::Sm& sm_;
  g80::Machine& machine_;
  const KernelCosts& costs_;
  unsigned sps_;
  std::vector<Warp> warps_;
  unsigned looked_at_ = 0;
  uint64_t time_;  // in which the warp scheduler looks at that warp
  Row last_;       // of whichever warp
  uint64_t gap_ = 2;
  std::vector<IssuedRow>& rows_;
};

}  // namespace

MicrobenchmarkRun run_by_rules(const Microbenchmark& kernel, const KernelCosts& costs) {
  const flexgrip::Kernel& launch = kernel.kernel;
  flexgrip::Configuration configuration;
  configuration.sps = kernel.sps;
  configuration.partial_warps = "full";
  g80::Machine machine;
  const Memories memories(machine);
  const g80::Program program(kernel.code.data(), kernel.code.size(), launch.registers_per_thread,
                             machine);
  flexgrip::Sm sm(configuration, 0);
  sm.prepare(launch, program, launch.blocks_per_core);
  MicrobenchmarkRun result;
  uint64_t now = 5;
  for (uint32_t first = 0; first < launch.grid_x; first += launch.blocks_per_core) {
    if (first != 0) now += 4;
    std::vector<simt::BlockIndex> blocks;
    for (uint32_t i = first; i < std::min(launch.grid_x, first + launch.blocks_per_core); ++i)
      blocks.push_back({i, 0});
    now += 11 + blocks.size() * (22 + 6 * launch.parameter_count + 3 * launch.threads() +
                                 3 * launch.warps_per_block());
    sm.load(blocks);
    now = Batch(sm, machine, costs, kernel.sps, now, result.rows).run();
  }
  result.completed = true;
  result.cycles = now + 2;
  const uint64_t first = result.rows.front().issue;
  for (IssuedRow& row : result.rows)
    for (uint64_t* time :
         {&row.issue, &row.fetch, &row.decode, &row.read, &row.execute, &row.write})
      *time -= first;
  return result;
}

}  // namespace gvp::fidelity
