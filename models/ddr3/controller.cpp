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
      refresh_due_(settings.refresh ? timing.trefi : kNever) {
  for (auto& queue : queues_) queue.reserve(settings.queue_depth);
}

void Controller::push(const Request& request, uint64_t cycle) {
  if (waiting_ == 0) {
    catch_up(cycle);
    oldest_ = arrived_;
    oldest_bank_ = request.bank;
  }
  Entry entry;
  entry.request = request;
  entry.arrival = cycle;
  entry.number = arrived_++;
  queues_[request.bank].push_back(entry);
  ++waiting_;
  const uint64_t before = choices_[request.bank].number;
  refresh_choice(request.bank);
  if (!planned_ || plan_.cycle == kNever || only_oldest()) {
    planned_ = false;
  } else if (choices_[request.bank].number != before) {
    // Only this bank can propose something new.
    if (plan_.number != kNever && plan_.bank == request.bank) {
      planned_ = false;
    } else {
      const Proposal proposal = propose_for(request.bank, choices_[request.bank]);
      if (proposal.cycle < refresh_due_ && better(proposal, plan_)) plan_ = proposal;
    }
  }
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
size_t Controller::pick(unsigned bank) const {
  const int64_t open = state_.open_row(bank);
  const auto& queue = queues_[bank];
  if (open != SdramState::kClosed)
    for (size_t i = 0; i < queue.size(); ++i)
      if (queue[i].request.row == open) return i;
  return 0;
}

Controller::Choice Controller::choose(unsigned bank, size_t index) const {
  const Entry& entry = queues_[bank][index];
  Choice choice;
  choice.entry = index;
  choice.number = entry.number;
  choice.not_before = entry.arrival + 1;
  const int64_t open = state_.open_row(bank);
  if (open == SdramState::kClosed)
    choice.command = Command::kActivate;
  else if (open != entry.request.row)
    choice.command = Command::kPrecharge;
  else if (entry.request.write)
    choice.command = settings_.closed_page ? Command::kWritePrecharge : Command::kWrite;
  else
    choice.command = settings_.closed_page ? Command::kReadPrecharge : Command::kRead;
  return choice;
}

void Controller::refresh_choice(unsigned bank) {
  choices_[bank] = queues_[bank].empty() ? Choice{} : choose(bank, pick(bank));
}

Controller::Proposal Controller::propose_for(unsigned bank, const Choice& choice) const {
  uint64_t cycle = 0;
  switch (choice.command) {
    case Command::kActivate:
      cycle = state_.earliest_activate(bank);
      break;
    case Command::kPrecharge:
      cycle = state_.earliest_precharge(bank);
      break;
    case Command::kWrite:
    case Command::kWritePrecharge:
      cycle = state_.earliest_write(bank);
      break;
    default:
      cycle = state_.earliest_read(bank);
      break;
  }
  return {std::max(cycle, choice.not_before), choice.command, bank, choice.entry, choice.number};
}

// Everything older than the oldest waiting request has been served, so what has been served
// beyond that has overtaken it.
bool Controller::only_oldest() const {
  return settings_.in_order || served_ - oldest_ >= settings_.starvation_limit;
}

Controller::Proposal Controller::propose() const {
  if (waiting_ == 0) return {};
  Proposal best;
  if (only_oldest()) {
    best = propose_for(oldest_bank_, choose(oldest_bank_, 0));
  } else {
    for (unsigned bank = 0; bank < choices_.size(); ++bank) {
      if (choices_[bank].number == kNever) continue;
      const Proposal proposal = propose_for(bank, choices_[bank]);
      if (better(proposal, best)) best = proposal;
    }
  }
  return best.cycle < refresh_due_ ? best : propose_refresh(refresh_due_);
}

const Controller::Proposal& Controller::plan() {
  if (!planned_) plan_ = propose();
  planned_ = true;
  return plan_;
}

// ---- doing ----

void Controller::execute(const Proposal& proposal) {
  uint32_t row = 0;
  planned_ = false;
  if (proposal.number != kNever) {
    Entry& entry = queues_[proposal.bank][proposal.entry];
    row = entry.request.row;
    if (proposal.command == Command::kActivate) entry.activated = true;
    if (proposal.command == Command::kPrecharge) entry.precharged = true;
  }
  if (proposal.command == Command::kRefresh) {
    ++counters_.refreshes;
    refresh_due_ += timing_.trefi;
  }
  state_.issue(proposal.cycle, proposal.command, proposal.bank, row);
  if (proposal.command == Command::kPrechargeAll)
    for (unsigned bank = 0; bank < choices_.size(); ++bank) refresh_choice(bank);
  else if (proposal.command != Command::kRefresh)
    refresh_choice(proposal.bank);
  if (observer_ != nullptr)
    observer_->on_command(proposal.cycle, proposal.command, proposal.bank, row);
}

Controller::Served Controller::step(uint64_t cycle) {
  const Proposal proposal = plan();
  if (proposal.cycle != cycle) return {};  // something arrived that changed the plan
  execute(proposal);
  const bool column = proposal.command == Command::kRead || proposal.command == Command::kWrite ||
                      proposal.command == Command::kReadPrecharge ||
                      proposal.command == Command::kWritePrecharge;
  return column ? serve(proposal) : Served{};
}

Controller::Served Controller::serve(const Proposal& proposal) {
  auto& queue = queues_[proposal.bank];
  const Entry entry = queue[proposal.entry];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(proposal.entry));
  refresh_choice(proposal.bank);
  --waiting_;
  ++served_;
  if (entry.number == oldest_) find_oldest();
  const bool write = entry.request.write;
  (write ? counters_.writes : counters_.reads) += 1;
  if (entry.precharged)
    ++counters_.row_conflicts;
  else if (entry.activated)
    ++counters_.row_misses;
  else
    ++counters_.row_hits;
  const unsigned latency = write ? timing_.cwl : timing_.cl;
  return {true, entry.request.tag, proposal.bank, proposal.cycle + latency + timing_.burst};
}

void Controller::find_oldest() {
  oldest_ = arrived_;
  for (unsigned bank = 0; bank < queues_.size(); ++bank) {
    if (queues_[bank].empty() || queues_[bank].front().number >= oldest_) continue;
    oldest_ = queues_[bank].front().number;
    oldest_bank_ = bank;
  }
}

}  // namespace gvp::ddr3
