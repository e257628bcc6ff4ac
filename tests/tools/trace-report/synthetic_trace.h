// SPDX-License-Identifier: Apache-2.0
// A trace as a run might leave it, made up, of any length, the same each time: two host ports and a
// GPGPU whose transactions are split into two bursts each, all to one memory with eight banks,
// written by the recorder's own writers.  Sums of what was written are kept on the way.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace gvp::test {

struct TraceOptions {
  uint64_t records = 0;  // transactions at ports, at least; the last one is written whole
  uint64_t seed = 1;
  uint64_t memory_ns = 60;  // of an access to the memory
  unsigned launches = 4;    // of kernels, one after the other
  unsigned warps = 0;       // recorded in each launch
  bool banks = true;        // recorded
  uint64_t begin_ps = 1000000;
};

struct Sums {
  uint64_t transactions = 0, bytes = 0, errors = 0, latency_ps = 0, longest_ps = 0;
};

struct TraceSums {
  std::map<std::string, std::array<Sums, 3>> ports;  // by port and command
  std::map<std::string, Sums> origins;               // at initiators' ports
  Sums begun;
  uint64_t records = 0;
  uint64_t begin_ps = ~uint64_t{0}, end_ps = 0;
};

// Writes the trace in the format that the path's suffix says.
TraceSums write_trace(const std::string& path, const TraceOptions& options);

}  // namespace gvp::test
