// SPDX-License-Identifier: Apache-2.0
#include "fidelity/ddr3_closed_loop.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "models/ddr3/address_mapping.h"
#include "models/ddr3/device.h"

namespace gvp::fidelity {
namespace {

using namespace ddr3;

// What is under way, and how often one was overtaken.
class Ledger {
 public:
  explicit Ledger(uint64_t requests) : arrival_(requests), served_(requests) {}

  uint64_t issued() const { return issued_; }
  void issue(uint64_t cycle) { arrival_[issued_++] = cycle; }
  void serve(uint64_t tag, uint64_t data_end, ClosedLoopResult& result) {
    result.worst_latency = std::max(result.worst_latency, data_end - arrival_[tag]);
    served_[tag] = true;
    ++served_count_;
    while (oldest_ < issued_ && served_[oldest_]) ++oldest_;
    if (oldest_ < issued_)
      result.worst_overtaken = std::max(result.worst_overtaken, served_count_ - oldest_);
  }

 private:
  std::vector<uint64_t> arrival_;
  std::vector<bool> served_;
  uint64_t issued_ = 0, served_count_ = 0, oldest_ = 0;
};

class Addresses {
 public:
  Addresses(const ClosedLoop& traffic, const Device& device)
      : traffic_(traffic),
        device_(device),
        mapping_(device, traffic.mapping),
        random_(traffic.seed),
        writes_(traffic.write_share) {}

  Controller::Request next(uint64_t tag) {
    const unsigned burst = device_.burst_bytes();
    const uint64_t address = traffic_.random ? random_() % (device_.size() / burst) * burst
                                             : tag * traffic_.stride % device_.size();
    const Location location = mapping_.locate(address);
    return {tag, location.bank, location.row, writes_(random_)};
  }

 private:
  const ClosedLoop& traffic_;
  const Device& device_;
  AddressMapping mapping_;
  std::mt19937_64 random_;
  std::bernoulli_distribution writes_;
};

}  // namespace

ClosedLoopResult run(const ClosedLoop& traffic) {
  const Device device = find_device(traffic.device);
  Controller controller(device.banks, timing_at(device, traffic.clock_hz), traffic.settings);
  if (traffic.observer != nullptr) controller.observe(*traffic.observer);
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> completions;  // cycles
  Addresses addresses(traffic, device);
  Ledger ledger(traffic.requests);
  ClosedLoopResult result;
  uint64_t done = 0, now = 0;
  Controller::Request next = addresses.next(0);
  const auto may_issue = [&] {
    return ledger.issued() < traffic.requests && ledger.issued() - done < traffic.outstanding &&
           controller.has_room(next.bank);
  };
  while (done < traffic.requests) {
    for (; !completions.empty() && completions.top() <= now; completions.pop()) ++done;
    if (may_issue()) {
      controller.push(next, now);
      ledger.issue(now);
      next = addresses.next(ledger.issued());
    }
    if (done == traffic.requests) break;
    uint64_t wake = controller.next_cycle();
    if (!completions.empty()) wake = std::min(wake, completions.top());
    if (may_issue()) wake = std::min(wake, now + 1);
    now = wake;
    if (controller.next_cycle() != now) continue;
    const Controller::Served served = controller.step(now);
    if (!served.any) continue;
    completions.push(served.data_end);
    ledger.serve(served.tag, served.data_end, result);
  }
  result.cycles = now;
  const double seconds = static_cast<double>(now) / traffic.clock_hz;
  result.gigabytes_per_second = static_cast<double>(device.burst_bytes()) *
                                static_cast<double>(traffic.requests) / seconds / 1e9;
  result.counters = controller.counters();
  return result;
}

uint64_t idle_latency(const std::string& device_name, double clock_hz, Idle kind) {
  const Device device = find_device(device_name);
  Controller controller(device.banks, timing_at(device, clock_hz), {});
  const auto latency_of = [&](uint32_t row, bool write, uint64_t cycle) {
    controller.push({0, 0, row, write}, cycle);
    for (;;) {
      const Controller::Served served = controller.step(controller.next_cycle());
      if (served.any) return served.data_end - cycle;
    }
  };
  const uint64_t closed = latency_of(1, false, 100);
  if (kind == Idle::kClosed) return closed;
  return latency_of(kind == Idle::kConflict ? 2 : 1, kind == Idle::kWriteHit, 300);
}

}  // namespace gvp::fidelity
