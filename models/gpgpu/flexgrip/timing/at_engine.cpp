// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>
#include <vector>

#include "models/gpgpu/flexgrip/timing/engines.h"
#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"
#include "models/gpgpu/port_clock.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

// How far execution runs ahead of simulated time.  What the kernel writes to block RAM is visible
// to others this much too early at most; the end of the kernel is exact.
constexpr uint64_t kAheadCycles = 1000;

class AtEngine : public Engine {
 public:
  explicit AtEngine(const Configuration& configuration)
      : configuration_(configuration), clock_(configuration.clock_hz, "the GPGPU's clock") {}

  Ending run(const Launch& launch) override;
  Counters counters(const sc_core::sc_time& now) const override;
  nlohmann::ordered_json details() const override;
  const std::vector<ProgramProfile>& profiles() const override { return profiles_; }
  std::vector<std::string> stages() const override {
    return {"fetch", "decode", "read", "execute", "write"};
  }

 private:
  void execute(const Launch& launch, KernelTimeline& timeline);
  FaultCause write_back(const Launch& launch);
  void execute_apart(const Launch& launch, KernelTimeline& timeline);
  void execute(const Launch& launch, KernelTimeline& timeline, SmTimeline& sm);
  void reach(const Launch& launch, const KernelTimeline& timeline);

  const Configuration configuration_;
  const kit::Clock clock_;
  sc_core::sc_time start_;
  uint64_t cycle_ = 0;  // reached
  bool running_ = false;
  KernelCounters counters_;
  std::vector<ProgramProfile> profiles_;
};

Ending failure(KernelTimeline& timeline) {
  SmTimeline& failed = timeline.failed_sm();
  Sm& sm = failed.function();
  unsigned slot = failed.slot();
  Ending ending;
  if (timeline.failure() == SmTimeline::Result::kDeadlock) {
    while (sm.state(slot) != WarpState::kWaiting) slot = (slot + 1) % sm.warps();
    ending.cause = FaultCause::kBarrierDeadlock;
    ending.fault.pc = sm.warp(slot).barrier.pc;
  } else {
    ending.fault = sm.warp(slot).fault;
    ending.cause = ending.fault.cause;
  }
  ending.sm = sm.number();
  ending.warp_slot = slot;
  ending.block_slot = slot / sm.warps_per_block();
  ending.block = sm.block_of(slot);
  return ending;
}

uint64_t earliest(const KernelTimeline& timeline) {
  if (timeline.done()) return timeline.end();
  const auto& sms = timeline.running();
  return (*std::min_element(
              sms.begin(), sms.end(),
              [](const SmTimeline* a, const SmTimeline* b) { return a->cycle() < b->cycle(); }))
      ->cycle();
}

// How each SM reaches global memory that is not its own block RAM.
class SmPorts {
 public:
  SmPorts(const Launch& launch, const Configuration& configuration, const kit::Clock& clock) {
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    apart = configuration.sms > 1 && (launch.hierarchy != nullptr || launch.bus != nullptr);
    if (launch.hierarchy != nullptr) {
      launch.hierarchy->begin(start, false, apart);
      for (unsigned sm = 0; sm < configuration.sms; ++sm) add(launch, launch.hierarchy->sm(sm));
    } else if (launch.bus != nullptr) {
      launch.bus->forbid_direct_access();
      share(launch, configuration, start, clock);
    }
  }

  std::vector<SmBus> buses;  // empty where it is
  bool apart = false;        // SMs wait for each other within their accesses

 private:
  void share(const Launch& launch, const Configuration& configuration,
             const sc_core::sc_time& start, const kit::Clock& clock) {
    const unsigned between = configuration.timing.lane_access;
    if (apart)
      turns_ = std::make_unique<PortTurns>(*launch.bus, configuration.sms, clock.at(between));
    for (unsigned sm = 0; sm < configuration.sms; ++sm) {
      clocks_.push_back(
          std::make_unique<PortClock>(*launch.bus, start, clock, between, turns_.get(), sm));
      add(launch, *clocks_.back());
    }
  }

  template <typename Port>
  void add(const Launch& launch, Port& port) {
    machines_.push_back(std::make_unique<g80::Machine>(launch.machine));
    machines_.back()->port = &port;
    buses.push_back({machines_.back().get(), &port});
    if (launch.off_chip == nullptr) return;
    SmBus& bus = buses.back();
    const auto sm = static_cast<unsigned>(buses.size() - 1);
    bus.instructions = launch.off_chip->instructions(sm);
    bus.constants = launch.off_chip->constants(sm);
    bus.machine->constant_port = bus.constants;
  }

  std::unique_ptr<PortTurns> turns_;
  std::vector<std::unique_ptr<PortClock>> clocks_;
  std::vector<std::unique_ptr<g80::Machine>> machines_;
};

