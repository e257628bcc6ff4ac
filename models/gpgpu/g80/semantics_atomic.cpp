// SPDX-License-Identifier: Apache-2.0
// Atomic operations on g[], lane after lane, the two halves of those on s[], and votes
// (docs/g80.md, "Device extensions").
#include <algorithm>

#include "models/gpgpu/g80/memory_access.h"
#include "models/gpgpu/g80/semantics.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kBytes = 4;

// What the operation leaves in memory.
using Combination = uint32_t (*)(uint32_t old, uint32_t b, uint32_t c);

int32_t as_signed(uint32_t word) { return static_cast<int32_t>(word); }

uint32_t add(uint32_t old, uint32_t b, uint32_t) { return old + b; }
uint32_t exchange(uint32_t, uint32_t b, uint32_t) { return b; }
uint32_t compare_swap(uint32_t old, uint32_t b, uint32_t c) { return old == b ? c : old; }
uint32_t increment(uint32_t old, uint32_t b, uint32_t) { return old >= b ? 0 : old + 1; }
uint32_t decrement(uint32_t old, uint32_t b, uint32_t) { return old == 0 || old > b ? b : old - 1; }
uint32_t greater(uint32_t old, uint32_t b, uint32_t) { return std::max(old, b); }
uint32_t lesser(uint32_t old, uint32_t b, uint32_t) { return std::min(old, b); }
uint32_t signed_greater(uint32_t old, uint32_t b, uint32_t) {
  return as_signed(old) > as_signed(b) ? old : b;
}
uint32_t signed_lesser(uint32_t old, uint32_t b, uint32_t) {
  return as_signed(old) < as_signed(b) ? old : b;
}
uint32_t conjunction(uint32_t old, uint32_t b, uint32_t) { return old & b; }
uint32_t disjunction(uint32_t old, uint32_t b, uint32_t) { return old | b; }
uint32_t difference(uint32_t old, uint32_t b, uint32_t) { return old ^ b; }

// Lanes with one address see each other's results, in the order of their numbers.
template <Combination kCombination>
void lane(Warp& warp, const Op& op, unsigned i, uint8_t* at) {
  const bool returns = op.instruction->destination.is_register();
  const uint32_t b = warp.rows[returns ? op.b : op.a].lane[i];
  const uint32_t c = warp.rows[op.c].lane[i];
  uint32_t old;
  std::memcpy(&old, at, kBytes);
  const uint32_t now = kCombination(old, b, c);
  std::memcpy(at, &now, kBytes);
  if (returns) destination(warp, op).lane[i] = old;
}

// The device's own memory: nothing else reaches it within an instruction.
template <Combination kCombination>
void atomic(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  const Lanes addresses = warp.rows[op.memory.address_row];
  warp.rows[kAddressRow] = addresses;
  Lanes offsets;
  for (unsigned i = 0; i < simt::kWarpSize; ++i)
    offsets.lane[i] = addresses.lane[i] - machine.global.base;
  if (!check(warp, op, lanes, offsets, kBytes, machine.global.bytes,
             FaultCause::kGlobalOutOfRange)) {
    warp.fault.address += machine.global.base;
    if (warp.fault.cause == FaultCause::kGlobalOutOfRange &&
        warp.fault.address < machine.global.null_page_bytes)
      warp.fault.cause = FaultCause::kNullPage;
    return;
  }
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    lane<kCombination>(warp, op, i, machine.global.data + offsets.lane[i]);
  }
}

// Flags as comparisons leave them: the result is ~0 or 0.
void set_outcome(Warp& warp, const Op& op, Mask lanes, Mask holds) {
  ConditionRegister& flags = warp.condition[op.condition_destination];
  merge(flags.zero, lanes, ~holds);
  merge(flags.sign, lanes, holds);
  merge(flags.carry, lanes, 0);
  merge(flags.overflow, lanes, 0);
}

// The words are there by now, and their addresses are valid.  Of lanes with one address the first
// gets the lock.
void lock_shared(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& addresses = warp.rows[kAddressRow];
  Mask locked = 0;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    uint8_t& lock = warp.locks[addresses.lane[i] / kBytes];
    if (lock == 0) locked |= Mask{1} << i;
    lock = 1;
  }
  const Lanes words = warp.rows[op.a];
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned i) { return words.lane[i]; });
  set_outcome(warp, op, lanes, locked);
}

void unlock_shared(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Location& location = op.memory;
  Lanes& addresses = warp.rows[kAddressRow];
  const Lanes& base = warp.rows[location.address_row];
  simt::for_lanes(addresses, simt::kAllLanes,
                  [&](unsigned i) { return (base.lane[i] + location.offset) & 0xffffu; });
  if (!check(warp, op, lanes, addresses, kBytes, warp.shared_bytes, FaultCause::kSharedOutOfRange))
    return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    std::memcpy(warp.shared + addresses.lane[i], &warp.rows[op.a].lane[i], kBytes);
    warp.locks[addresses.lane[i] / kBytes] = 0;
  }
}

// Of the active threads.
template <bool kAll>
void vote(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Mask votes = lanes & evaluate(warp.condition[op.condition], op.truth_table);
  const bool holds = kAll ? votes == lanes : votes != 0;
  set_outcome(warp, op, lanes, holds ? lanes : 0);
}

bool is_signed_operation(const Selection& s) { return s.instruction.type == Type::kS32; }

}  // namespace

Execution select_atomic_add(const Selection&) { return atomic<add>; }
Execution select_atomic_exchange(const Selection&) { return atomic<exchange>; }
Execution select_atomic_compare_swap(const Selection&) { return atomic<compare_swap>; }
Execution select_atomic_increment(const Selection&) { return atomic<increment>; }
Execution select_atomic_decrement(const Selection&) { return atomic<decrement>; }
Execution select_atomic_max(const Selection& s) {
  return is_signed_operation(s) ? atomic<signed_greater> : atomic<greater>;
}
Execution select_atomic_min(const Selection& s) {
  return is_signed_operation(s) ? atomic<signed_lesser> : atomic<lesser>;
}
Execution select_atomic_and(const Selection&) { return atomic<conjunction>; }
Execution select_atomic_or(const Selection&) { return atomic<disjunction>; }
Execution select_atomic_xor(const Selection&) { return atomic<difference>; }
Execution select_lock_shared(const Selection&) { return lock_shared; }
Execution select_unlock_shared(const Selection& s) {
  return s.machine.device_extensions ? Execution(unlock_shared) : select_store_shared(s);
}
Execution select_vote_any(const Selection&) { return vote<false>; }
Execution select_vote_all(const Selection&) { return vote<true>; }

}  // namespace gvp::gpgpu::g80
