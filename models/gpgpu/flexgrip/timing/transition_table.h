// SPDX-License-Identifier: Apache-2.0
// What an SM pipeline has been seen to do: from a state, when so and so is issued, it comes to
// another state, and this takes so long and adds so much to counters.  States and what happens
// between them are relative to the cycle of an issue, so that they come again whenever a loop does.
// MemoizedPipeline fills the table and works by it.  No SystemC.  Units: clock cycles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/timing/cycle_account.h"
#include "models/gpgpu/flexgrip/timing/pipeline.h"

namespace gvp::gpgpu::flexgrip::timing {

// One row in the pipeline, when the last one has just been issued.  Of stages that it has left
// nothing is kept, so that rows which differ in their past only are the same.  Words alone, without
// gaps: compared and hashed as such.
struct RowState {
  std::array<uint32_t, 5> left{};    // when it will leave each stage, from now; 0: it has
  std::array<uint32_t, 5> stalls{};  // RowWork
  uint32_t read = 0;
  uint32_t memory = 0;
  uint32_t execute = 0;
  uint32_t barrier = 0;
  uint32_t op = 0;  // to whom its cycles go, as which classes
  uint32_t classes = 0;
};
static_assert(sizeof(RowState) == 16 * sizeof(uint32_t));

// All that the pipeline's way on depends on, beside its state: the instruction, what its execution
// added, and the scheduler's waits before.
struct IssueSignature {
  static constexpr unsigned kFixed = 3;
  static constexpr unsigned kMaxWaits = 5;
  uint32_t size = kFixed;
  std::array<uint64_t, kFixed + kMaxWaits> words;

  bool operator==(const IssueSignature& other) const {
    // The first word differs most often.
    if (words[0] != other.words[0] || size != other.size) return false;
    for (uint32_t i = 1; i < size; ++i)
      if (words[i] != other.words[i]) return false;
    return true;
  }
};

struct Transition {
  uint32_t sibling = 0;  // the next transition from the same state
  uint32_t to = 0;       // state
  IssueSignature signature;
  uint64_t hits = 0;  // not yet settled
  IssueOutcome outcome;
  uint32_t first_increment = 0;
  uint32_t increments = 0;
};

class TransitionTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  explicit TransitionTable(uint32_t max_states) : max_states_(max_states) {}

  // Whether a step more fits in: a transition, and the states it is from and to.
  bool has_room() const {
    return states_.size() + 2 <= max_states_ &&
           transitions_.size() < size_t{kTransitionsPerState} * max_states_;
  }
  // Finds or adds a state, of which there must be room.
  uint32_t state(const std::vector<RowState>& rows);
  const RowState* rows(uint32_t state) const { return &rows_[states_[state].first_row]; }
  uint32_t row_count(uint32_t state) const { return states_[state].rows; }

  Transition* find(uint32_t state, const IssueSignature& signature) {
    for (uint32_t i = states_[state].first; i != kNone; i = transitions_[i].sibling)
      if (transitions_[i].signature == signature) return &transitions_[i];
    return nullptr;
  }
  // Not where the state has many, and to compare them all would take longer than to work it out.
  void add(uint32_t state, const Transition& transition,
           const std::vector<CycleAccount::Increment>& increments);

  // Adds to the counters what has been hit since the last time.
  void settle();
  // Settles, then forgets all.
  void clear();

 private:
  static constexpr uint32_t kTransitionsPerState = 2;    // on average, at most
  static constexpr uint32_t kMaxTransitionsOfState = 6;  // at most
  struct State {
    uint64_t hash;
    uint32_t first_row;
    uint32_t rows;
    uint32_t in_bucket = kNone;  // the next one there
    uint32_t first = kNone;      // transition
    uint32_t transitions = 0;
  };

  uint32_t max_states_;
  std::vector<State> states_;
  std::vector<RowState> rows_;     // of all states
  std::vector<uint32_t> buckets_;  // states by hash; a power of two
  std::vector<Transition> transitions_;
  std::vector<CycleAccount::Increment> increments_;  // of all transitions
};

}  // namespace gvp::gpgpu::flexgrip::timing
