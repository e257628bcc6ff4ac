// SPDX-License-Identifier: Apache-2.0
// Where the guest spends its time: samples of the call stack (unwinder.h) at regular intervals of
// simulated cycles, so that two runs give the same profile.  Nothing is done between samples.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "models/host/state.h"
#include "models/host/unwinder.h"

namespace gvp::host {

class Profiler {
 public:
  // read: a word of memory at a program address; false where there is none.
  Profiler(const Symbols& symbols, Unwinder::ReadWord read)
      : symbols_(symbols), unwinder_(symbols, std::move(read)) {}

  // cycles: what this sample stands for.
  void sample(const State& state, uint64_t cycles);

  // One line a stack, outermost function first: "main;draw;line 1234" (flame graph input).
  void write_folded(std::ostream& stream) const;
  // Cycles of each function itself and with what it calls, most expensive first.
  void write_table(std::ostream& stream) const;
  uint64_t samples() const { return samples_; }

 private:
  std::string name(uint32_t start) const;

  Symbols symbols_;
  Unwinder unwinder_;
  std::vector<uint32_t> stack_;                       // where its functions begin
  std::map<std::vector<uint32_t>, uint64_t> cycles_;  // by stack, innermost first
  uint64_t samples_ = 0;
};

}  // namespace gvp::host
