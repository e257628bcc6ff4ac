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
  explicit SerialSchedule(const Timing& timing) : timing_(timing) {}

  void begin() override {
    now_ = 0;
    late_ = nullptr;
  }
  uint64_t issue_cycle(const OperationCost& cost) const override {
    const bool waits = late_ != nullptr &&
                       (any_in(late_->writes, cost.reads) || any_in(late_->writes, cost.writes));
    return now_ + (waits ? timing_.vector_result : 0);
  }
  void issued(const OperationCost& cost, uint64_t cycle, uint64_t cycles) override {
    if (cost.ends) return;
    now_ = cycle + (cost.unit == Unit::kIssue ? timing_.issue : cycles);
    late_ = cost.is_late() ? &cost : nullptr;
  }
  uint64_t end() const override {
    return now_ + (late_ != nullptr ? timing_.vector_result : 0) + timing_.launch;
  }

 private:
  const Timing timing_;
  uint64_t now_ = 0;
  const OperationCost* late_ = nullptr;  // the instruction before, if its results come later
};

class ScoreboardSchedule : public Schedule {
 public:
  ScoreboardSchedule(const Timing& timing, unsigned integer_units, unsigned float_units)
      : timing_(timing) {
    for (auto& each : free_) each.assign(1, 0);
    free_[static_cast<std::size_t>(Unit::kInteger)].assign(integer_units, 0);
    free_[static_cast<std::size_t>(Unit::kFloat)].assign(float_units, 0);
  }

  void begin() override {
    ready_.fill(0);
    for (auto& each : free_) std::fill(each.begin(), each.end(), 0);
    next_issue_ = 0;
    done_ = 0;
  }
  // Registers that are still to be written hold up who reads them and who writes them.
  uint64_t issue_cycle(const OperationCost& cost) const override {
    uint64_t cycle = std::max(next_issue_, *first_free(free_[static_cast<std::size_t>(cost.unit)]));
    for (const uint16_t each : cost.reads) cycle = std::max(cycle, ready_[each]);
    for (const uint16_t each : cost.writes) cycle = std::max(cycle, ready_[each]);
    return cycle;
  }
  void issued(const OperationCost& cost, uint64_t cycle, uint64_t cycles) override {
    next_issue_ = cycle + (cost.ends ? 0 : cost.branches ? cycles : timing_.issue);
    if (cost.unit == Unit::kIssue) return;
    auto& units = free_[static_cast<std::size_t>(cost.unit)];
    units[static_cast<std::size_t>(first_free(units) - units.begin())] = cycle + cycles;
    const uint64_t result = cycle + cycles + (cost.is_late() ? timing_.vector_result : 0);
    for (const uint16_t each : cost.writes) ready_[each] = result;
    done_ = std::max(done_, result);
  }
  uint64_t end() const override { return std::max(done_, next_issue_) + timing_.launch; }

 private:
  static std::vector<uint64_t>::const_iterator first_free(const std::vector<uint64_t>& units) {
    return std::min_element(units.begin(), units.end());
  }

  const Timing timing_;
  std::array<uint64_t, kRegisterNumbers> ready_{};
  std::array<std::vector<uint64_t>, 5> free_;  // of each unit, by kind
  uint64_t next_issue_ = 0;
  uint64_t done_ = 0;  // all that was issued
};

}  // namespace

std::unique_ptr<Schedule> make_serial_schedule(const Timing& timing) {
  return std::make_unique<SerialSchedule>(timing);
}
std::unique_ptr<Schedule> make_scoreboard_schedule(const Timing& timing, unsigned integer_units,
                                                   unsigned float_units) {
  return std::make_unique<ScoreboardSchedule>(timing, integer_units, float_units);
}

}  // namespace gvp::gpgpu::miaow
