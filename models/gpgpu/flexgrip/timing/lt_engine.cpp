// SPDX-License-Identifier: Apache-2.0
// FlexGrip, loosely timed: results first, time from sums.  Each warp runs for many instructions
// at a stretch and has a clock of its own; the SM has one for its slowest pipeline stage.  Both
// advance by what the instructions cost there (instruction_costs.h, the same numbers as the
// approximately timed model), so a kernel with many warps takes the time its slowest stage needs
// and one with few takes the time a lone warp needs.  Barriers bring the clocks of a block
// together.
//
// Not modelled: how the stages of different warps overlap in detail, and polling of the warp
// scheduler.  docs/flexgrip.md compares the result with the approximately timed model.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/engine.h"
#include "models/gpgpu/flexgrip/timing/engines.h"
#include "models/gpgpu/flexgrip/timing/lt_core.h"
#include "models/gpgpu/flexgrip/timing/lt_costs.h"
#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"
#include "models/gpgpu/flexgrip/timing/shared_banks.h"
#include "models/gpgpu/port_queue.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// How far kernels run ahead of simulated time where no global quantum says so: nobody else then is
// loosely timed.  The end of a kernel is exact all the same: it is known before it is waited for.
constexpr uint64_t kSliceCycles = 50000;
// Where SMs share caches, a network or memory that has one request at a time, one is ahead of the
// others by this much at most: what it finds there is what they have left.
constexpr uint64_t kSharedSliceCycles = 100;
// What a warp executes before another one's turn comes, at most; so much warps and kernels are
// ahead where the quantum is shorter than that takes.
constexpr uint64_t kTurnInstructions = 64;
// The same where simulated time passes in accesses to memory.
constexpr uint64_t kBusTurnInstructions = 4;
// And where what warps access decides what others find in a cache: their order is to be that of the
// warp scheduler, one instruction at a time.
constexpr uint64_t kCacheTurnInstructions = 1;

class LtEngine : public Engine {
 public:
  explicit LtEngine(const Configuration& configuration)
      : configuration_(configuration),
        timing_(configuration.timing),
        clock_(configuration.clock_hz, "the GPGPU's clock"),
        banks_(configuration.shared_banks, configuration.sps) {
    for (unsigned number = 0; number < configuration_.sms; ++number)
      cores_.push_back(std::make_unique<LtCore>(configuration_, number));
  }

  Ending run(const Launch& launch) override;
  Counters counters(const sc_core::sc_time& now) const override;
  nlohmann::ordered_json details() const override;
  const std::vector<ProgramProfile>& profiles() const override { return profiles_; }

 private:
  // Until the core's clocks have passed the target.  False on a fault, with ending_ set.
  bool advance(LtCore& core, simt::BlockScheduler& blocks, uint64_t target);
  uint64_t earliest() const;
  uint64_t begin_turn(const LtCore& core, uint64_t clock);
  bool fetch(LtCore& core, unsigned slot);
  uint64_t memory_cycles(LtCore& core, uint64_t clock, uint64_t lanes);
  uint64_t transaction_cycles(uint64_t clock);
  uint64_t direct_cycles(uint64_t lanes);
  uint64_t waits_for_others(LtCore& core, uint64_t taken) const;
  void account(LtCore& core, unsigned slot, const g80::RunCounters& before);
  bool finish(uint64_t end);
  void profile(uint64_t end);
  void set_ending(LtCore& core, unsigned slot, FaultCause cause);
  uint64_t slice() const;
  bool wait_until(uint64_t cycle);

  const Configuration configuration_;
  const PipelineTiming timing_;
  const kit::Clock clock_;
  const SharedBanks banks_;
  std::vector<std::unique_ptr<LtCore>> cores_;
  std::optional<simt::BlockScheduler> blocks_;
  const Launch* launch_ = nullptr;
  sc_core::sc_time start_;
  bool running_ = false;
  g80::RunCounters run_;
  Counters counters_;
  uint64_t bus_transactions_ = 0;
  std::vector<OpClasses> classes_;  // by op
  std::vector<ProgramProfile> profiles_;
  uint64_t write_back_cycles_ = 0;  // after the SMs' end
  // Of the instruction that is executed, where code and constants are off the chip.
  uint64_t fetch_cycles_ = 0;
  ConstantReads* constants_ = nullptr;
  uint64_t port_until_ = 0;  // the bus port, which all SMs share, is busy
  Ending ending_;
};

