// SPDX-License-Identifier: Apache-2.0
// Closed-loop traffic on the DDR3 controller without SystemC: a number of requests is kept
// outstanding, a new one follows each response, at most one a clock.  For tests, benchmarks and
// the fidelity report.  Every run with the same seed is the same.
#pragma once

#include <cstdint>
#include <string>

#include "models/ddr3/controller.h"

namespace gvp::fidelity {

struct ClosedLoop {
  std::string device = "mt4jsf6464hy-1g1";
  double clock_hz = 400e6;
  std::string mapping = "row-bank-column";
  ddr3::ControllerSettings settings;
  unsigned outstanding = 8;
  uint64_t requests = 100000;  // of one burst each
  bool random = false;         // addresses; else every `stride` bytes
  uint64_t stride = 64;
  double write_share = 0;
  uint64_t seed = 1;
  ddr3::CommandObserver* observer = nullptr;
};

struct ClosedLoopResult {
  uint64_t cycles = 0;
  double gigabytes_per_second = 0;
  uint64_t worst_latency = 0;    // cycles
  uint64_t worst_overtaken = 0;  // younger requests served before one
  ddr3::ControllerCounters counters;
};

ClosedLoopResult run(const ClosedLoop& traffic);

// Clock cycles from the arrival of one request at an idle controller to its last data.
enum class Idle { kRowHit, kClosed, kConflict, kWriteHit };
uint64_t idle_latency(const std::string& device, double clock_hz, Idle kind);

}  // namespace gvp::fidelity
