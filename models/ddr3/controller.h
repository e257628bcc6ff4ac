// SPDX-License-Identifier: Apache-2.0
// The DDR3 controller: request queues, scheduling, page policy, refresh.  Works in SDRAM clock
// cycles and knows nothing of SystemC, data or the front end, so that it can be tested and
// measured alone.
//
// A request that arrives in cycle c can get its first command in c + 1.  Each bank proposes one
// command: for its oldest row hit, else for its oldest request.  The proposal that may be issued
// first wins, among equals the one of the oldest request (first-ready, first-come first-served).
// A request that `starvation_limit` younger ones have overtaken is served before any other.
// In-order scheduling looks at the oldest request only.  All banks are refreshed together every
// tREFI; when a refresh is due no other command starts.
// Not modelled: write batching, postponed refreshes, per-bank refresh, power-down.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/ddr3/active_time.h"
#include "models/ddr3/bank_counters.h"
#include "models/ddr3/command.h"
#include "models/ddr3/sdram_state.h"

namespace gvp::ddr3 {

struct ControllerSettings {
  bool in_order = false;
  bool closed_page = false;
  bool refresh = true;
  unsigned queue_depth = 8;  // for each bank
  unsigned starvation_limit = 64;
};

struct ControllerCounters {
  uint64_t reads = 0, writes = 0;
  uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
  uint64_t refreshes = 0;
  uint64_t refresh_stall_cycles = 0;  // requests waited and a refresh was due or under way
  uint64_t waited_cycles = 0;         // summed over requests, from arrival to column command
  uint64_t most_waiting = 0;          // requests at a time
};

class Controller {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  struct Request {
    uint64_t tag = 0;  // the owner's
    unsigned bank = 0;
    uint32_t row = 0;
    bool write = false;
    uint64_t root = 0;  // CommandObserver::Access
  };
  struct Served {
    bool any = false;  // a read or write command was issued...
    uint64_t tag = 0;  // ... for this request
    unsigned bank = 0;
    uint64_t data_end = 0;  // cycle after its last data
  };

  Controller(unsigned banks, const Timing& timing, const ControllerSettings& settings);

  bool has_room(unsigned bank) const { return queues_[bank].size() < settings_.queue_depth; }
  unsigned waiting() const { return waiting_; }
  // The request arrives in this cycle, not before any cycle given to this object so far.
  void push(const Request& request, uint64_t cycle);
  // When step() is due next, given what is queued: kNever if nothing waits.  A refresh alone is
  // not waited for: it is made up for, at its proper time, when a request comes.
  uint64_t next_cycle() { return plan().cycle; }
  // Issues the command that is due in this cycle, which next_cycle() gave.
  Served step(uint64_t cycle);

  const ControllerCounters& counters() const { return counters_; }
  const std::vector<BankCounters>& banks() const { return banks_; }
  // Until a cycle, in which any bank had an open row, or had a refresh not been due before.
  uint64_t active_cycles(uint64_t now) const { return active_.cycles(std::min(now, refresh_due_)); }
  // From now on, beside those that do already; it outlives this object.
  void observe(CommandObserver& observer) { observers_.push_back(&observer); }

 private:
  struct Entry {
    uint64_t tag = 0;
    uint64_t arrival = 0;
    uint64_t number = 0;  // of arrival
    uint64_t root = 0;
    uint32_t row = 0;
    bool write = false;
    bool activated = false;   // an activate was needed
    bool precharged = false;  // a precharge was needed
  };
  // The rules between banks that a command obeys.
  enum Rule : uint8_t { kActivateRule, kReadRule, kWriteRule, kPrechargeRule };
  // A bank's next command: changes only with the bank's own queue, row and rules.
  struct Choice {
    uint64_t ready = 0;        // cycle, as far as the bank and the request's arrival go
    uint64_t number = kNever;  // of the request; kNever: the queue is empty
    unsigned entry = 0;        // in the bank's queue
    Command command = Command::kActivate;
    Rule rule = kActivateRule;
    bool is_hit() const { return rule == kReadRule || rule == kWriteRule; }
  };
  struct Proposal {
    uint64_t cycle = kNever;
    uint64_t number = kNever;  // of the request; kNever: a refresh, or nothing
    unsigned bank = 0;
    unsigned entry = 0;  // in the bank's queue
    Command command = Command::kRefresh;
    bool before(const Proposal& other) const {
      return cycle != other.cycle ? cycle < other.cycle : number < other.number;
    }
  };

  const Proposal& plan() {
    if (!planned_) plan_ = propose();
    planned_ = true;
    return plan_;
  }
  Proposal propose();
  Proposal propose_refresh(uint64_t from) const;
  using RuleTimes = std::array<uint64_t, 4>;  // cycles, by Rule
  RuleTimes rule_times() const {
    return {state_.any_activate(), state_.any_read(), state_.any_write(), state_.any_precharge()};
  }
  Proposal propose_for(unsigned bank, const Choice& choice) const {
    return {std::max(choice.ready, rule_times()[choice.rule]), choice.number, bank, choice.entry,
            choice.command};
  }
  Choice choose(unsigned bank, unsigned entry) const;
  unsigned pick(unsigned bank) const;
  bool only_oldest();
  void refresh_choice(unsigned bank);
  void refresh_choices();
  void find_oldest();
  void execute(const Proposal& proposal);
  Served serve(const Proposal& proposal);
  void catch_up(uint64_t cycle);

  Timing timing_;
  ControllerSettings settings_;
  SdramState state_;
  std::vector<std::vector<Entry>> queues_;  // per bank, by age
  std::vector<Choice> choices_;             // per bank
  uint32_t banks_waiting_ = 0;              // a bit for each bank whose queue is not empty
  unsigned waiting_ = 0;
  uint64_t arrived_ = 0;  // requests so far
  uint64_t served_ = 0;
  uint64_t oldest_ = 0;        // number of the oldest waiting request, or of an older one ...
  bool oldest_known_ = false;  // ... if it has not been looked for since that was served
  unsigned oldest_bank_ = 0;
  uint64_t refresh_due_;
  Proposal plan_;         // what propose() said
  bool planned_ = false;  // and nothing has changed since
  ControllerCounters counters_;
  std::vector<BankCounters> banks_;
  ActiveTime active_;
  uint64_t refreshed_ = 0;      // the cycle in which the last refresh is over
  uint64_t waiting_since_ = 0;  // requests have waited without a break
  std::vector<CommandObserver*> observers_;
};

}  // namespace gvp::ddr3
