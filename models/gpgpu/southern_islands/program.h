// SPDX-License-Identifier: Apache-2.0
// Code prepared for execution: each word decoded once, as if an instruction began there, with the
// function that executes it.  What is no instruction becomes one that faults, so that words which
// are never reached do no harm.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/gpgpu/southern_islands/instruction.h"
#include "models/gpgpu/southern_islands/wavefront.h"

namespace gvp::gpgpu::southern_islands {

struct Op;
// Does what the instruction does; Wavefront::pc already is the next instruction.
using Execute = void (*)(Machine&, Wavefront&, const Op&);

struct Op {
  Execute execute = nullptr;
  Instruction instruction;
  uint32_t pc = 0;
  uint32_t next_pc = 0;
  unsigned vector_registers = 0;  // the highest it names, plus one
};

// What a device does differently: the function of an instruction there, null where it is the usual.
using Deviation = Execute (*)(const Instruction&);

class Program {
 public:
  Program() = default;
  Program(const uint32_t* words, std::size_t count, Deviation deviation = nullptr);

  // Where an address is outside of the code or no multiple of 4, an op that faults.
  const Op& at(uint32_t pc) const {
    return pc % 4 == 0 && pc / 4 < ops_.size() ? ops_[pc / 4] : outside_;
  }

  // What the device has no unit for faults when it is executed.
  void keep_only(const std::function<bool(const Instruction&)>& allowed);

 private:
  std::vector<Op> ops_;
  Op outside_ = outside();
  static Op outside();
};

// Executes one instruction of a wavefront that has not stopped; returns it.
const Op& step(Machine& machine, Wavefront& wavefront, const Program& program);
// Executes until the wavefront stops, or `most` instructions; returns how many.
uint64_t run(Machine& machine, Wavefront& wavefront, const Program& program, uint64_t most);

}  // namespace gvp::gpgpu::southern_islands
