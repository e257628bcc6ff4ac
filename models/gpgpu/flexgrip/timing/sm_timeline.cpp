// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/sm_timeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

using g80::CostClass;
using simt::Mask;

bool is_loaded(uint16_t row) {
  return std::find(std::begin(g80::kOperandRows), std::end(g80::kOperandRows), row) !=
         std::end(g80::kOperandRows);
}

// The lanes in which a float operand, after negation, has its sign set.
Mask signs(const simt::Lanes& lanes, uint32_t keep, uint32_t invert) {
  return simt::lanes_where(
      [&](unsigned i) { return (((lanes.lane[i] & keep) ^ invert) >> 31) != 0; });
}

// The operands of an FADD that come from registers, before it is executed (it may overwrite them).
// Registers are read in all lanes, active or not.
Mask register_signs(const g80::Warp& warp, const g80::Op& op) {
  Mask negative = 0;
  if (!is_loaded(op.a)) negative |= signs(warp.rows[op.a], op.and_a, op.xor_a);
  if (!is_loaded(op.b)) negative |= signs(warp.rows[op.b], op.and_b, op.xor_b);
  return negative;
}

// Those that come from elsewhere, after it has been executed (only then are they there).
// Immediates, s[] and c[] without address register are the same in all lanes, active or not; with
// address register, lanes that do not execute get a zero.
Mask loaded_signs(const g80::Warp& warp, const g80::Op& op, Mask executed) {
  Mask negative = 0;
  for (unsigned n = 0; n < op.load_count; ++n) {
    const g80::Load& load = op.loads[n];
    const uint32_t keep = load.row == op.a ? op.and_a : op.and_b;
    const uint32_t invert = load.row == op.a ? op.xor_a : op.xor_b;
    const Mask here = signs(warp.rows[load.row], keep, invert) & executed;
    if (!load.location.uniform) {
      negative |= here | (invert >> 31 != 0 ? ~executed : 0);
    } else if (here != 0) {
      negative = simt::kAllLanes;
    }
  }
  return negative;
}

}  // namespace

ProgramCosts program_costs(const g80::Program& program, const Configuration& configuration) {
  ProgramCosts costs;
  costs.reserve(program.ops().size());
  for (const g80::Op& op : program.ops()) {
    const bool executable = op.fault == FaultCause::kNone && op.pc != g80::kNoAddress;
    costs.push_back(executable
                        ? instruction_costs(*op.instruction, configuration.timing,
                                            configuration.sps, configuration.device_extensions)
                        : InstructionCosts{});
  }
  return costs;
}

SmTimeline::SmTimeline(const Configuration& configuration, unsigned number)
    : configuration_(configuration),
      sm_(configuration, number),
      pipeline_(configuration.timing, configuration.sps),
      scheduler_(configuration.timing),
      banks_(configuration.shared_banks, configuration.sps) {}

void SmTimeline::prepare(const KernelRun& run, const ProgramCosts& costs, const SmBus& bus) {
  sm_.prepare(run.kernel, run.program, run.blocks_per_sm, run.observation);
  observed_ = sm_.observes_instructions() || sm_.observes_stages();
  program_ = &run.program;
  machine_ = bus.machine != nullptr ? bus.machine : &run.machine;
  costs_ = &costs;
  bus_ = bus.clock;
  instructions_ = bus.instructions;
  constants_ = bus.constants;
  Memoization memoization = run.memoization;
  memoization.enabled = memoization.enabled && !observed_;  // who watches sees every row
  pipeline_.prepare(run.program.ops().size(),
                    size_t{run.blocks_per_sm} * run.kernel.warps_per_block(), memoization);
}

void SmTimeline::load(const std::vector<simt::BlockIndex>& blocks, uint64_t configured) {
  sm_.load(blocks, configured);
  scheduler_.start(sm_.warps(), configured);
  executed_ += cycle_ - configured_;
  cycle_ = configured_ = configured;
}

// The fetch stage holds until the instruction is there.  False, with the warp stopped, if it cannot
// be had.
bool SmTimeline::fetch(const g80::Op& op, Execution& execution) {
  if (!instructions_->fetch(op, scheduler_.issue_cycle(), sm_.warp(slot_))) return false;
  execution.fetch_first = instructions_->waited();
  return true;
}

inline void SmTimeline::before(const g80::Op& op, const InstructionCosts& costs,
                               Execution& execution) {
  if (costs.float_add) execution.negative = register_signs(sm_.warp(slot_), op);
  // Loads reach memory in the read stage.  Stores do later, in the write stage; the wait for the
  // answers begins here for them, too.
  if (bus_ != nullptr) {
    const uint64_t read =
        pipeline_.read_start(scheduler_.issue_cycle() + execution.fetch_first, costs);
    bus_->begin(read);
    if (constants_ != nullptr) constants_->begin(read);
  }
  machine_->clock = scheduler_.issue_cycle();
}

void SmTimeline::take_bus_time(Execution& execution) {
  const std::vector<uint32_t>& accesses = bus_->accesses();
  size_t next = 0;
  for (Mask left = execution.executed; left != 0 && next < accesses.size(); left &= left - 1)
    lane_cycles_[simt::first_lane(left)] = accesses[next++];
  execution.lane_cycles = lane_cycles_.data();
}

