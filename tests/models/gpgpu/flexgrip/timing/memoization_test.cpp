// SPDX-License-Identifier: Apache-2.0
// A pipeline that remembers what it did does the same to the cycle as one that works out every
// instruction: the rows' times, the stalls of the stages, and where each cycle goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"
#include "models/gpgpu/flexgrip/timing/memoized_pipeline.h"
#include "tests/models/gpgpu/flexgrip/timing/cycle_rules.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr PipelineTiming kTiming;
constexpr Memoization kOff{false, 0, 0, false};

struct Variant {
  const char* name;
  Memoization memoization;
};
// Always; a table that is full at once; the pauses of a program for which it does not pay.
constexpr Variant kVariants[] = {{"Always", {true, 1024, 0, false}},
                                 {"SmallTable", {true, 5, 0, false}},
                                 {"Pauses", {true, 1024, 100, true}}};

void expect_same(const CycleClasses& ours, const CycleClasses& reference, const std::string& of) {
  for (size_t i = 0; i < kCycleClassNames.size(); ++i) {
    const auto which = static_cast<CycleClass>(i);
    EXPECT_EQ(ours[which], reference[which]) << of << ", " << kCycleClassNames[i];
  }
}

void expect_same(const ProgramProfile& ours, const ProgramProfile& reference) {
  expect_same(ours.elsewhere, reference.elsewhere, "elsewhere");
  EXPECT_EQ(ours.executing_cycles, reference.executing_cycles);
  EXPECT_EQ(ours.warp_cycles, reference.warp_cycles);
  ASSERT_EQ(ours.ops.size(), reference.ops.size());
  for (size_t op = 0; op < ours.ops.size(); ++op) {
    expect_same(ours.ops[op].cycles, reference.ops[op].cycles, "op " + std::to_string(op));
    EXPECT_EQ(ours.ops[op].counts.issued, reference.ops[op].counts.issued);
    EXPECT_EQ(ours.ops[op].counts.executed, reference.ops[op].counts.executed);
  }
}

bool same(const StageStalls& a, const StageStalls& b) {
  return a.fetch == b.fetch && a.decode == b.decode && a.read == b.read && a.execute == b.execute &&
         a.write == b.write;
}

bool same(const RowTimes& a, const RowTimes& b) {
  return a.number == b.number && a.issue == b.issue && a.fetch == b.fetch && a.decode == b.decode &&
         a.read == b.read && a.execute == b.execute && a.write == b.write;
}

// ---- Instructions of random costs
// ----------------------------------------------------------------

// A scheduler and a pipeline without function: the test says what each instruction came to.
struct Half {
  Half(unsigned sps, size_t ops, unsigned warps, const Memoization& memoization)
      : scheduler(kTiming), pipeline(kTiming, sps) {
    pipeline.prepare(ops, warps, memoization);
  }
  WarpScheduler scheduler;
  MemoizedPipeline pipeline;
};

// Warps that go through the same loop, each so many times; one op in it is a barrier.
class RandomLoop {
 public:
  RandomLoop(uint32_t seed, unsigned sps, const Memoization& memoization)
      : random_(seed),
        regular_(below(3) != 0),
        warps_(1 + below(below(2) == 0 ? 3 : 24)),
        costs_(random_costs(1 + below(12))),
        ours_(sps, costs_.size(), warps_, memoization),
        reference_(sps, costs_.size(), warps_, kOff) {}

  // So many batches; false where something differs.
  bool run(unsigned batches) {
    uint64_t cycle = 0;
    for (unsigned batch = 0; batch < batches; ++batch) {
      cycle += 100;
      start(cycle);
      while (unfinished_ != 0)
        if (!step()) return false;
      cycle = end();
    }
    expect_same(ours_.pipeline.profile(), reference_.pipeline.profile());
    return !testing::Test::HasFailure();
  }
  uint64_t hits() const { return ours_.pipeline.hits(); }

 private:
  struct Warp {
    size_t op = 0;
    unsigned loops = 0;  // left
    bool waits = false;
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  LaneCosts random_lanes() {
    return below(3) != 0 ? LaneCosts{} : LaneCosts{true, 3, 4 + below(4), 1};
  }

