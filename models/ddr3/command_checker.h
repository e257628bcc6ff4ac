// SPDX-License-Identifier: Apache-2.0
// An independent judge of a DDR3 command log: knows JESD79-3's rules and a timing table, nothing
// of a controller.  It watches the SDRAM's pins of the controller that is RTL, always, and the
// other one in tests.  Every command is compared with the last commands that matter to it.
// tests/models/ddr3/checker_test.cpp shows for each rule that the judge can condemn.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/ddr3/command.h"
#include "models/ddr3/device.h"

namespace gvp::ddr3 {

class CommandChecker : public CommandObserver {
 public:
  CommandChecker(unsigned banks, const Timing& timing) : t_(timing), banks_(banks) {}

  void on_command(uint64_t cycle, Command command, unsigned bank, uint32_t row) override {
    const auto now = static_cast<int64_t>(cycle);
    ++commands_;
    need("one command a clock", now, last_command_, 1);
    last_command_ = now;
    if (command != Command::kRefresh) need("tRFC", now, refreshed_, t_.trfc);
    switch (command) {
      case Command::kActivate:
        return activate(now, bank, row);
      case Command::kRead:
        return column(now, bank, row, false, false);
      case Command::kReadPrecharge:
        return column(now, bank, row, false, true);
      case Command::kWrite:
        return column(now, bank, row, true, false);
      case Command::kWritePrecharge:
        return column(now, bank, row, true, true);
      case Command::kPrecharge:
        return precharge(now, bank);
      case Command::kPrechargeAll:
        // A bank that precharges itself may not be interrupted, so closed ones count too.
        for (unsigned b = 0; b < banks_.size(); ++b) precharge(now, b);
        return;
      case Command::kRefresh:
        return refresh(now);
    }
  }

  // A command to a place that the memory does not have, as whoever knows the memory has found.
  void on_outside(uint64_t cycle, const std::string& place) {
    report(fmt::format("outside of the memory @ {}: {}", cycle, place));
  }

  uint64_t commands() const { return commands_; }
  uint64_t refreshes() const { return refreshes_; }
  int64_t longest_refresh_gap() const { return longest_gap_; }
  // Cycles by which the closest call exceeded what a rule of distance asks for; a large number for
  // one that never came into play.
  int64_t least_slack(const std::string& rule) const {
    int64_t least = -kLongAgo;
    for (const auto& [name, slack] : slack_)
      if (name == rule) least = std::min(least, slack);
    return least;
  }
  // "tRCD @ 17: 5 cycles after 12, needs 6"; the first few.
  const std::vector<std::string>& violations() const { return violations_; }
  uint64_t violation_count() const { return violation_count_; }

 private:
  static constexpr int64_t kLongAgo = -1000000;
  struct Bank {
    bool open = false;
    uint32_t row = 0;
    int64_t activated = kLongAgo, read = kLongAgo, written = kLongAgo, precharged = kLongAgo;
  };

  void need(const char* rule, int64_t now, int64_t before, int64_t distance) {
    note_slack(rule, now - before - distance);
    if (now - before >= distance) return;
    report(fmt::format("{} @ {}: {} cycles after {}, needs {}", rule, now, now - before, before,
                       distance));
  }
  void note_slack(const char* rule, int64_t slack) {
    for (auto& each : slack_) {
      if (each.first != rule) continue;  // literals: one rule may have several
      each.second = std::min(each.second, slack);
      return;
    }
    slack_.emplace_back(rule, slack);
  }
  void state(const char* rule, int64_t now, bool good) {
    if (!good) report(fmt::format("{} @ {}", rule, now));
  }
  void report(std::string text) {
    ++violation_count_;
    if (violations_.size() < 20) violations_.push_back(std::move(text));
  }

  void activate(int64_t now, unsigned b, uint32_t row) {
    Bank& bank = banks_[b];
    state("activate of an open bank", now, !bank.open);
    need("tRC", now, bank.activated, t_.trc);
    need("tRP", now, bank.precharged, t_.trp);
    need("tRRD", now, activates_[3], t_.trrd);
    need("tFAW", now, activates_[0], t_.tfaw);
    activates_ = {activates_[1], activates_[2], activates_[3], now};
    bank.open = true;
    bank.row = row;
    bank.activated = now;
  }
  void column(int64_t now, unsigned b, uint32_t row, bool write, bool precharges) {
    Bank& bank = banks_[b];
    state("column command to a closed bank", now, bank.open);
    state("column command to another row", now, bank.row == row);
    need("tRCD", now, bank.activated, t_.trcd);
    need("tCCD", now, write ? last_write_ : last_read_, t_.tccd);
    if (write)
      need("read to write", now, last_read_, int64_t{t_.cl} + t_.tccd + 2 - t_.cwl);
    else
      need("tWTR", now, last_write_, int64_t{t_.cwl} + t_.burst + t_.twtr);
    const int64_t data = now + (write ? t_.cwl : t_.cl);
    need("data bus", data, data_, t_.burst);
    data_ = data;
    (write ? last_write_ : last_read_) = now;
    (write ? bank.written : bank.read) = now;
    if (!precharges) return;
    bank.open = false;  // JESD79-3: as soon as tRAS and tRTP or tWR allow
    const int64_t internal = write ? now + t_.cwl + t_.burst + t_.twr : now + int64_t{t_.trtp};
    bank.precharged = std::max(internal, bank.activated + t_.tras);
  }
  void precharge(int64_t now, unsigned b) {
    Bank& bank = banks_[b];
    need("tRAS", now, bank.activated, t_.tras);
    need("tRTP", now, bank.read, t_.trtp);
    need("tWR", now, bank.written, int64_t{t_.cwl} + t_.burst + t_.twr);
    bank.open = false;
    bank.precharged = now;
  }
  void refresh(int64_t now) {
    for (const Bank& bank : banks_) {
      state("refresh with an open bank", now, !bank.open);
      need("tRP before refresh", now, bank.precharged, t_.trp);
    }
    need("tRFC between refreshes", now, refreshed_, t_.trfc);
    const int64_t gap = now - (refreshes_ == 0 ? 0 : refreshed_);
    state("tREFI", now, gap <= 9 * int64_t{t_.trefi});  // eight may be postponed
    longest_gap_ = std::max(longest_gap_, gap);
    refreshed_ = now;
    ++refreshes_;
  }

  Timing t_;
  std::vector<Bank> banks_;
  std::array<int64_t, 4> activates_{kLongAgo, kLongAgo, kLongAgo, kLongAgo};
  int64_t last_command_ = kLongAgo, last_read_ = kLongAgo, last_write_ = kLongAgo, data_ = kLongAgo,
          refreshed_ = kLongAgo, longest_gap_ = 0;
  uint64_t commands_ = 0, refreshes_ = 0, violation_count_ = 0;
  std::vector<std::string> violations_;
  std::vector<std::pair<const char*, int64_t>> slack_;  // per rule
};

}  // namespace gvp::ddr3
