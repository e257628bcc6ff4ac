// SPDX-License-Identifier: Apache-2.0
// Random programs in CUDA C that are defined: they end, leave no buffer, overflow no signed number,
// convert no float that does not fit and have no race, so that the host's compiler must agree with
// ours about every bit of their results.  Their warps exchange values through shared memory between
// barriers, in loops and branches that all threads take; what else they do diverges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::kcc {

// A statement with what it contains, or a part of one.
struct Statement {
  std::string head;
  std::vector<Statement> body;
  std::string tail;
  bool fixed = false;  // the program is not defined without it
};

// A texture reference of the program's, and what a driver writes to it.
struct Texture {
  std::string name;
  std::vector<uint32_t> descriptor;
};

struct RandomProgram {
  uint32_t seed = 0;
  std::string before;  // types, variables and functions
  std::vector<Statement> statements;
  std::string after;

  uint32_t grid = 1;
  uint32_t threads = 1;              // of a block
  uint32_t columns = 1;              // of a block, a divisor of its threads
  uint32_t dynamic_shared = 0;       // bytes
  std::vector<uint32_t> parameters;  // pointers as offsets into `memory`
  std::vector<uint8_t> memory;       // before the kernel
  uint32_t compared = 0;             // bytes from the begin; behind them is padding of structures
  std::vector<Texture> textures;
  std::string call;  // the kernel with `memory` of the host as arguments

  std::string kernel() const { return "k" + std::to_string(seed); }
  std::string text() const;
};

// The same seed gives the same program.
RandomProgram random_program(uint32_t seed);

// All that is left of a program when one of its statements is left out, largest first.
std::vector<RandomProgram> with_one_less(const RandomProgram& program);

}  // namespace gvp::kcc
