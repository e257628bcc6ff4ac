// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/controller.h"

#include <algorithm>

namespace gvp::ddr3 {

Controller::Controller(unsigned banks, const Timing& timing, const ControllerSettings& settings)
    : timing_(timing),
      settings_(settings),
      state_(banks, timing),
      queues_(banks),
      choices_(banks),
      refresh_due_(settings.refresh ? timing.trefi : kNever),
      banks_(banks),
      active_(timing) {
  for (auto& queue : queues_) queue.reserve(settings.queue_depth);
}

void Controller::push(const Request& request, uint64_t cycle) {
  if (waiting_ == 0) {
    catch_up(cycle);
    counters_.refresh_stall_cycles += refreshed_ - std::min(refreshed_, cycle);
    waiting_since_ = cycle;
    planned_ = false;
    oldest_ = arrived_;
    oldest_known_ = true;
    oldest_bank_ = request.bank;
  }
  Entry entry;
  entry.tag = request.tag;
  entry.arrival = cycle;
  entry.number = arrived_++;
  entry.row = request.row;
  entry.write = request.write;
  entry.root = request.root;
  queues_[request.bank].push_back(entry);
  banks_waiting_ |= 1u << request.bank;
  ++waiting_;
  counters_.most_waiting = std::max<uint64_t>(counters_.most_waiting, waiting_);
  Choice& choice = choices_[request.bank];
  const bool first = choice.number == kNever;
  if (!first && (choice.is_hit() || state_.open_row(request.bank) != request.row)) return;
  // Only this bank can propose something new.
  refresh_choice(request.bank);
  if (!planned_) return;
  if (only_oldest() || (plan_.number != kNever && plan_.bank == request.bank)) {
    planned_ = false;
    return;
  }
  const Proposal proposal = propose_for(request.bank, choice);
  if (proposal.cycle < refresh_due_ && proposal.before(plan_)) plan_ = proposal;
}

// Refreshes that fell due while nobody waited.
void Controller::catch_up(uint64_t cycle) {
  while (refresh_due_ <= cycle) {
    const Proposal proposal = propose_refresh(refresh_due_);
    if (proposal.cycle > cycle) return;
    execute(proposal);
  }
}

// ---- choosing ----

Controller::Proposal Controller::propose_refresh(uint64_t from) const {
  Proposal proposal;
  const bool closed = state_.all_closed();
  proposal.command = closed ? Command::kRefresh : Command::kPrechargeAll;
  proposal.cycle =
      std::max(from, closed ? state_.earliest_refresh() : state_.earliest_precharge_all());
  return proposal;
}

// The oldest row hit, else the oldest.
unsigned Controller::pick(unsigned bank) const {
  const int64_t open = state_.open_row(bank);
  const auto& queue = queues_[bank];
  if (open != SdramState::kClosed)
    for (unsigned i = 0; i < queue.size(); ++i)
      if (queue[i].row == open) return i;
  return 0;
}

Controller::Choice Controller::choose(unsigned bank, unsigned index) const {
  const Entry& entry = queues_[bank][index];
  const int64_t open = state_.open_row(bank);
  Choice choice;
  choice.entry = index;
  choice.number = entry.number;
  if (open == SdramState::kClosed) {
    choice.command = Command::kActivate;
    choice.rule = kActivateRule;
    choice.ready = state_.bank_activate(bank);
  } else if (open != entry.row) {
    choice.command = Command::kPrecharge;
    choice.rule = kPrechargeRule;
    choice.ready = state_.bank_precharge(bank);
  } else {
    if (entry.write)
      choice.command = settings_.closed_page ? Command::kWritePrecharge : Command::kWrite;
    else
      choice.command = settings_.closed_page ? Command::kReadPrecharge : Command::kRead;
    choice.rule = entry.write ? kWriteRule : kReadRule;
    choice.ready = state_.bank_column(bank);
  }
  choice.ready = std::max(choice.ready, entry.arrival + 1);
  return choice;
}

void Controller::refresh_choice(unsigned bank) {
  if (queues_[bank].empty()) {
    choices_[bank] = Choice{};
    banks_waiting_ &= ~(1u << bank);
  } else {
    choices_[bank] = choose(bank, pick(bank));
  }
}

void Controller::refresh_choices() {
  for (uint32_t left = banks_waiting_; left != 0; left &= left - 1)
    refresh_choice(static_cast<unsigned>(__builtin_ctz(left)));
}

// Everything older than the oldest waiting request has been served, so what has been served
// beyond that has overtaken it.
bool Controller::only_oldest() {
  if (!settings_.in_order && served_ - oldest_ < settings_.starvation_limit) return false;
  if (!oldest_known_) find_oldest();
  return settings_.in_order || served_ - oldest_ >= settings_.starvation_limit;
}

Controller::Proposal Controller::propose() {
  if (waiting_ == 0) return {};
  Proposal best;
  if (only_oldest()) {
    const Choice choice = choose(oldest_bank_, 0);
    best = propose_for(oldest_bank_, choice);
  } else {
    const RuleTimes earliest = rule_times();
    for (uint32_t left = banks_waiting_; left != 0; left &= left - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctz(left));
      const Choice& choice = choices_[bank];
      const uint64_t cycle = std::max(choice.ready, earliest[choice.rule]);
      // Which bank wins is random, so that branches here would be mispredicted.
      const bool first =
          (cycle < best.cycle) | ((cycle == best.cycle) & (choice.number < best.number));
      best.cycle = first ? cycle : best.cycle;
      best.number = first ? choice.number : best.number;
      best.bank = first ? bank : best.bank;
    }
    best.entry = choices_[best.bank].entry;
    best.command = choices_[best.bank].command;
  }
  return best.cycle < refresh_due_ ? best : propose_refresh(refresh_due_);
}

