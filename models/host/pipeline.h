// SPDX-License-Identifier: Apache-2.0
// When each instruction executes: the 3-stage and the 5-stage pipeline of UG984, chapter 2,
// "Pipeline Architecture", as a scoreboard.  Instructions are told in program order, with the cycle
// in which their word arrived; what comes out is the cycle in which each enters execution, and how
// many cycles were lost to what.  Nothing is simulated clock by clock, and nothing here knows of
// SystemC or of a bus.
//
// An instruction enters execution when the one before has left, when its word has been decoded, and
// when its operands are there:
//   latency   cycles in execution (table in isa.cpp, from the instruction pages of UG984; divisions
//             by zero, which take one, are the caller's)
//   results   3 stages: no data hazards ("Three Stage Pipeline").  5 stages ("Five Stage
//   Pipeline"):
//             those of loads, multiplications and floating point are there two cycles late
//             ("Pipeline Hazard Example"), so that the next instruction waits 2 cycles for one and
//             the next but one waits 1; those of barrel shifts and divisions one cycle late.
//             Assumed: everything else (mfs, get, carry) is forwarded without a wait.
//   branches  a taken branch empties fetch and decode ("Branches"): the instruction at the target
//             executes 3 cycles after the branch at the earliest, whether the slot between is used
//             or not.  Interrupts replace the decoded instruction by such a branch ("Interrupt").
//             Assumed: exceptions cost the same.
//   memory    a load or store takes one more cycle for each cycle that its access takes longer than
//             the local memory's one.
#pragma once

#include <array>
#include <cstdint>

#include "models/host/configuration.h"
#include "models/host/decoder.h"

namespace gvp::host {

// Why a cycle passed in which no instruction entered execution.
enum class Stall : uint8_t {
  kFetch,          // the word had not arrived: bus, instruction cache miss
  kData,           // a load or store beyond the local memory: bus, data cache miss
  kBranch,         // refilling the pipeline after a taken branch
  kLoadUse,        // operand of an instruction that follows its load too closely
  kLoadStore,      // further cycles of loads and stores (3-stage pipeline)
  kMultiply,       // further cycles and results of multiplications
  kShift,          // of barrel shifts
  kDivide,         // of divisions
  kFloatingPoint,  // of floating-point instructions
  kSystem,         // further cycles of cache instructions, barriers, streams
  kException,      // instructions that raised one, and going to its vector
  kInterrupt,      // going to the interrupt vector
  kCount
};
inline constexpr size_t kStalls = static_cast<size_t>(Stall::kCount);
const char* to_key(Stall stall);  // as in the statistics

// What the pipeline must know about an instruction word.
struct InstructionTiming {
  uint32_t word = 0;
  uint32_t sources = 0;          // bit n: reads register n; r0 is no source
  uint8_t destination = 0;       // 0: none
  uint8_t latency = 1;           // cycles
  uint8_t late = 0;              // cycles from the end of execution to the result
  Stall cause = Stall::kSystem;  // what latency and result are charged to
  bool is_imm = false;
  bool is_branch = false;  // other than mbar
  bool always_taken = false;
  bool has_slot = false;
  bool is_barrier = false;
};
InstructionTiming timing_of(const Instruction& instruction, const Configuration& configuration);

class Pipeline {
 public:
  // From a branch entering execution to its target doing so, and to the request for the target.
  static constexpr uint64_t kRefill = 3;
  static constexpr uint64_t kRequest = 1;

  explicit Pipeline(const Configuration& configuration) : configuration_(configuration) {}

  // Remembers what it has worked out.
  const InstructionTiming& timing(uint32_t word) {
    InstructionTiming& entry = known_[(word ^ word >> 10 ^ word >> 20) % kKnown];
    if (entry.word != word) entry = timing_of(decode(word), configuration_);
    return entry;
  }

  // The next instruction.  fetched: the first cycle in which it could execute as far as its word is
  // concerned (arrival and one cycle of decoding).  Returns the cycle in which it executes.
  uint64_t issue(const InstructionTiming& instruction, uint64_t fetched);
  // The access of the last instruction took this many cycles longer than the local memory's.
  void wait_for_data(uint64_t cycles);
  // The instruction that executed in cycle `at` sends the pipeline elsewhere.
  void refill(uint64_t at, Stall cause) {
    refilled_ = at + kRefill;
    refill_cause_ = cause;
  }
  // No instruction enters execution before this cycle.
  void stall_until(uint64_t cycle, Stall cause) {
    if (cycle <= next_) return;
    charge(cause, cycle - next_);
    next_ = cycle;
  }
  void charge(Stall cause, uint64_t cycles) { stalls_[static_cast<size_t>(cause)] += cycles; }
  // Time without work (sleep, idle loop): charged to nothing.
  void idle_until(uint64_t cycle) {
    if (cycle <= next_) return;
    idle_ += cycle - next_;
    next_ = cycle;
  }

  uint64_t next() const { return next_; }  // first cycle free for the next instruction
  uint64_t idle() const { return idle_; }
  const std::array<uint64_t, kStalls>& stalls() const { return stalls_; }

 private:
  static constexpr size_t kKnown = 4096;

  const Configuration& configuration_;
  uint64_t next_ = 0;
  uint64_t refilled_ = kRefill - kRequest;  // until here a missing word is the branch's fault
  Stall refill_cause_ = Stall::kBranch;
  uint8_t last_destination_ = 0;
  std::array<uint64_t, 32> ready_{};  // first cycle in which a reader may execute
  std::array<Stall, 32> producer_{};
  uint64_t idle_ = 0;
  std::array<uint64_t, kStalls> stalls_{};
  std::array<InstructionTiming, kKnown> known_{};
};

}  // namespace gvp::host
