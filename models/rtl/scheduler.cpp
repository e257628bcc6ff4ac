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

Block* Scheduler::next(uint64_t& other_edge) const {
  Block* first = nullptr;
  uint64_t edge = ~uint64_t{0};
  other_edge = ~uint64_t{0};
  for (Block* block : blocks_) {
    if (!block->running()) continue;
    const uint64_t at = block->next_edge_ps();
    if (first == nullptr || at < edge) {
      other_edge = edge;
      first = block;
      edge = at;
    } else {
      other_edge = std::min(other_edge, at);
    }
  }
  return first;
}

void Scheduler::run() {
  event_.cancel();  // a look that is made now need not be made later
  for (Block* block : blocks_) {
    if (block->running()) block->catch_up();
    block->publish();
  }
  // Others have something to do at this very time: not a step further.
  run_ahead(sc_core::sc_pending_activity_at_current_time() ? now() : kit::quiet_until());
}

void Scheduler::run_ahead(uint64_t limit) {
  uint64_t left = kMostEdges;
  uint64_t other_edge = 0;
  while (Block* block = next(other_edge)) {
    const uint64_t edge = block->next_edge_ps();
    if (edge >= limit || left == 0) {
      event_.notify(sc_core::sc_time::from_value(edge - now()));
      return;
    }
    // Up to the next one's edge, or this one alone where both are at the same time.
    left -= std::min(left, block->advance(std::min(limit, std::max(other_edge, edge + 1)), left));
    if (const auto told = block->told_at()) {
      event_.notify(sc_core::sc_time::from_value(*told - now()));
      return;
    }
  }
}

}  // namespace gvp::rtl