uint64_t LtEngine::slice() const {
  if (launch_->hierarchy != nullptr && configuration_.sms > 1) return kSharedSliceCycles;
  const sc_core::sc_time& quantum = tlm::tlm_global_quantum::instance().get();
  if (quantum == sc_core::SC_ZERO_TIME) return kSliceCycles;
  return std::max<uint64_t>(clock_.cycles(quantum), 1);
}

// False when the kernel has been told to stop meanwhile.
bool LtEngine::wait_until(uint64_t cycle) {
  return launch_->stop.wait_until(start_ + clock_.at(cycle));
}

Ending LtEngine::run(const Launch& launch) {
  launch_ = &launch;
  start_ = sc_core::sc_time_stamp();
  run_ = {};
  counters_ = {};
  ending_ = {};
  bus_transactions_ = launch.bus != nullptr ? launch.bus->transactions() : 0;
  port_until_ = 0;
  write_back_cycles_ = 0;
  fetch_cycles_ = 0;
  constants_ = nullptr;
  running_ = true;
  if (launch.hierarchy != nullptr) {
    launch.machine.port = launch.hierarchy;
    launch.hierarchy->begin(start_, true);
  }
  classes_ = annotate(launch.program, timing_, configuration_.sps, banks_, launch.bus != nullptr,
                      configuration_.device_extensions);
  // A member, because the stack of a process is not unwound when a simulation ends.
  blocks_.emplace(launch.kernel.grid(), configuration_.sms);
  simt::BlockScheduler& blocks = *blocks_;
  for (auto& core : cores_) {
    core->prepare(launch);
    core->done = !core->load_batch(launch, blocks);
  }
  for (uint64_t target = slice();;) {
    bool all_done = true;
    for (auto& core : cores_) {
      if (!advance(*core, blocks, target)) {
        const bool on_time = finish(core->batch_end);
        running_ = false;
        profile(counters_.cycles);
        if (!on_time) ending_.cause = FaultCause::kAborted;
        return ending_;
      }
      all_done = all_done && core->done;
    }
    if (!all_done) {
      const uint64_t reached = std::max(target, earliest());
      target = reached + slice();
      if (launch.observation != nullptr) launch.observation->observers.progress({earliest()});
      if (wait_until(reached)) continue;
      ending_.cause = FaultCause::kAborted;
      break;
    }
    uint64_t end = 0;
    for (const auto& core : cores_) end = std::max(end, core->batch_end);
    if (!finish(end + timing_.kernel_end)) ending_.cause = FaultCause::kAborted;
    break;
  }
  if (ending_.cause == FaultCause::kAborted)
    counters_.cycles = clock_.cycles(sc_core::sc_time_stamp() - start_);
  running_ = false;
  profile(counters_.cycles);
  return ending_;
}

// The SMs have ended in this cycle, well or not; the kernel has when its caches are written back.
// False when it has been told to stop meanwhile.
bool LtEngine::finish(uint64_t end) {
  counters_.cycles = end;
  if (launch_->hierarchy != nullptr) {
    const FaultCause cause = launch_->hierarchy->end(counters_.cycles);
    if (ending_.cause == FaultCause::kNone) ending_.cause = cause;
  }
  write_back_cycles_ = counters_.cycles - end;
  return wait_until(counters_.cycles);
}

// What each SM did until the end of the kernel.  One that was stopped has its SMs where they are.
void LtEngine::profile(uint64_t end) {
  profiles_.clear();
  for (const auto& core : cores_) {
    ProgramProfile& profile = profiles_.emplace_back(core->profile(launch_->program, classes_));
    if (ending_.cause != FaultCause::kNone) continue;
    const uint64_t after = timing_.kernel_end + write_back_cycles_;
    profile.elsewhere[CycleClass::kLaunch] += after;
    profile.elsewhere[CycleClass::kNoBlocks] += end - after - core->batch_end;
  }
}

// Where the SM that is furthest behind goes on.
uint64_t LtEngine::earliest() const {
  uint64_t first = ~uint64_t{0};
  for (const auto& core : cores_) {
    if (core->done) continue;
    const int warp = core->next_warp();
    if (warp >= 0) first = std::min(first, core->clocks[static_cast<unsigned>(warp)]);
  }
  return first;
}

