// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/scheduler.h"

#include <algorithm>

#include "models/rtl/block.h"
#include "models/tlm/run_ahead.h"

namespace gvp::rtl {
namespace {

// So that limits, interrupts by the user and the progress line get their turn.
constexpr uint64_t kMostEdges = 8192;

std::weak_ptr<Scheduler>& current() {
  static std::weak_ptr<Scheduler> scheduler;
  return scheduler;
}

uint64_t now() { return sc_core::sc_time_stamp().value(); }

}  // namespace

std::shared_ptr<Scheduler> Scheduler::instance() {
  std::shared_ptr<Scheduler> scheduler = current().lock();
  if (!scheduler) {
    scheduler.reset(new Scheduler(sc_core::sc_gen_unique_name("rtl_scheduler")));
    current() = scheduler;
  }
  return scheduler;
}

std::vector<Block*> Scheduler::blocks() {
  const std::shared_ptr<Scheduler> scheduler = current().lock();
  return scheduler ? scheduler->blocks_ : std::vector<Block*>();
}

Scheduler::Scheduler(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(run);
  sensitive << event_;
}

void Scheduler::add(Block& block) { blocks_.push_back(&block); }

void Scheduler::remove(Block& block) {
  blocks_.erase(std::remove(blocks_.begin(), blocks_.end(), &block), blocks_.end());
}

uint64_t Scheduler::next_edge() const {
  uint64_t edge = ~uint64_t{0};
  for (const Block* block : running_) edge = std::min(edge, block->next_edge_ps());
  return edge;
}

void Scheduler::run() {
  event_.cancel();  // a look that is made now need not be made later
  for (Block* block : blocks_) {
    if (block->running()) block->catch_up();
    block->publish();
  }
  // Others have something to do at this very time: not a step further.
  if (sc_core::sc_pending_activity_at_current_time()) return run_ahead(now());
  const uint64_t held = held_until == ~uint64_t{0} ? held_until : std::max(held_until, now()) + 1;
  run_ahead(std::min(kit::quiet_until(), held));
}

void Scheduler::look_at(uint64_t picoseconds) {
  event_.notify(sc_core::sc_time::from_value(picoseconds - now()));
}

void Scheduler::run_ahead(uint64_t limit) {
  for (uint64_t left = kMostEdges;;) {
    running_.clear();
    for (Block* block : blocks_)
      if (block->running()) running_.push_back(block);
    if (running_.empty()) return;
    const uint64_t edge = next_edge();
    if (edge >= limit || left == 0) return look_at(edge);
    left -= std::min(left, running_.size() == 1 ? running_.front()->advance(limit, left)
                                                : advance_together(limit, left));
    uint64_t told = ~uint64_t{0};
    for (const Block* block : running_) told = std::min(told, block->told_at().value_or(told));
    if (told != ~uint64_t{0}) return look_at(told);
  }
}

// All edges of one time, then those of the next, until one of the blocks has told something or has
// stopped.
uint64_t Scheduler::advance_together(uint64_t limit, uint64_t most) {
  for (uint64_t made = 0;;) {
    const uint64_t edge = next_edge();
    if (edge >= limit || made >= most) return made;
    bool ends = false;
    for (Block* block : running_) {
      if (block->next_edge_ps() != edge) continue;
      block->step();
      ++made;
      ends = ends || block->has_told() || !block->running();
    }
    if (ends) return made;
  }
}

}  // namespace gvp::rtl
