// SPDX-License-Identifier: Apache-2.0
// The statistics of a run as JSON; docs/statistics.md describes every key.  Everything that
// depends on the machine's speed is in wall_s, host.mips and under "wall"; all the rest is the
// same for the same input.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/configuration/configuration.h"
#include "platform/run_control.h"

namespace gvp::platform {

struct WallClock {
  double seconds = 0;        // from start of simulation to its end
  double cpu_seconds = 0;    // of this process in that time
  double setup_seconds = 0;  // before the simulation starts: reading, building, loading
  uint64_t peak_memory_bytes = 0;
};

// blocks: Platform::statistics()
nlohmann::ordered_json run_statistics(const Configuration& configuration,
                                      const std::string& firmware, const Outcome& outcome,
                                      nlohmann::ordered_json blocks, const WallClock& wall);

// All configuration keys with their values, section by section.
nlohmann::ordered_json configuration_json(const Configuration& configuration);

// "key,value" lines, with each value's path as docs/statistics.md has it.
std::string statistics_csv(const nlohmann::ordered_json& statistics);

// path: "-" for standard output; a name that ends in .csv: as a table.  Throws Error (bad input)
// for a file that cannot be written.
void write_statistics(const nlohmann::ordered_json& statistics, const std::string& path);

// Measures a WallClock.
class Stopwatch {
 public:
  Stopwatch();
  void simulation_starts();
  void simulation_ends();
  WallClock result() const { return result_; }

 private:
  double started_;
  double simulation_started_ = 0;
  double cpu_at_start_ = 0;
  WallClock result_;
};

}  // namespace gvp::platform
