// SPDX-License-Identifier: Apache-2.0
// Register allocation by colouring the interference graph (Chaitin and Briggs: coalescing, then
// optimistic simplification).  Knows variables and colours only: what a variable is, how it is
// spilled and which instruction set there is are the caller's business.  All variables of one
// call compete for the same kind of register, one register each.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gvp::compiler {

inline constexpr uint32_t kNoColour = ~uint32_t{0};

// Takes memory by its edges: large kernels have many variables of which few live at a time.
class InterferenceGraph {
 public:
  explicit InterferenceGraph(uint32_t variables) : adjacent_(variables) {}

  uint32_t size() const { return static_cast<uint32_t>(adjacent_.size()); }
  void add(uint32_t a, uint32_t b);
  // In the order of addition; those that were added several times are there several times.
  const std::vector<uint32_t>& neighbours(uint32_t a) const { return adjacent_[a]; }

 private:
  std::vector<std::vector<uint32_t>> adjacent_;
};

struct Move {
  uint32_t to;
  uint32_t from;
  double weight;  // how often it runs
};

struct AllocationProblem {
  explicit AllocationProblem(uint32_t variables)
      : graph(variables), fixed(variables, kNoColour), spill_cost(variables, 0) {}

  InterferenceGraph graph;
  std::vector<uint32_t> fixed;     // colours that are given beforehand, or kNoColour
  std::vector<double> spill_cost;  // negative: must not be spilled
  std::vector<Move> moves;         // worth giving both ends the same colour
  uint32_t colours = 0;
};

struct Allocation {
  std::vector<uint32_t> colour;   // of each variable; kNoColour for those in spilled
  std::vector<uint32_t> spilled;  // no colour was left for these
  uint32_t colours_used = 0;      // highest colour + 1
};

Allocation allocate(const AllocationProblem& problem);

}  // namespace gvp::compiler