  std::vector<InstructionCosts> random_costs(size_t count) {
    std::vector<InstructionCosts> costs(count);
    for (InstructionCosts& each : costs) {
      each.fetch = 2 + below(2);
      each.read_prologue = below(15);
      each.read_registers = 2 + below(17);
      each.read_memory = below(2) * (14 + below(10));
      each.read_lanes = random_lanes();
      each.read_class = below(2) == 0 ? CycleClass::kGlobal : CycleClass::kRead;
      each.execute = 2 + below(5) * below(7);
      each.write = 4 + below(9);
      each.write_lanes = random_lanes();
      each.write_class = below(2) == 0 ? CycleClass::kShared : CycleClass::kWrite;
      each.float_add = below(4) == 0;
    }
    costs.back().barrier = below(2) == 0;
    return costs;
  }

  // Most programs do the same each time, as loops do; in some each warp has other lanes.
  Execution random_execution() {
    Execution execution;
    execution.executed = simt::kAllLanes;
    if (below(regular_ ? 50 : 2) != 0) return execution;
    execution.active = static_cast<simt::Mask>(random_()) & (below(2) == 0 ? 0xffffu : ~0u);
    execution.executed = execution.active & static_cast<simt::Mask>(random_());
    execution.negative = below(2) == 0 ? 0x00010000u : 0u;
    execution.read_first = below(2) * 4;
    execution.execute_first = below(3) * 2;
    execution.execute_each = below(2);
    if (below(4) == 0) execution.lane_cycles = kLaneCycles.data();
    return execution;
  }

  void start(uint64_t configured) {
    batch_.assign(warps_, {});
    for (Warp& warp : batch_) warp.loops = 1 + below(20);
    unfinished_ = warps_;
    for (Half* half : {&ours_, &reference_}) {
      half->pipeline.pass(configured, CycleClass::kConfiguration);
      half->scheduler.start(warps_, configured);
    }
  }

  uint64_t end() {
    uint64_t cycle = 0;
    for (Half* half : {&ours_, &reference_}) {
      cycle = half->scheduler.end(half->pipeline.last().fetch);
      half->pipeline.end_batch(cycle);
    }
    return cycle;
  }

  bool step() {
    const unsigned slot = ours_.scheduler.next(ours_.pipeline.last().fetch);
    if (slot != reference_.scheduler.next(reference_.pipeline.last().fetch)) return false;
    Warp& warp = batch_[slot];
    const size_t op = warp.op;
    const Execution execution = random_execution();
    for (Half* half : {&ours_, &reference_})
      half->pipeline.issue(half->scheduler, slot, static_cast<uint32_t>(op), costs_[op], execution);
    warp.op = (op + 1) % costs_.size();
    if (warp.op == 0) --warp.loops;
    const bool finished = warp.loops == 0;
    warp.waits = !finished && costs_[op].barrier;
    if (finished) --unfinished_;
    const auto has_come = [](const Warp& each) { return each.loops == 0 || each.waits; };
    const bool completes = costs_[op].barrier && unfinished_ != 0 &&
                           std::all_of(batch_.begin(), batch_.end(), has_come);
    for (Half* half : {&ours_, &reference_}) conclude(*half, slot, completes);
    if (completes)
      for (Warp& each : batch_) each.waits = false;
    return same(ours_.pipeline.last(), reference_.pipeline.last()) &&
           same(ours_.pipeline.stalls(), reference_.pipeline.stalls());
  }

  void conclude(Half& half, unsigned slot, bool completes) {
    const RowTimes& last = half.pipeline.last();
    if (batch_[slot].loops == 0) {
      half.scheduler.finishes(last);
    } else if (batch_[slot].waits) {
      half.scheduler.waits(last);
    } else {
      half.scheduler.goes_on(last);
    }
    if (!completes) return;
    half.pipeline.hold_write_for_release();
    for (unsigned i = 0; i < warps_; ++i)
      if (batch_[i].waits) half.scheduler.release(i, last.write);
  }

