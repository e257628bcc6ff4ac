// SPDX-License-Identifier: Apache-2.0
// Sees kernels begin and end at the pins of FlexGrip's RTL, and the rows that go through its
// pipeline, at the clock edges where they do; what it reads of the control window goes by the debug
// pins, which take no time and have no side effects.  Times are clock cycles from the kernel's
// start.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/gpgpu/launch.h"
#include "models/gpgpu/observer.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/rtl/pin.h"

namespace gvp::gpgpu::flexgrip {

class KernelWatch : public rtl::Agent {
 public:
  // Called at an edge; simulated time may be behind it (Block::edge_ps()).  The end may be that of
  // a reset of the whole block, which leaves nothing in its registers.
  using Begins = std::function<void()>;
  using Ends = std::function<void(bool by_reset)>;

  // Throws Error (bad input) where the block has no such pins.
  KernelWatch(rtl::Block& block, const Observers& observers, Begins begins, Ends ends);

  uint32_t register_at(uint32_t offset) const;
  bool running() const { return running_; }
  // Of the kernel that runs, or ran last.
  Counters counters() const;
  // Ends the kernel that runs (CAUSE_ABORTED), and those that follow; async-signal-safe.
  void request_stop() { stop_requested_ = true; }
  // Of the kernel that begins: where its warps are.
  void set_kernel(uint32_t warps_per_block, uint32_t grid_x) {
    warps_per_block_ = warps_per_block;
    grid_x_ = grid_x;
  }
  // Of a warp that runs.
  WarpPlace place_of(uint32_t sm, uint32_t warp) const;

 private:
  static constexpr unsigned kStages = 5;  // fetch, decode, read, execute, write

  void sample() override;
  void drive() override;
  void settled() override { look(false); }
  uint64_t idle_edges() const override { return busy_.high() ? 0 : kForever; }
  void reset() override { stop_.set(0); }
  void in_reset(unsigned cycle) override;
  void look(bool in_reset);
  // Of one SM: its rows under way, in the order of their issue, and how many have left each stage.
  struct Rows {
    std::deque<StageEvent> rows;
    std::array<size_t, kStages> left{};
  };

  void watch_rows(uint32_t sm);
  uint32_t blocks_ended(uint32_t sm) const { return word_of(blocks_, sm); }
  static uint32_t word_of(const rtl::Pin& pin, uint32_t sm);

  rtl::Block& block_;
  const Observers& observers_;
  Begins begins_;
  Ends ends_;
  mutable rtl::Pin debug_address_;
  rtl::Pin debug_data_, debug_counters_, busy_, stop_;
  rtl::Pin issued_, left_, pc_, warp_, row_, blocks_;

  bool running_ = false;
  std::atomic<bool> stop_requested_{false};
  uint64_t begin_edge_ = 0;
  uint32_t warps_per_block_ = 1, grid_x_ = 1;
  std::vector<Rows> sms_;
};

}  // namespace gvp::gpgpu::flexgrip
