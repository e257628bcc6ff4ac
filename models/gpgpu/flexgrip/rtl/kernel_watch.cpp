// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/kernel_watch.h"

#include <cstring>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr unsigned kAddressBits = 16, kWordBits = 32, kCounters = 6, kCounterBits = 64;

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
      issued_(block.output_pin("trace_issued", 1)),
      left_(block.output_pin("trace_left", kStages)),
      pc_(block.output_pin("trace_pc", kWordBits)),
      warp_(block.output_pin("trace_warp", 0)),
      row_(block.output_pin("trace_row", 0)),
      blocks_(block.output_pin("trace_blocks", kWordBits)) {
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
  counters.blocks_done = blocks_.get();
  return counters;
}

void KernelWatch::sample() {
  if (running_ && observers_.want(Observer::kStages)) watch_rows();
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
    rows_.clear();
    left_rows_ = {};
    begins_();
  } else {
    ends_(in_reset);
  }
}

WarpPlace KernelWatch::place_of(uint32_t warp) const {
  WarpPlace place;
  place.slot = warp;
  place.block.slot = warp / warps_per_block_;
  place.warp_of_block = warp % warps_per_block_;
  // Blocks are given out in batches, in their order.
  const uint64_t block = blocks_.get() + place.block.slot;
  place.block.x = static_cast<uint32_t>(block % grid_x_);
  place.block.y = static_cast<uint32_t>(block / grid_x_);
  return place;
}

// Before an edge: a row was issued with the last one, others leave their stages with this one.
void KernelWatch::watch_rows() {
  const uint64_t cycle = block_.edge() - begin_edge_;
  if (issued_.high()) {
    StageEvent row;
    row.place = place_of(static_cast<uint32_t>(warp_.get()));
    row.pc = pc_.get();
    row.row = static_cast<uint32_t>(row_.get());
    row.issue = cycle;
    rows_.push_back(row);
  }
  const uint64_t left = left_.get();
  for (unsigned stage = 0; stage < kStages; ++stage)
    if ((left >> stage & 1) != 0 && left_rows_[stage] < rows_.size())
      rows_[left_rows_[stage]++].left[stage] = cycle + 1;
  if (left_rows_[kStages - 1] == 0) return;
  observers_.stages(rows_.front());
  rows_.pop_front();
  for (size_t& rows : left_rows_) --rows;
}

}  // namespace gvp::gpgpu::flexgrip
