// SPDX-License-Identifier: Apache-2.0
// The state of a wavefront as the reference changes it, arithmetic instruction by instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/wavefront.h"
#include "tests/models/gpgpu/southern_islands/random_instruction.h"

namespace gvp::gpgpu::southern_islands {

struct State {
  std::vector<Lanes> vector = std::vector<Lanes>(256);
  Wavefront wavefront;
};

// Numbers of all kinds, special ones among them.
uint32_t random_word(RandomInstructions& random);
void randomise(State& state, RandomInstructions& random);
// What an operand holds in a lane, modifiers applied.
uint64_t operand_of(const State& state, const Instruction& instruction, unsigned i, Type type,
                    unsigned lane);
// The state after an instruction that has come upon `before`; false: the reference does not know
// it.
bool apply(State& state, const State& before, const Instruction& instruction);
// The first register that differs; "": none.
std::string difference(const State& is, const State& should);

}  // namespace gvp::gpgpu::southern_islands
