// SPDX-License-Identifier: Apache-2.0
// What is the same of a launch on every device: its counters, how it ended, and the words for that.
// No SystemC.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/gpgpu/fault.h"
#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu {

// What happened so far; readable at any time while a kernel runs.
struct Counters {
  uint64_t cycles = 0;  // from start to done
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
  uint64_t stall_cycles = 0;  // in which an SM had blocks and issued nothing, summed over SMs
  uint64_t divergent_branches = 0;
  uint64_t max_stack_depth = 0;
  uint64_t blocks_done = 0;
};

struct Ending {
  FaultCause cause = FaultCause::kNone;  // kNone: done
  Fault fault;                           // where, for causes of a running kernel
  uint32_t sm = 0;
  uint32_t warp_slot = 0;  // in the SM
  uint32_t block_slot = 0;
  simt::BlockIndex block;
  uint64_t cycles = 0;  // that the launch took; 0 where it was refused
};

// What only the device can say about an ending; asked for what the message needs.
struct EndingTexts {
  std::function<std::string()> refusal;  // what the launch asked for and the device has
  std::function<std::string()> place;    // the instruction, the block, the thread
  std::function<std::string()> illegal;  // why the words at the place are no instruction
};
// "stopped: bus error, address 0x90000000; PLACE", for an ending with a cause.
std::string describe(const Ending& ending, const EndingTexts& texts);

}  // namespace gvp::gpgpu
