// SPDX-License-Identifier: Apache-2.0
// From a processor state to the functions that are being called: call-frame information where the
// program has it (call_frames.h), its code otherwise (frame_analysis.h).
//
// The walk ends where nothing more is known: at the function where the program began, in code
// without symbols, or where what should be a return address does not lead behind a call.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "models/host/call_frames.h"
#include "models/host/frame_analysis.h"
#include "models/host/state.h"

namespace gvp::host {

class Unwinder {
 public:
  // A word of memory at a program address; false where there is none.
  using ReadWord = std::function<bool(uint32_t address, uint32_t& word)>;
  static constexpr size_t kMaxDepth = 256;

  Unwinder(const Symbols& symbols, ReadWord read);

  struct Frame {
    uint32_t pc = 0;     // the instruction at hand; of a caller, its call
    uint32_t start = 0;  // of the function, or pc where that is not known
  };
  // The innermost function first.  Valid until the next call.
  const std::vector<Frame>& walk(const State& state);

 private:
  struct Registers {
    std::array<uint32_t, 32> values{};
    uint32_t known = 0;  // bit n: register n
  };
  // What is known of an address; remembered.
  struct Place {
    uint32_t start = 0;
    bool has_function = false;
    bool is_call = false;
    FrameRule rule;
  };
  const Place& place_at(uint32_t pc, bool during_call);
  FrameRule rule_at(uint32_t pc, uint32_t start, bool during_call);
  bool step(const FrameRule& rule, Registers& registers, uint32_t& pc, bool& by_call);

  Symbols symbols_;
  ReadWord read_;
  CallFrames call_frames_;
  std::unordered_map<uint32_t, Place> places_;         // by pc, + 1 during a call
  std::unordered_map<uint32_t, FrameRules> analysed_;  // by function
  std::vector<Frame> frames_;
};

}  // namespace gvp::host
