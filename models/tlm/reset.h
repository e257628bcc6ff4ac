// SPDX-License-Identifier: Apache-2.0
// What has a reset line.  Power-on reset is construction; reset() is the line's active edge later,
// driven by the board or, through a register, by software.
//
// After it a block is as it was after construction, at the current simulated time: registers,
// state machines, FIFOs, outputs.  Memories keep their bytes, as block RAM and DRAM do, and inputs
// are what they are.  It is called between transactions, from a process or before the simulation.
// Not modelled: a reset that is held, which keeps a block from answering.
#pragma once

namespace gvp::kit {

class Resettable {
 public:
  virtual ~Resettable() = default;
  virtual void reset() = 0;
};

}  // namespace gvp::kit
