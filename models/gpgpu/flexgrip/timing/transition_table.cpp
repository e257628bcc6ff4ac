// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/transition_table.h"

#include <cstring>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr size_t kBuckets = 4096;

uint64_t hash_of(const std::vector<RowState>& rows) {
  uint64_t hash = rows.size();
  for (const RowState& row : rows) {
    std::array<uint64_t, sizeof(RowState) / sizeof(uint64_t)> words;
    std::memcpy(words.data(), &row, sizeof row);
    for (const uint64_t word : words) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
  }
  return hash;
}

}  // namespace

uint32_t TransitionTable::state(const std::vector<RowState>& rows) {
  if (buckets_.empty()) buckets_.assign(kBuckets, kNone);
  const uint64_t hash = hash_of(rows);
  uint32_t& bucket = buckets_[hash % kBuckets];
  for (uint32_t i = bucket; i != kNone; i = states_[i].in_bucket) {
    const State& state = states_[i];
    if (state.hash == hash && state.rows == rows.size() &&
        std::memcmp(&rows_[state.first_row], rows.data(), rows.size() * sizeof(RowState)) == 0)
      return i;
  }
  const auto number = static_cast<uint32_t>(states_.size());
  State& added = states_.emplace_back();
  added.hash = hash;
  added.first_row = static_cast<uint32_t>(rows_.size());
  added.rows = static_cast<uint32_t>(rows.size());
  added.in_bucket = bucket;
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  bucket = number;
  return number;
}

void TransitionTable::add(uint32_t state, const Transition& transition,
                          const std::vector<CycleAccount::Increment>& increments) {
  State& from = states_[state];
  if (from.transitions == kMaxTransitionsOfState) return;
  Transition& added = transitions_.emplace_back(transition);
  added.sibling = from.first;
  added.first_increment = static_cast<uint32_t>(increments_.size());
  added.increments = static_cast<uint32_t>(increments.size());
  increments_.insert(increments_.end(), increments.begin(), increments.end());
  from.first = static_cast<uint32_t>(transitions_.size() - 1);
  ++from.transitions;
}

void TransitionTable::settle() {
  for (Transition& transition : transitions_) {
    if (transition.hits == 0) continue;
    const CycleAccount::Increment* increment = &increments_[transition.first_increment];
    for (uint32_t i = 0; i < transition.increments; ++i)
      *increment[i].counter += transition.hits * increment[i].cycles;
    transition.hits = 0;
  }
}

void TransitionTable::clear() {
  settle();
  states_.clear();
  rows_.clear();
  buckets_.clear();
  transitions_.clear();
  increments_.clear();
}

}  // namespace gvp::gpgpu::flexgrip::timing