bool LtEngine::advance(LtCore& core, simt::BlockScheduler& blocks, uint64_t target) {
  while (!core.done) {
    if (core.sm.unfinished() == 0) {
      core.end_batch();
      counters_.blocks_done += core.sm.blocks();
      core.batch_end += timing_.batch_gap;
      if (core.load_batch(*launch_, blocks)) {
        core.cycles[CycleClass::kLaunch] += timing_.batch_gap;
        continue;
      }
      core.batch_end -= timing_.batch_gap;
      core.done = true;
      break;
    }
    const int warp = core.next_warp();
    if (warp < 0) {
      unsigned waiting = 0;
      while (core.sm.state(waiting) != WarpState::kWaiting) ++waiting;
      core.batch_end = *std::max_element(core.clocks.begin(), core.clocks.end());
      core.sm.warp(waiting).fault.pc = core.sm.warp(waiting).barrier.pc;
      set_ending(core, waiting, FaultCause::kBarrierDeadlock);
      return false;
    }
    const auto slot = static_cast<unsigned>(warp);
    if (core.clocks[slot] >= target) break;
    launch_->machine.clock = core.clocks[slot];
    const g80::RunCounters before = run_;
    if (launch_->off_chip != nullptr && !fetch(core, slot)) {
      core.batch_end = core.clocks[slot];
      set_ending(core, slot, core.sm.warp(slot).fault.cause);
      return false;
    }
    const g80::Stop stop = core.sm.run(launch_->machine, slot, begin_turn(core, core.clocks[slot]),
                                       run_, core.counts.data());
    account(core, slot, before);
    if (stop == g80::Stop::kFault) {
      core.batch_end = core.clocks[slot];
      set_ending(core, slot, core.sm.warp(slot).fault.cause);
      return false;
    }
    if (stop != g80::Stop::kNone) core.settle(slot, stop);
  }
  return true;
}

// The instructions that a warp may execute at this time before another one's turn comes.  The port
// has one transaction outstanding: it never goes back to the clock of a warp that is behind.
uint64_t LtEngine::begin_turn(const LtCore& core, uint64_t clock) {
  if (launch_->hierarchy != nullptr) {
    // The pipeline is busy until then with what other warps have issued, and so are caches.
    launch_->hierarchy->sm(core.sm.number())
        .begin(std::max(clock, core.busy_until) + fetch_cycles_);
    return kCacheTurnInstructions;
  }
  if (launch_->bus == nullptr) return kTurnInstructions;
  launch_->bus->set_time(start_ + clock_.at(std::max(clock, port_until_)));
  return launch_->bus->is_direct() ? kTurnInstructions : kBusTurnInstructions;
}

// The instruction of a turn, where code is off the chip, and constants where they are.  False, with
// the warp stopped, if it cannot be had.
bool LtEngine::fetch(LtCore& core, unsigned slot) {
  const unsigned sm = core.sm.number();
  const uint64_t begin = std::max(core.clocks[slot], core.busy_until);
  fetch_cycles_ = 0;
  if (InstructionFetch* const instructions = launch_->off_chip->instructions(sm)) {
    g80::Warp& warp = core.sm.warp(slot);
    if (!instructions->fetch(*launch_->program.at(warp.flow.pc), begin, warp)) return false;
    fetch_cycles_ = instructions->waited();
  }
  constants_ = launch_->off_chip->constants(sm);
  launch_->machine.constant_port = constants_;
  if (constants_ != nullptr) constants_->begin(begin + fetch_cycles_);
  return true;
}

// What global memory has taken of a turn that began then, in which so many lanes accessed it.
uint64_t LtEngine::memory_cycles(LtCore& core, uint64_t clock, uint64_t lanes) {
  if (launch_->hierarchy != nullptr) return launch_->hierarchy->sm(core.sm.number()).taken();
  if (launch_->bus == nullptr) return 0;
  const uint64_t taken = transaction_cycles(clock) + direct_cycles(lanes);
  if (taken == 0) return 0;
  return taken + waits_for_others(core, taken + lanes * timing_.lane_access);
}

