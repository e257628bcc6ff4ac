// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/semantics.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Mask;

// docs/g80.md, "Condition registers": bit v is the result for flags v = O C S Z.
constexpr uint16_t kTruthTables[32] = {0x0000, 0xbb44, 0x2222, 0x3366, 0x4411,
                                       0x5555, 0xcc33, 0x7777,  // never l e le g lg ge lge
                                       0x8888, 0x33cc, 0xaaaa, 0xbbee, 0xcc99,
                                       0xdddd, 0x44bb, 0xffff,  // u lu eu leu gu lgu geu always
                                       0xff00, 0xf0f0, 0x5050, 0xcccc, 0x0000,
                                       0x0000, 0x0000, 0x0000,  // o c a s, reserved
                                       0x0000, 0x0000, 0x0000, 0x0000, 0x3333,
                                       0xafaf, 0x0f0f, 0x00ff};  // reserved, ns na nc no

Mask all_or_none(uint32_t table, unsigned bit) { return (table >> bit & 1u) != 0 ? ~0u : 0u; }

// Four entries of a truth table: by zero and sign.
Mask by_zero_and_sign(const ConditionRegister& f, uint32_t table) {
  return (all_or_none(table, 0) & ~f.zero & ~f.sign) | (all_or_none(table, 1) & f.zero & ~f.sign) |
         (all_or_none(table, 2) & ~f.zero & f.sign) | (all_or_none(table, 3) & f.zero & f.sign);
}

// A MOV of some lanes has a result in those alone.
void merge_half(Warp& warp, const Op& op, Mask executed) {
  const Mask lanes = executed & (0x11111111u * op.instruction->lane_mask);
  const simt::Lanes& result = warp.rows[kResultRow];
  simt::Lanes& d = warp.rows[op.half_row];
  const uint32_t shift = op.half_shift;
  const uint32_t keep = ~(0xffffu << shift);
  simt::for_lanes(d, lanes, [&](unsigned i) {
    return (d.lane[i] & keep) | (result.lane[i] & 0xffffu) << shift;
  });
}

void increment_address(Warp& warp, const Op& op, Mask lanes) {
  simt::Lanes& address = warp.rows[op.increment_row];
  simt::for_lanes(address, lanes,
                  [&](unsigned i) { return (address.lane[i] + op.increment) & 0xffffu; });
}

// The effect on registers and memory; false on a fault.
bool operate(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  for (unsigned n = 0; n < op.load_count; ++n) {
    const Load& load = op.loads[n];
    load.fetch(machine, warp, op, load, lanes);
    if (warp.fault.cause != FaultCause::kNone) return false;
  }
  op.operate(machine, warp, op, lanes);
  if (warp.fault.cause != FaultCause::kNone) return false;
  if (op.half_destination) merge_half(warp, op, lanes);
  if (op.instruction->post_increment) increment_address(warp, op, lanes);
  return true;
}

// Exit and join act after the instruction, and also where its predicate is "never".
const Op* mark(Warp& warp, const Op& op, Mask lanes) {
  if (op.marker == Marker::kJoin) {
    warp.flow.join(op.next_pc);
  } else {
    const bool ungated = op.truth_table == 0;
    warp.flow.exit(ungated ? warp.flow.active : lanes, op.next_pc);
    if (warp.flow.finished()) {
      warp.stop = Stop::kFinished;
      return nullptr;
    }
  }
  return warp.flow.pc == op.next_pc ? op.next : op.program->at(warp.flow.pc);
}

// Everything but plain ops.  Returns the op to go on with, or nullptr after setting warp.stop.
const Op* execute(Machine& machine, Warp& warp, const Op& op) {
  Mask lanes = warp.flow.active;
  warp.branch = simt::ControlFlow::Branch::kNotTaken;
  if (op.predicated) {
    const ConditionRegister& flags = warp.condition[op.condition];
    lanes &= op.zero_and_sign_only ? by_zero_and_sign(flags, op.truth_table)
                                   : evaluate(flags, op.truth_table);
  }
  warp.executed = lanes;
  if (op.control != nullptr) return op.control(machine, warp, op, lanes);
  if (lanes != 0 && !operate(machine, warp, op, lanes)) {
    warp.stop = Stop::kFault;
    return nullptr;
  }
  return op.marker == Marker::kNone ? op.next : mark(warp, op, lanes);
}

bool has_addresses(const Op& op) {
  if (op.memory.access != Type::kNone) return true;
  for (unsigned n = 0; n < op.load_count; ++n)
    if (op.loads[n].location.access != Type::kNone) return true;
  return false;
}

}  // namespace

uint16_t truth_table(Condition condition) {
  return kTruthTables[static_cast<unsigned>(condition) & 31u];
}

