// SPDX-License-Identifier: Apache-2.0
// A kernel prepared for execution: every instruction that can be reached from address 0 is
// decoded once and turned into one Op, a flat record of the function to call, the rows to work
// on and the ops that may follow.  Executing then needs no decoding, no look-up and no test of
// operand kinds.  What cannot be executed becomes an op that faults, so that code which is never
// reached does no harm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/machine.h"

namespace gvp::gpgpu::g80 {

constexpr uint32_t kNoAddress = ~0u;  // of the op for addresses that no code was found at

struct Op;
class Program;
// What an instruction does in the given lanes.  Faults go to warp.fault.
using Operate = void (*)(Machine&, Warp&, const Op&, simt::Mask);
// What a control instruction does: the op to go on with, or nullptr to stop (see semantics.h).
using Control = const Op* (*)(Machine&, Warp&, const Op&, simt::Mask);
// Brings an operand that is no plain register into its operand row.
struct Load;
using Fetch = void (*)(Machine&, Warp&, const Op&, const Load&, simt::Mask);

// The s[], c[], l[] or g[] location of an operand.
struct Location {
  uint32_t offset = 0;     // added to the address register
  uint32_t bank_base = 0;  // c[]: where the bank begins
  uint32_t limit = 0;      // c[]: bytes in the bank
  uint16_t address_row = kZeroRow;
  Type access = Type::kNone;
  bool uniform = true;  // the same address in all lanes
};

struct Load {
  Fetch fetch = nullptr;
  Location location;
  uint32_t value = 0;       // immediate
  uint16_t row = kSinkRow;  // where to
  uint16_t source = kZeroRow;
  uint8_t shift = 0;  // half registers: 0 or 16
  bool sign_extend = false;
};

// For timing models: in how many steps memory serves the lanes of an op, which have these byte
// addresses, where that is not one for each.
class LaneSteps {
 public:
  virtual ~LaneSteps() = default;
  virtual uint32_t steps(const Op& op, const simt::Lanes& addresses, simt::Mask lanes) const = 0;
};

struct Op {
  // What the loop in semantics.cpp looks at.
  Operate operate = nullptr;
  const Op* next = nullptr;
  const Op* target = nullptr;
  Control control = nullptr;
  uint32_t number = 0;  // in Program::ops()
  bool plain = false;   // unpredicated, no loads, no marker, no fault: operate and go on
  bool predicated = false;
  bool global = false;  // loads or stores g[]
  Marker marker = Marker::kNone;
  uint8_t load_count = 0;
  uint8_t condition = 0;          // $c read by predicate or ADDC
  uint16_t truth_table = 0xffff;  // of the predicate; bit v: result for flags v

  bool zero_and_sign_only = false;  // the truth table looks at no other flag

  // What operations look at.
  uint16_t destination = kSinkRow;
  uint16_t a = kZeroRow, b = kZeroRow, c = kZeroRow;
  uint16_t wide[4] = {kSinkRow, kSinkRow, kSinkRow, kSinkRow};  // of 64- and 128-bit accesses
  uint8_t shift_a = 0, shift_b = 0;          // of half registers in multiplications
  uint32_t xor_a = 0, xor_b = 0, xor_c = 0;  // negate (floats), complement (logic)
  uint32_t and_a = ~0u, and_b = ~0u;         // absolute (floats)
  uint32_t result_mask = ~0u;                // 16-bit operations: 0xffff
  uint32_t sign_bit = 0x80000000u;           // of the result
  uint32_t bias = 0;                         // signed comparisons: what makes them unsigned ones
  uint32_t immediate = 0;
  bool immediate_b = false;  // b is the immediate
  bool writes_condition = false;
  uint8_t condition_destination = 0;
  bool half_destination = false;  // 16 bits at half_shift of half_row
  uint8_t half_shift = 0;
  uint16_t half_row = kSinkRow;
  uint16_t increment_row = kSinkRow;  // post-increment: row of $a
  uint32_t increment = 0;
  Location memory;

  uint32_t pc = 0;
  uint32_t next_pc = 0;
  uint32_t target_pc = 0;
  FaultCause fault = FaultCause::kNone;
  Load loads[3];
  const Instruction* instruction = nullptr;  // never null
  const Program* program = nullptr;

  // Room for a timing model: filled in by it, summed by run().
  uint32_t cost = 0;                 // cycles of the slowest stage
  uint32_t latency = 0;              // cycles alone in the pipeline
  uint32_t cost_per_lane = 0;        // memory: more of both for each executing lane, or each step
  const LaneSteps* steps = nullptr;  // not the lanes are counted, but these
};

class Program {
 public:
  // Prepares the code for kernels of so many registers per thread.  The machine must outlive the
  // program, and its choices and banks must not change.
  Program(const uint32_t* words, size_t count, unsigned registers, const Machine& machine);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The op at an address; where there is none, an op that faults.
  const Op* at(uint32_t pc) const {
    return pc % 4 == 0 && pc / 4 < index_.size() ? &ops_[index_[pc / 4]] : outside(pc);
  }
  const Op* entry() const { return at(0); }
  unsigned registers() const { return registers_; }
  // The first address after the code.
  uint32_t end_pc() const;
  // Whether the constant banks are still those it was made for.
  bool made_for(const Machine& machine) const;
  // All ops in address order, for timing models that annotate them.
  std::vector<Op>& ops() { return ops_; }
  const std::vector<Op>& ops() const { return ops_; }

 private:
  const Op* outside(uint32_t pc) const;

  std::vector<Instruction> instructions_;
  std::vector<Op> ops_;          // the last one is "outside of the code"
  std::vector<uint32_t> index_;  // by pc / 4
  unsigned registers_;
  std::array<Machine::Bank, 16> banks_;
};

}  // namespace gvp::gpgpu::g80
