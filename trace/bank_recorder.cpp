// SPDX-License-Identifier: Apache-2.0
#include "trace/bank_recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace gvp::trace {

using Bus = ddr3::Command;

BankRecorder::Bank& BankRecorder::bank(unsigned number) {
  // in the order of their numbers, whichever is used first
  while (banks_.size() <= number) {
    Bank bank;
    const std::string name = fmt::format("bank {}", banks_.size());
    bank.track = recorder_.track(Subject::kBanks, device_, name);
    if (accesses_) bank.accesses = recorder_.track(Subject::kAccesses, device_, name + " data");
    banks_.push_back(bank);
  }
  return banks_[number];
}

void BankRecorder::on_command(uint64_t cycle, ddr3::Command command, unsigned number,
                              uint32_t row) {
  const uint64_t time = cycle * period_ps_;
  if (command == Bus::kRefresh) return;  // all banks are closed by then
  if (command == Bus::kPrechargeAll) {
    for (Bank& bank : banks_) close(bank, time);
    return;
  }
  Bank& target = bank(number);
  switch (command) {
    case Bus::kActivate:
      target.open = true;
      target.row = row;
      target.begin_ps = time;
      target.reads = target.writes = 0;
      target.span = tell(target);
      break;
    case Bus::kRead:
      ++target.reads;
      break;
    case Bus::kWrite:
      ++target.writes;
      break;
    case Bus::kReadPrecharge:
      ++target.reads;
      close(target, time);
      break;
    case Bus::kWritePrecharge:
      ++target.writes;
      close(target, time);
      break;
    default:
      close(target, time);
  }
}

void BankRecorder::on_access(const Access& access) {
  if (!accesses_) return;
  Span span{bank(access.bank).accesses, access.write ? write_ : read_, kNobody,
            access.first * period_ps_,  access.end * period_ps_,       ""};
  const std::string served = access.root == 0 ? "" : fmt::format("transaction {}", access.root);
  span.detail = served;
  span.root = access.root;
  recorder_.span(span);
}

void BankRecorder::finish_all(uint64_t now_ps) {
  for (Bank& bank : banks_) close(bank, std::max(now_ps, bank.begin_ps));
}

void BankRecorder::close(Bank& bank, uint64_t end_ps) {
  if (!bank.open) return;
  bank.open = false;
  recorder_.span({bank.track, name_, kNobody, bank.begin_ps, end_ps,
                  fmt::format("row {}, {} reads, {} writes", bank.row, bank.reads, bank.writes),
                  bank.span});
}

uint64_t BankRecorder::tell(const Bank& bank) {
  const std::string row = fmt::format("row {}", bank.row);
  Span span{bank.track, name_, kNobody, bank.begin_ps, bank.begin_ps, row};
  recorder_.span_begins(span);
  return span.number;
}

}  // namespace gvp::trace