  static constexpr std::array<uint32_t, simt::kWarpSize> kLaneCycles{7, 1, 40};
  std::mt19937 random_;
  const bool regular_;
  const unsigned warps_;
  const std::vector<InstructionCosts> costs_;
  Half ours_;
  Half reference_;
  std::vector<Warp> batch_;
  unsigned unfinished_ = 0;
};

class Memoizing : public testing::TestWithParam<Variant> {};

TEST_P(Memoizing, ChangesNothingInRandomLoops) {
  const uint32_t first = test::seed(1);
  uint64_t hits = 0;
  for (uint32_t seed = first; seed != first + 60; ++seed) {
    for (const unsigned sps : {8u, 16u, 32u}) {
      RandomLoop loop(seed, sps, GetParam().memoization);
      ASSERT_TRUE(loop.run(3)) << sps << " SPs, " << test::text_of_seed(seed);
      hits += loop.hits();
    }
  }
  EXPECT_GT(hits, 10000u);
}

// ---- Random kernels
// ------------------------------------------------------------------------------

struct KernelOnTimeline {
  KernelOnTimeline(const fidelity::Microbenchmark& kernel, unsigned sms,
                   const Memoization& memoization)
      : configuration(configured(kernel, sms)),
        global(256 * 1024),
        constants(16 * 1024),
        machine(machine_of(*this)),
        program(kernel.code.data(), kernel.code.size(), kernel.kernel.registers_per_thread,
                machine),
        timeline(configuration, {kernel.kernel, admit(kernel.kernel, configuration).blocks_per_sm,
                                 program, machine, nullptr, memoization}) {}

  static Configuration configured(const fidelity::Microbenchmark& kernel, unsigned sms) {
    Configuration configuration;
    configuration.sps = kernel.sps;
    configuration.sms = sms;
    return configuration;
  }
  static g80::Machine machine_of(KernelOnTimeline& memories) {
    g80::Machine machine;
    machine.global.data = memories.global.data();
    machine.global.bytes = memories.global.size();
    machine.constants = memories.constants.data();
    machine.constant_bytes = static_cast<uint32_t>(memories.constants.size());
    machine.banks.fill({0, machine.constant_bytes});
    return machine;
  }

  const Configuration configuration;
  std::vector<uint8_t> global;
  std::vector<uint8_t> constants;
  g80::Machine machine;
  const g80::Program program;
  KernelTimeline timeline;
};

TEST_P(Memoizing, ChangesNothingInRandomKernels) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 40; ++seed) {
    for (const unsigned sps : {8u, 16u, 32u}) {
      SCOPED_TRACE(std::to_string(sps) + " SPs, " + test::text_of_seed(seed));
      const fidelity::Microbenchmark random =
          fidelity::benchmark_of(cosim::random_kernel(seed), sps);
      const unsigned sms = 1 + seed % 2;
      KernelOnTimeline ours(random, sms, GetParam().memoization);
      KernelOnTimeline reference(random, sms, kOff);
      while (!ours.timeline.done() && !reference.timeline.done()) {
        ours.timeline.step();
        reference.timeline.step();
        ASSERT_EQ(ours.timeline.cycle(), reference.timeline.cycle()) << random.name;
      }
      ASSERT_TRUE(ours.timeline.done() && reference.timeline.done());
      EXPECT_EQ(ours.timeline.failure(), reference.timeline.failure());
      EXPECT_EQ(ours.timeline.counters().schedule_stalls,
                reference.timeline.counters().schedule_stalls);
      EXPECT_TRUE(
          same(ours.timeline.counters().stage_stalls, reference.timeline.counters().stage_stalls));
      const std::vector<ProgramProfile> profiles = ours.timeline.take_profiles();
      const std::vector<ProgramProfile> expected = reference.timeline.take_profiles();
      ASSERT_EQ(profiles.size(), sms);
      for (unsigned sm = 0; sm < sms; ++sm) expect_same(profiles[sm], expected[sm]);
      ASSERT_FALSE(HasFailure()) << random.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Memoizing, testing::ValuesIn(kVariants),
                         [](const auto& each) { return std::string(each.param.name); });

// What follows is the same however long ago, so that a loop of few instructions has few states.
TEST(MemoizedPipeline, LooksUpWhatALoopDoesAgain) {
  MemoizedPipeline pipeline(kTiming, 32);
  WarpScheduler scheduler(kTiming);
  pipeline.prepare(1, 4, {true, 100, 0, true});
  pipeline.pass(10, CycleClass::kConfiguration);
  scheduler.start(4, 10);
  InstructionCosts costs;
  costs.fetch = 3;
  costs.read_registers = 18;
  costs.execute = 3;
  costs.write = 8;
  for (unsigned i = 0; i < 1000; ++i) {
    const unsigned warp = scheduler.next(pipeline.last().fetch);
    pipeline.issue(scheduler, warp, 0, costs, {});
    scheduler.goes_on(pipeline.last());
  }
  EXPECT_GT(pipeline.hits(), 950u);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
