// SPDX-License-Identifier: Apache-2.0
// Where the guest spends its time: samples of the call stack at regular intervals of simulated
// cycles, so that two runs give the same profile.
//
// GCC's MicroBlaze code has no frame pointers.  The stack is unwound by reading each function's
// prologue: "addik r1, r1, -N" makes the frame, "swi r15, r1, K" saves the return address; a sample
// within the prologue sees that it has not happened yet.  Frames of hand-written assembly that does
// neither end the walk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "models/host/state.h"
#include "models/host/symbols.h"

namespace gvp::host {

class Profiler {
 public:
  // read: a word of memory at a program address; false where there is none.
  using ReadWord = std::function<bool(uint32_t address, uint32_t& word)>;
  Profiler(Symbols symbols, ReadWord read) : symbols_(std::move(symbols)), read_(std::move(read)) {}

  // cycles: what this sample stands for.
  void sample(const State& state, uint64_t cycles);

  // One line a stack, outermost function first: "main;draw;line 1234" (flame graph input).
  void write_folded(std::ostream& stream) const;
  // Cycles of each function itself and with what it calls, most expensive first.
  void write_table(std::ostream& stream) const;
  uint64_t samples() const { return samples_; }

 private:
  struct Prologue {
    uint32_t frame = 0;  // bytes; 0: none made before pc
    bool saves_link = false;
    uint32_t link_offset = 0;
  };
  std::vector<std::string> stack(const State& state) const;
  Prologue read_prologue(uint32_t start, uint32_t pc) const;
  std::string name(uint32_t pc, uint32_t& start) const;

  Symbols symbols_;
  ReadWord read_;
  std::map<std::vector<std::string>, uint64_t> cycles_;  // by stack, innermost first
  uint64_t samples_ = 0;
};

}  // namespace gvp::host
