// SPDX-License-Identifier: Apache-2.0
// Closed-loop traffic on a DDR3 controller without SystemC: a number of requests is kept
// outstanding, a new one follows each response, at most one a clock.  For tests and benchmarks.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "models/ddr3/address_mapping.h"
#include "models/ddr3/controller.h"

namespace gvp::test {

struct Ddr3Traffic {
  std::string device = "mt4jsf6464hy-1g1";
  double clock_hz = 400e6;
  std::string mapping = "row-bank-column";
  ddr3::ControllerSettings settings;
  unsigned outstanding = 8;
  uint64_t requests = 100000;
  bool random = false;  // addresses; else every `stride` bytes
  uint64_t stride = 64;
  double write_share = 0;
  uint32_t seed = 1;
  ddr3::CommandObserver* observer = nullptr;
};

struct Ddr3TrafficResult {
  uint64_t cycles = 0;
  double seconds = 0;
  double gigabytes_per_second = 0;
  uint64_t worst_latency = 0;    // cycles
  uint64_t worst_overtaken = 0;  // younger requests served before one
  ddr3::ControllerCounters counters;
};

inline Ddr3TrafficResult run(const Ddr3Traffic& traffic) {
  const ddr3::Device device = ddr3::find_device(traffic.device);
  const ddr3::Timing timing = ddr3::timing_at(device, traffic.clock_hz);
  const ddr3::AddressMapping mapping(device, traffic.mapping);
  ddr3::Controller controller(device.banks, timing, traffic.settings);
  controller.set_observer(traffic.observer);
  std::mt19937_64 random(traffic.seed);
  std::bernoulli_distribution writes(traffic.write_share);

  using Completion = std::pair<uint64_t, uint64_t>;  // cycle, tag
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions;
  std::vector<uint64_t> arrival(traffic.requests);
  std::vector<bool> served(traffic.requests);
  uint64_t oldest = 0, served_count = 0;
  Ddr3TrafficResult result;
  uint64_t issued = 0, done = 0, now = 0, last_issue = ~uint64_t{0}, address = 0;
  ddr3::Controller::Request next;
  const auto draw = [&] {
    address = traffic.random ? random() % (device.size() / 64) * 64
                             : (issued * traffic.stride) % device.size();
    const ddr3::Location location = mapping.locate(address);
    next = {issued, location.bank, location.row, writes(random)};
  };
  draw();
  while (done < traffic.requests) {
    while (!completions.empty() && completions.top().first <= now) {
      completions.pop();
      ++done;
    }
    if (issued < traffic.requests && issued - done < traffic.outstanding && last_issue != now &&
        controller.has_room(next.bank)) {
      arrival[issued] = now;
      controller.push(next, now);
      last_issue = now;
      ++issued;
      draw();
    }
    uint64_t wake = controller.next_cycle();
    if (!completions.empty()) wake = std::min(wake, completions.top().first);
    const bool more = issued < traffic.requests && issued - done < traffic.outstanding &&
                      controller.has_room(next.bank);
    if (more) wake = std::min(wake, now + 1);
    if (done == traffic.requests) break;
    now = wake;
    if (controller.next_cycle() != now) continue;
    const auto command = controller.step(now);
    if (!command.any) continue;
    completions.push({command.data_end, command.tag});
    result.worst_latency = std::max(result.worst_latency, command.data_end - arrival[command.tag]);
    served[command.tag] = true;
    while (oldest < issued && served[oldest]) ++oldest;
    ++served_count;
    if (oldest < issued)
      result.worst_overtaken = std::max(result.worst_overtaken, served_count - oldest);
  }
  result.cycles = now;
  result.seconds = static_cast<double>(now) / traffic.clock_hz;
  result.gigabytes_per_second = 64.0 * static_cast<double>(traffic.requests) / result.seconds / 1e9;
  result.counters = controller.counters();
  return result;
}

}  // namespace gvp::test