inline void SmTimeline::after(const g80::Step& step, const InstructionCosts& costs,
                              Execution& execution) {
  const PipelineTiming& timing = configuration_.timing;
  execution.active = step.active_before;
  execution.executed = step.executed;
  if (bus_ != nullptr && step.op->global) take_bus_time(execution);
  if (constants_ != nullptr) execution.constant_first = constants_->waited();
  if (banks_.any() && SharedBanks::serve(*step.op)) {
    row_steps_ = banks_.rows(*step.op, *step.addresses, step.executed);
    execution.row_steps = row_steps_.data();
  }
  if (costs.join && step.depth_before != 0) execution.read_first = timing.read_join;
  switch (costs.what) {
    case CostClass::kPush:
      execution.execute_first = timing.execute_push;
      break;
    case CostClass::kBranch:
      if (step.branch == simt::ControlFlow::Branch::kDivergent)
        execution.execute_first = timing.execute_push;
      break;
    case CostClass::kBreak:
      if (step.depth_after < step.depth_before) execution.execute_first = timing.execute_pop;
      break;
    case CostClass::kReturn:
      if (step.depth_before == 0) execution.execute_each = timing.execute_exit;
      break;
    default:
      break;
  }
}

inline void SmTimeline::count(const g80::Step& step) {
  const unsigned active = simt::count_lanes(step.active_before);
  g80::OpCounts& counts = pipeline_.op(step.op->number).counts;
  ++counts.issued;
  counts.active += active;
  counts.executed += simt::count_lanes(step.executed);
  ++counters_.warp_instructions;
  counters_.thread_instructions += active;
  if (step.branch == simt::ControlFlow::Branch::kDivergent) ++counters_.divergent_branches;
  counters_.max_stack_depth = std::max<uint64_t>(counters_.max_stack_depth, step.depth_after);
}

void SmTimeline::observe(const g80::Step& step) {
  const Pipeline& rows = pipeline_.rows();
  const RowTimes& last = rows.last();
  if (sm_.observes_instructions())
    sm_.tell_instruction(slot_, step,
                         {rows.row(0).issue, last.write, rows.row(0).read, last.write});
  if (!sm_.observes_stages()) return;
  for (unsigned i = 0; i < rows.rows(); ++i) {
    const RowTimes& row = rows.row(i);
    StageEvent event;
    event.pc = step.op->pc;
    event.row = i;
    event.issue = row.issue;
    event.left = {row.fetch, row.decode, row.read, row.execute, row.write};
    sm_.tell_stages(event, slot_);
  }
}

inline void SmTimeline::conclude(const g80::Step& step, const StopOutcome& outcome) {
  const RowTimes& last = pipeline_.last();
  if (outcome.block_ended) sm_.tell_block_end(slot_, last.write);
  // The warp that completes a barrier waits for its release like all others.
  const bool completes = step.stop == g80::Stop::kBarrier && sm_.warp(slot_).barrier.wait &&
                         outcome.state == WarpState::kReady;
  if (outcome.state == WarpState::kReady && !completes) {
    const bool loads = bus_ != nullptr && step.op->global;
    scheduler_.goes_on(last, loads ? bus_->data_cycle() : 0);
  } else if (outcome.state == WarpState::kFinished) {
    scheduler_.finishes(last);
    warp_cycles_ += last.write - configured_;
  } else {
    scheduler_.waits(last);
  }
  if (outcome.released == 0 && !completes) return;
  pipeline_.hold_write_for_release();
  if (completes) scheduler_.release(slot_, last.write);
  const unsigned first = slot_ / sm_.warps_per_block() * sm_.warps_per_block();
  for (simt::Barriers::Warps left = outcome.released; left != 0; left &= left - 1)
    scheduler_.release(first + simt::first_lane(left), last.write);
}

ProgramProfile SmTimeline::take_profile() {
  ProgramProfile& profile = pipeline_.profile();
  profile.executing_cycles = executing();
  profile.warp_cycles = warp_cycles_;
  return std::move(profile);
}

SmTimeline::Result SmTimeline::step() {
  if (sm_.unfinished() == 0) {
    pipeline_.end_batch(cycle_);
    return Result::kBatchEnded;
  }
  if (sm_.ready() == 0) return Result::kDeadlock;
  slot_ = scheduler_.next(pipeline_.last().fetch);
  const g80::Op& op = *program_->at(sm_.warp(slot_).flow.pc);
  const InstructionCosts& costs = (*costs_)[op.number];
  Execution execution;
  if (instructions_ != nullptr && !fetch(op, execution)) {
    pipeline_.fail(scheduler_, op.number);
    return Result::kFault;
  }
  before(op, costs, execution);
  StopOutcome outcome;
  const g80::Step step = sm_.step(*machine_, slot_, outcome);
  if (step.stop == g80::Stop::kFault) {
    pipeline_.fail(scheduler_, op.number);
    return Result::kFault;
  }
  after(step, costs, execution);
  if (costs.float_add) execution.negative |= loaded_signs(sm_.warp(slot_), op, execution.executed);
  pipeline_.issue(scheduler_, slot_, op.number, costs, execution);
  count(step);
  if (observed_) observe(step);
  conclude(step, outcome);
  // Of several SMs the one whose batch ends first is configured first, not the one that has issued
  // its last instruction first.
  cycle_ = sm_.unfinished() == 0 ? scheduler_.end(pipeline_.last().fetch) : pipeline_.last().issue;
  return Result::kGoesOn;
}

}  // namespace gvp::gpgpu::flexgrip::timing