// ---- doing ----

void Controller::execute(const Proposal& proposal) {
  uint32_t row = 0;
  planned_ = false;
  if (proposal.number != kNever) {
    Entry& entry = queues_[proposal.bank][proposal.entry];
    row = entry.row;
    if (proposal.command == Command::kActivate) entry.activated = true;
    if (proposal.command == Command::kPrecharge) entry.precharged = true;
  }
  if (proposal.command == Command::kRefresh) {
    ++counters_.refreshes;
    refreshed_ = proposal.cycle + timing_.trfc;
    if (waiting_ != 0)
      counters_.refresh_stall_cycles += refreshed_ - std::max(refresh_due_, waiting_since_);
    refresh_due_ += timing_.trefi;
  }
  if (proposal.command == Command::kActivate) ++banks_[proposal.bank].activates;
  state_.issue(proposal.cycle, proposal.command, proposal.bank, row);
  active_.command(proposal.cycle, proposal.command, proposal.bank);
  for (CommandObserver* observer : observers_)
    observer->on_command(proposal.cycle, proposal.command, proposal.bank, row);
  if (proposal.number == kNever) refresh_choices();
}

Controller::Served Controller::step(uint64_t cycle) {
  const Proposal proposal = plan();
  if (proposal.cycle != cycle) return {};  // something arrived that changed the plan
  execute(proposal);
  if (proposal.number == kNever) return {};
  const bool column =
      proposal.command != Command::kActivate && proposal.command != Command::kPrecharge;
  const Served served = column ? serve(proposal) : Served{};
  refresh_choice(proposal.bank);
  return served;
}

Controller::Served Controller::serve(const Proposal& proposal) {
  auto& queue = queues_[proposal.bank];
  const Entry entry = queue[proposal.entry];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(proposal.entry));
  --waiting_;
  ++served_;
  if (entry.number == oldest_) {
    ++oldest_;
    oldest_known_ = false;
  }
  (entry.write ? counters_.writes : counters_.reads) += 1;
  counters_.waited_cycles += proposal.cycle - entry.arrival;
  BankCounters& bank = banks_[proposal.bank];
  if (entry.precharged) {
    ++counters_.row_conflicts;
    ++bank.conflicts;
  } else if (entry.activated) {
    ++counters_.row_misses;
    ++bank.misses;
  } else {
    ++counters_.row_hits;
    ++bank.hits;
  }
  const uint64_t data = proposal.cycle + (entry.write ? timing_.cwl : timing_.cl);
  const uint64_t data_end = data + timing_.burst;
  for (CommandObserver* observer : observers_)
    observer->on_access({data, data_end, proposal.bank, entry.write, entry.root});
  return {true, entry.tag, proposal.bank, data_end};
}

void Controller::find_oldest() {
  oldest_ = arrived_;
  oldest_known_ = true;
  for (uint32_t left = banks_waiting_; left != 0; left &= left - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctz(left));
    if (queues_[bank].front().number >= oldest_) continue;
    oldest_ = queues_[bank].front().number;
    oldest_bank_ = bank;
  }
}

}  // namespace gvp::ddr3