// Global memory behind the bus, after a turn: the cycles that transactions have taken.
uint64_t LtEngine::transaction_cycles(uint64_t clock) {
  const uint64_t taken = launch_->bus->take_cycles();
  if (taken == 0) return 0;
  port_until_ = std::max(port_until_, clock) + taken;
  return taken;
}

// And those of the lanes that found direct access.
uint64_t LtEngine::direct_cycles(uint64_t lanes) {
  const uint64_t transactions = launch_->bus->transactions() - bus_transactions_;
  bus_transactions_ += transactions;
  return (lanes - std::min(lanes, transactions)) * launch_->bus->direct_cycles();
}

// An SM does not see the accesses of others, with which it shares the port: how long its own wait
// for them is estimated from how much of its time it has the port itself, as if all SMs did alike.
// taken: the cycles in which these accesses have it.
uint64_t LtEngine::waits_for_others(LtCore& core, uint64_t taken) const {
  core.port += taken;
  const auto sms = static_cast<unsigned>(
      std::count_if(cores_.begin(), cores_.end(), [](const auto& c) { return !c->done; }));
  // Since the SM's first batch
  const uint64_t reached = core.busy_until - core.configured + core.executing;
  const uint64_t alone = std::max(reached + taken - std::min(reached, core.port_waits), core.port);
  const double others = others_at_port(core.port, alone, sms);
  const auto waits = static_cast<uint64_t>(others * static_cast<double>(taken));
  core.port_waits += waits;
  return waits;
}

void LtEngine::account(LtCore& core, unsigned slot, const g80::RunCounters& before) {
  uint64_t& clock = core.clocks[slot];
  uint64_t memory = memory_cycles(core, clock, run_.global_lanes - before.global_lanes);
  core.account_for_wait(slot);
  core.cycles[CycleClass::kGlobal] += memory;
  const uint64_t constants = constants_ != nullptr ? constants_->waited() : 0;
  core.cycles[CycleClass::kFetch] += fetch_cycles_;
  core.cycles[CycleClass::kConstant] += constants;
  memory += fetch_cycles_ + constants;
  core.busy_until = std::max(core.busy_until, clock) + (run_.cost - before.cost) + memory;
  clock = std::max(clock + (run_.latency - before.latency) + memory, core.busy_until);
  core.through[slot] = clock;
  // The warp may wait for its data while others go on.
  if (launch_->hierarchy != nullptr)
    clock = std::max(clock, launch_->hierarchy->sm(core.sm.number()).data_cycle());
  if (memory != 0 && launch_->hierarchy == nullptr) clock = std::max(clock, port_until_);
  core.served[slot] = clock;
  counters_.max_stack_depth =
      std::max<uint64_t>(counters_.max_stack_depth, core.sm.warp(slot).flow.max_depth());
}

void LtEngine::set_ending(LtCore& core, unsigned slot, FaultCause cause) {
  ending_.cause = cause;
  ending_.fault = core.sm.warp(slot).fault;
  ending_.sm = core.sm.number();
  ending_.warp_slot = slot;
  ending_.block_slot = slot / core.sm.warps_per_block();
  ending_.block = core.sm.block_of(slot);
}

// While a kernel runs its instructions are ahead of time, so cycles are those that have passed.
Counters LtEngine::counters(const sc_core::sc_time& now) const {
  Counters shown = counters_;
  const uint64_t passed = running_ ? clock_.cycles(now - start_) : counters_.cycles;
  shown.cycles = counters_.cycles == 0 ? passed : std::min(passed, counters_.cycles);
  shown.warp_instructions = run_.warp_instructions;
  shown.thread_instructions = run_.thread_instructions;
  shown.divergent_branches = run_.divergent_branches;
  uint64_t executing = 0;
  for (const auto& core : cores_)  // of a kernel that is stopped no more than has passed
    executing += std::min(core->executing + core->executing_batch(), shown.cycles);
  shown.stall_cycles = stall_cycles(executing, run_.warp_instructions, configuration_.sps);
  return shown;
}

nlohmann::ordered_json LtEngine::details() const { return nlohmann::ordered_json::object(); }

}  // namespace

std::unique_ptr<Engine> make_lt_engine(const Configuration& configuration) {
  return std::make_unique<LtEngine>(configuration);
}

}  // namespace gvp::gpgpu::flexgrip::timing