Mask evaluate(const ConditionRegister& f, uint16_t table) {
  const Mask plain = by_zero_and_sign(f, table) & ~f.carry & ~f.overflow;
  const Mask carry = by_zero_and_sign(f, table >> 4) & f.carry & ~f.overflow;
  const Mask overflow = by_zero_and_sign(f, table >> 8) & ~f.carry & f.overflow;
  const Mask both = by_zero_and_sign(f, table >> 12) & f.carry & f.overflow;
  return plain | carry | overflow | both;
}

Step step(Machine& machine, const Program& program, Warp& warp) {
  Step result;
  const Op& op = *program.at(warp.flow.pc);
  result.op = &op;
  result.active_before = warp.flow.active;
  result.depth_before = warp.flow.depth();
  warp.stop = Stop::kNone;
  warp.branch = simt::ControlFlow::Branch::kNotTaken;
  warp.executed = warp.flow.active;
  const Op* next = op.next;
  if (op.plain) {
    op.operate(machine, warp, op, warp.flow.active);
  } else {
    next = execute(machine, warp, op);
  }
  if (next != nullptr) warp.flow.pc = next == op.next ? op.next_pc : warp.flow.pc;
  result.executed = warp.executed;
  result.active_after = warp.flow.active;
  result.depth_after = warp.flow.depth();
  result.branch = warp.branch;
  result.stop = warp.stop;
  if (has_addresses(op)) result.addresses = &warp.rows[kAddressRow];
  return result;
}

void OpCounts::add(const Step& step) {
  ++issued;
  active += simt::count_lanes(step.active_before);
  executed += simt::count_lanes(step.executed);
}

void RunCounters::add(const Step& step) {
  const uint64_t lanes = simt::count_lanes(step.executed);
  ++warp_instructions;
  thread_instructions += simt::count_lanes(step.active_before);
  divergent_branches += step.branch == simt::ControlFlow::Branch::kDivergent;
  if (step.op->global) global_lanes += lanes;
  const uint64_t accesses = step.op->steps != nullptr
                                ? step.op->steps->steps(*step.op, *step.addresses, step.executed)
                                : lanes;
  cost += step.op->cost + step.op->cost_per_lane * accesses;
  latency += step.op->latency + step.op->cost_per_lane * accesses;
}

Stop run(Machine& machine, const Program& program, Warp& warp, uint64_t max_instructions,
         RunCounters& counters, OpCounts* by_op) {
  const Op* op = program.at(warp.flow.pc);
  RunCounters sum;
  warp.stop = Stop::kNone;
  Mask active = warp.flow.active;  // plain ops leave it as it is
  uint64_t active_lanes = simt::count_lanes(active);
  while (sum.warp_instructions < max_instructions) {
    ++sum.warp_instructions;
    sum.thread_instructions += active_lanes;
    OpCounts& counts = by_op[op->number];
    ++counts.issued;
    counts.active += active_lanes;
    sum.cost += op->cost;
    sum.latency += op->latency;
    if (op->plain) {
      op->operate(machine, warp, *op, active);
      op = op->next;
      continue;
    }
    const Op* next = execute(machine, warp, *op);
    if (warp.stop == Stop::kFault) {  // it is none of those that were executed
      --counts.issued;
      counts.active -= active_lanes;
      --sum.warp_instructions;
      sum.thread_instructions -= active_lanes;
      break;
    }
    const uint64_t lanes = simt::count_lanes(warp.executed);
    counts.executed += lanes;
    if (op->cost_per_lane != 0) {
      uint64_t accesses = lanes;
      if (op->steps != nullptr) {
        accesses = op->steps->steps(*op, warp.rows[kAddressRow], warp.executed);
        counts.steps += accesses;
      }
      sum.cost += op->cost_per_lane * accesses;
      sum.latency += op->cost_per_lane * accesses;
      if (op->global) sum.global_lanes += lanes;
    }
    sum.divergent_branches += warp.branch == simt::ControlFlow::Branch::kDivergent;
    if (next == nullptr) break;
    op = next;
    active = warp.flow.active;
    active_lanes = simt::count_lanes(active);
  }
  if (warp.stop == Stop::kNone && op->pc != kNoAddress) warp.flow.pc = op->pc;
  counters.warp_instructions += sum.warp_instructions;
  counters.thread_instructions += sum.thread_instructions;
  counters.divergent_branches += sum.divergent_branches;
  counters.global_lanes += sum.global_lanes;
  counters.cost += sum.cost;
  counters.latency += sum.latency;
  return warp.stop;
}

void Warp::start(simt::Mask threads, unsigned registers) {
  flow.start(threads, 0);
  for (unsigned row = 0; row < row_count(registers); ++row) rows[row] = {};
  condition.fill({});
  executed = 0;
  stop = Stop::kNone;
  branch = simt::ControlFlow::Branch::kNotTaken;
  fault = {};
  barrier = {};
}

}  // namespace gvp::gpgpu::g80
