// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/kernel_watch.h"

#include <cstring>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr unsigned kAddressBits = 16, kWordBits = 32, kCounters = 6, kCounterBits = 64;
constexpr unsigned kWarpBits = 5, kRowBits = 2;

uint64_t field(const rtl::Pin& pin, unsigned bits, unsigned sm) {
  return pin.get() >> (bits * sm) & ((uint64_t{1} << bits) - 1);
}

}  // namespace

KernelWatch::KernelWatch(rtl::Block& block, const Observers& observers, Begins begins, Ends ends)
    : block_(block),
      observers_(observers),
      begins_(std::move(begins)),
      ends_(std::move(ends)),
      debug_address_(block.input_pin("debug_address", kAddressBits)),
      debug_data_(block.output_pin("debug_data", kWordBits)),
      debug_counters_(block.output_pin("debug_counters", kCounters * kCounterBits)),
      busy_(block.output_pin("busy", 1)),
      stop_(block.input_pin("stop", 1)),
      issued_(block.output_pin("trace_issued", 0)),
      left_(block.output_pin("trace_left", issued_.bits() * kStages)),
      pc_(block.output_pin("trace_pc", issued_.bits() * kWordBits)),
      warp_(block.output_pin("trace_warp", issued_.bits() * kWarpBits)),
      row_(block.output_pin("trace_row", issued_.bits() * kRowBits)),
      blocks_(block.output_pin("trace_blocks", issued_.bits() * kWordBits)),
      sms_(issued_.bits()) {
  block.watch(busy_, *this);
  block.add(*this);
}

uint32_t KernelWatch::register_at(uint32_t offset) const {
  debug_address_.set(offset);
  block_.settle();
  return static_cast<uint32_t>(debug_data_.get());
}

Counters KernelWatch::counters() const {
  std::array<uint64_t, kCounters> values{};
  debug_counters_.get_bytes(reinterpret_cast<uint8_t*>(values.data()), 0, sizeof values);
  Counters counters;
  counters.cycles = values[0];
  counters.warp_instructions = values[1];
  counters.thread_instructions = values[2];
  counters.stall_cycles = values[3];
  counters.divergent_branches = values[4];
  counters.max_stack_depth = values[5];
  for (uint32_t sm = 0; sm < sms_.size(); ++sm) counters.blocks_done += blocks_ended(sm);
  return counters;
}

void KernelWatch::sample() {
  if (!running_ || !observers_.want(Observer::kStages)) return;
  for (uint32_t sm = 0; sm < sms_.size(); ++sm) watch_rows(sm);
}

void KernelWatch::drive() {
  if (running_ && stop_requested_) stop_.set(1);
}

void KernelWatch::in_reset(unsigned cycle) {
  if (cycle == 0) look(true);
}

// After an edge.
void KernelWatch::look(bool in_reset) {
  if (busy_.high() == running_) return;
  running_ = !running_;
  if (running_) {
    begin_edge_ = block_.edge();
    sms_.assign(sms_.size(), {});
    begins_();
  } else {
    ends_(in_reset);
  }
}

uint32_t KernelWatch::word_of(const rtl::Pin& pin, uint32_t sm) {
  uint32_t value = 0;
  pin.get_bytes(reinterpret_cast<uint8_t*>(&value), sm * sizeof value, sizeof value);
  return value;
}

WarpPlace KernelWatch::place_of(uint32_t sm, uint32_t warp) const {
  WarpPlace place;
  place.slot = warp;
  place.block.sm = sm;
  place.block.slot = warp / warps_per_block_;
  place.warp_of_block = warp % warps_per_block_;
  // Blocks are dealt to the SMs in turn, and given to each in batches, in their order.
  const uint64_t block = sm + (uint64_t{blocks_ended(sm)} + place.block.slot) * sms_.size();
  place.block.x = static_cast<uint32_t>(block % grid_x_);
  place.block.y = static_cast<uint32_t>(block / grid_x_);
  return place;
}

// Before an edge: a row was issued with the last one, others leave their stages with this one.
void KernelWatch::watch_rows(uint32_t sm) {
  const uint64_t cycle = block_.edge() - begin_edge_;
  Rows& under_way = sms_[sm];
  if (field(issued_, 1, sm) != 0) {
    StageEvent row;
    row.place = place_of(sm, static_cast<uint32_t>(field(warp_, kWarpBits, sm)));
    row.pc = word_of(pc_, sm);
    row.row = static_cast<uint32_t>(field(row_, kRowBits, sm));
    row.issue = cycle;
    under_way.rows.push_back(row);
  }
  const uint64_t left = field(left_, kStages, sm);
  for (unsigned stage = 0; stage < kStages; ++stage)
    if ((left >> stage & 1) != 0 && under_way.left[stage] < under_way.rows.size())
      under_way.rows[under_way.left[stage]++].left[stage] = cycle + 1;
  if (under_way.left[kStages - 1] == 0) return;
  observers_.stages(under_way.rows.front());
  under_way.rows.pop_front();
  for (size_t& rows : under_way.left) --rows;
}

}  // namespace gvp::gpgpu::flexgrip
