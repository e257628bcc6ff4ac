// SPDX-License-Identifier: Apache-2.0
// Where virtual registers are written, read and live: what the passes over machine code ask for.
// A snapshot; passes that change code make a new one.
#pragma once

#include <optional>
#include <vector>

#include "tools/compiler/dominators.h"
#include "tools/compiler/liveness.h"
#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

struct Place {
  uint32_t block;
  uint32_t index;  // of the instruction; the branch of a block comes after all of them
};

class Definitions {
 public:
  explicit Definitions(const Kernel& kernel);

  // The only definition of v, if there is one and it is unguarded.
  std::optional<Place> only(uint32_t v) const;
  const std::vector<Place>& uses(uint32_t v) const { return uses_[v]; }
  uint32_t count(uint32_t v) const { return counts_[v]; }
  // Every way to `later` passes `earlier` first.
  bool dominates(const Place& earlier, const Place& later) const;
  // v has one definition, and it comes before all of its uses.
  bool is_static_single(uint32_t v) const { return single_[v]; }

 private:
  compiler::DominatorTree tree_;
  std::vector<Place> first_;
  std::vector<bool> guarded_;
  std::vector<uint32_t> counts_;
  std::vector<std::vector<Place>> uses_;
  std::vector<bool> single_;
};

compiler::Liveness live_registers(const Kernel& kernel, const compiler::Graph& graph);
// Takes one instruction back: from what is live after it to what is live before it.
void step_back(const Instruction& instruction, compiler::BitSet& live);

}  // namespace gvp::kcc::g80
