// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/schedule.h"

#include <algorithm>
#include <array>

namespace gvp::gpgpu::miaow {
namespace {

using southern_islands::Unit;

bool any_in(const std::vector<uint16_t>& some, const std::vector<uint16_t>& others) {
  return std::any_of(some.begin(), some.end(), [&](uint16_t each) {
    return std::find(others.begin(), others.end(), each) != others.end();
  });
}

class SerialSchedule : public Schedule {
 public:
  SerialSchedule(const Timing& timing, unsigned wavefronts) : timing_(timing), first_(wavefronts) {}

  void reset() override {
    now_ = 0;
    late_ = nullptr;
    held_ = false;
  }
  void begin(unsigned wave, uint64_t cycle) override { first_[wave] = cycle; }
  uint64_t issue_cycle(unsigned wave, const OperationCost& cost) const override {
    if (held_) return kNever;
    const bool waits = late_ != nullptr && late_wave_ == wave &&
                       (any_in(late_->writes, cost.reads) || any_in(late_->writes, cost.writes));
    return next(wave) + (waits ? timing_.vector_result : 0);
  }
  void issued(unsigned wave, const OperationCost& cost, uint64_t cycle, uint64_t cycles) override {
    held_ = false;
    if (cost.ends) {
      const bool late = late_ != nullptr && late_wave_ == wave;
      now_ = next(wave) + (late ? timing_.vector_result : 0) + timing_.launch;
      late_ = nullptr;
      return;
    }
    now_ = cycle + (cost.unit == Unit::kIssue ? timing_.issue : cycles);
    late_ = cost.is_late() ? &cost : nullptr;
    late_wave_ = wave;
  }
  void access_begins(unsigned, uint64_t) override { held_ = true; }
  uint64_t next(unsigned wave) const override { return std::max(now_, first_[wave]); }
  void wait_until(unsigned wave, uint64_t cycle) override { first_[wave] = cycle; }
  uint64_t end(unsigned) const override { return now_; }
  bool side_by_side() const override { return false; }

 private:
  const Timing timing_;
  std::vector<uint64_t> first_;  // by wavefront: the first cycle in which it may issue
  uint64_t now_ = 0;
  const OperationCost* late_ = nullptr;  // the instruction before, if its results come later
  unsigned late_wave_ = 0;
  bool held_ = false;  // by an access
};

class ScoreboardSchedule : public Schedule {
 public:
  ScoreboardSchedule(const Timing& timing, unsigned integer_units, unsigned float_units,
                     unsigned wavefronts)
      : timing_(timing), waves_(wavefronts) {
    for (auto& each : free_) each.assign(1, 0);
    units(Unit::kInteger).assign(integer_units, 0);
    units(Unit::kFloat).assign(float_units, 0);
  }

  void reset() override {
    for (auto& each : free_) std::fill(each.begin(), each.end(), 0);
    after_last_ = 0;
  }
  void begin(unsigned wave, uint64_t cycle) override {
    waves_[wave].ready.fill(0);
    waves_[wave].next_issue = cycle;
    waves_[wave].done = 0;
  }
  // Registers that are still to be written hold up who reads them and who writes them.
  uint64_t issue_cycle(unsigned wave, const OperationCost& cost) const override {
    const Wave& own = waves_[wave];
    const auto& of_kind = free_[static_cast<std::size_t>(cost.unit)];
    uint64_t cycle = std::max({own.next_issue, after_last_, *first_free(of_kind)});
    for (const uint16_t each : cost.reads) cycle = std::max(cycle, own.ready[each]);
    for (const uint16_t each : cost.writes) cycle = std::max(cycle, own.ready[each]);
    return cycle;
  }
  void issued(unsigned wave, const OperationCost& cost, uint64_t cycle, uint64_t cycles) override {
    Wave& own = waves_[wave];
    after_last_ = std::max(after_last_, cycle + 1);
    own.next_issue = cycle + (cost.ends ? 0 : cost.branches ? cycles : timing_.issue);
    if (cost.unit == Unit::kIssue) return;
    auto& of_kind = units(cost.unit);
    of_kind[static_cast<std::size_t>(first_free(of_kind) - of_kind.begin())] = cycle + cycles;
    const uint64_t result = cycle + cycles + (cost.is_late() ? timing_.vector_result : 0);
    for (const uint16_t each : cost.writes) own.ready[each] = result;
    own.done = std::max(own.done, result);
  }
  void access_begins(unsigned wave, uint64_t cycle) override {
    after_last_ = std::max(after_last_, cycle + 1);
    waves_[wave].next_issue = kNever;
    units(Unit::kMemory).front() = kNever;
  }
  uint64_t next(unsigned wave) const override { return waves_[wave].next_issue; }
  void wait_until(unsigned wave, uint64_t cycle) override { waves_[wave].next_issue = cycle; }
  uint64_t end(unsigned wave) const override {
    return std::max(waves_[wave].done, waves_[wave].next_issue) + timing_.launch;
  }
  bool side_by_side() const override { return true; }

 private:
  struct Wave {
    std::array<uint64_t, kRegisterNumbers> ready{};
    uint64_t next_issue = 0;
    uint64_t done = 0;  // all that was issued
  };
  static std::vector<uint64_t>::const_iterator first_free(const std::vector<uint64_t>& of_kind) {
    return std::min_element(of_kind.begin(), of_kind.end());
  }
  std::vector<uint64_t>& units(Unit kind) { return free_[static_cast<std::size_t>(kind)]; }

  const Timing timing_;
  std::vector<Wave> waves_;
  std::array<std::vector<uint64_t>, 5> free_;  // of each unit, by kind
  uint64_t after_last_ = 0;                    // one issue a cycle
};

}  // namespace

std::unique_ptr<Schedule> make_serial_schedule(const Timing& timing, unsigned wavefronts) {
  return std::make_unique<SerialSchedule>(timing, wavefronts);
}
std::unique_ptr<Schedule> make_scoreboard_schedule(const Timing& timing, unsigned integer_units,
                                                   unsigned float_units, unsigned wavefronts) {
  return std::make_unique<ScoreboardSchedule>(timing, integer_units, float_units, wavefronts);
}

}  // namespace gvp::gpgpu::miaow