// Everything that has happened before this cycle is known now.
void AtEngine::reach(const Launch& launch, const KernelTimeline& timeline) {
  counters_ = timeline.counters();
  if (launch.observation != nullptr) launch.observation->observers.progress({cycle_});
}

void AtEngine::execute(const Launch& launch, KernelTimeline& timeline) {
  while (!timeline.done() && !launch.stop.requested()) {
    const uint64_t slice = cycle_ + kAheadCycles;
    while (!timeline.done() && timeline.cycle() < slice) timeline.step();
    cycle_ = timeline.cycle();
    reach(launch, timeline);
    launch.stop.wait_until(start_ + clock_.at(cycle_));
  }
}

// The kernel is over when all that it has written is in memory.
FaultCause AtEngine::write_back(const Launch& launch) {
  uint64_t end = cycle_;
  const FaultCause cause = launch.hierarchy->end(end);
  for (ProgramProfile& profile : profiles_) profile.elsewhere[CycleClass::kLaunch] += end - cycle_;
  cycle_ = end;
  launch.stop.wait_until(start_ + clock_.at(cycle_));
  return cause;
}

// SMs that share a bus wait for each other within their instructions, so each has a process.
void AtEngine::execute_apart(const Launch& launch, KernelTimeline& timeline) {
  const std::vector<SmTimeline*> sms = timeline.running();
  size_t left = sms.size();
  sc_core::sc_event ended;
  for (SmTimeline* sm : sms) {
    sc_core::sc_spawn([&, sm] {
      execute(launch, timeline, *sm);
      if (--left == 0) ended.notify();
    });
  }
  if (left != 0) sc_core::wait(ended);
  cycle_ = earliest(timeline);
  reach(launch, timeline);
  launch.stop.wait_until(start_ + clock_.at(cycle_));
}

// Accesses to memory wait for their own time (PortClock); all else may be ahead of it.
void AtEngine::execute(const Launch& launch, KernelTimeline& timeline, SmTimeline& sm) {
  uint64_t slice = sm.cycle() + kAheadCycles;
  while (!timeline.done() && !launch.stop.requested()) {
    const SmTimeline::Result result = sm.step();
    if (result == SmTimeline::Result::kGoesOn && sm.cycle() < slice) continue;
    if (!launch.stop.wait_until(start_ + clock_.at(sm.cycle()))) return;
    if (result == SmTimeline::Result::kBatchEnded) {
      if (!timeline.end_batch(sm)) return;
    } else if (result != SmTimeline::Result::kGoesOn) {
      timeline.fail(sm, result);
      return;
    }
    slice = sm.cycle() + kAheadCycles;
    cycle_ = earliest(timeline);
    reach(launch, timeline);
  }
}

Ending AtEngine::run(const Launch& launch) {
  start_ = sc_core::sc_time_stamp();
  cycle_ = 0;
  running_ = true;
  SmPorts ports(launch, configuration_, clock_);
  KernelTimeline timeline(
      configuration_,
      {launch.kernel, launch.blocks_per_sm, launch.program, launch.machine, launch.observation},
      ports.buses);
  if (ports.apart && timeline.running().size() > 1) {
    execute_apart(launch, timeline);
  } else {
    execute(launch, timeline);
  }
  profiles_ = timeline.take_profiles();
  // A reset leaves nothing of the kernel in its caches.
  Ending ending;
  if (launch.hierarchy != nullptr && !launch.stop.requested()) ending.cause = write_back(launch);
  running_ = false;
  launch.machine.port = launch.bus;
  if (launch.stop.requested()) {
    ending.cause = FaultCause::kAborted;
  } else if (timeline.failure() != SmTimeline::Result::kGoesOn) {
    ending = failure(timeline);
  }
  return ending;
}

// While a kernel runs its instructions are ahead of time, so cycles are those that have passed.
Counters AtEngine::counters(const sc_core::sc_time& now) const {
  return {running_ ? clock_.cycles(now - start_) : cycle_,
          counters_.warp_instructions,
          counters_.thread_instructions,
          stall_cycles(counters_.executing_cycles, counters_.warp_instructions, configuration_.sps),
          counters_.divergent_branches,
          counters_.max_stack_depth,
          counters_.blocks_done};
}

nlohmann::ordered_json AtEngine::details() const {
  const StageStalls& stages = counters_.stage_stalls;
  return {{"batches", counters_.batches},
          {"configuration_cycles", counters_.configuration_cycles},
          {"stalls",
           {{"schedule", counters_.schedule_stalls},
            {"fetch", stages.fetch},
            {"decode", stages.decode},
            {"read", stages.read},
            {"execute", stages.execute},
            {"write", stages.write}}}};
}

}  // namespace

std::unique_ptr<Engine> make_at_engine(const Configuration& configuration) {
  return std::make_unique<AtEngine>(configuration);
}

}  // namespace gvp::gpgpu::flexgrip::timing
