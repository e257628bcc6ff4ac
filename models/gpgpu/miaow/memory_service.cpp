// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/memory_service.h"

#include <utility>

namespace gvp::gpgpu::miaow {

void MemoryService::reset() {
  const uint32_t load_data = load_data_;
  *this = {};
  load_data_ = load_data;
}

void MemoryService::request(bool store, uint32_t address, uint32_t data) {
  phase_ = Phase::kRequested;
  store_ = store;
  address_ = address;
  if (store) store_data_ = data;
}

std::optional<MemoryService::Completion> MemoryService::take_completion() {
  return std::exchange(completion_, std::nullopt);
}

void MemoryService::begin_turn(const MemoryService& before) {
  served_ = false;
  acknowledge_ = before.acknowledge_;
  done_ = before.done_;
}

uint32_t MemoryService::state(uint64_t cycle) const {
  switch (phase_) {
    case Phase::kRequested:
      return store_ ? MIAOW_MEMORY_STORE_REQUESTED : MIAOW_MEMORY_LOAD_REQUESTED;
    case Phase::kAccepted:
      return store_ ? MIAOW_MEMORY_STORE_ACCEPTED : MIAOW_MEMORY_LOAD_ACCEPTED;
    case Phase::kIdle:
      break;
  }
  // For one cycle.
  if (ended_ && cycle <= *ended_ + 1)
    return store_ ? MIAOW_MEMORY_STORE_DONE : MIAOW_MEMORY_LOAD_DONE;
  return MIAOW_MEMORY_IDLE;
}

void MemoryService::write_acknowledge(bool level) {
  const bool rises = level && !acknowledge_;
  acknowledge_ = level;
  if (rises && phase_ == Phase::kRequested) phase_ = Phase::kAccepted;
}

void MemoryService::write_done(bool level, uint64_t cycle) {
  const bool rises = level && !done_;
  done_ = level;
  if (!rises || phase_ != Phase::kAccepted) return;
  phase_ = Phase::kIdle;
  served_ = true;
  completion_ = Completion{cycle, load_data_};
  ended_ = cycle;
}

}  // namespace gvp::gpgpu::miaow
