// SPDX-License-Identifier: Apache-2.0
// Where the effect of each configuration key shows: a tool, its options and a value of the key with
// which they give something else.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/end_to_end/keys/kernels.h"

namespace gvp::test {

using Options = std::vector<std::string>;
using Values = std::map<std::string, std::string>;  // by key

inline Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Where to look for the effect of a key.
struct Probe {
  std::string tool;
  Options options;
};

struct Row {
  std::string value;
  Probe probe;
};

class Probes : public std::map<std::string, Row> {
 public:
  void add(const Values& values, const Probe& probe) {
    for (const auto& [key, value] : values) (*this)[key] = {value, probe};
  }
};

// Three blocks at a time of a kernel, approximately timed.
Probe kernel(const std::string& path, const Options& more = {});
// The same with global memory on the bus.
Probe bus(const std::string& path, const Options& more = {});

// Adds the probes of the GPGPU itself, but for its timing; of its caches, network and ports; of the
// MicroBlaze; and of the board with its bus and DDR3.
void add_gpgpu(Probes& probes, const KeyKernels& kernels);
void add_hierarchy(Probes& probes, const KeyKernels& kernels);
void add_host(Probes& probes, const KeyKernels& kernels);
void add_board(Probes& probes, const KeyKernels& kernels);

}  // namespace gvp::test
