// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <vector>

#include "tools/kcc/g80/branch_costs.h"
#include "tools/kcc/g80/definitions.h"
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

// Longer ones never pay, and it takes time to ask.
constexpr size_t kLongestArm = 5;

class BranchConversion {
 public:
  explicit BranchConversion(Kernel& kernel) : kernel_(kernel), graph_(graph_of(kernel)) {}

  bool run() {
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      if (convert(b)) return true;  // the snapshot is stale now
    }
    return false;
  }

 private:
  bool convert(uint32_t b) {
    Block& block = kernel_.blocks[b];
    if (!block.branches || block.target == kNoRegister || block.next == kNoRegister) return false;
    const uint32_t taken = block.target;
    const uint32_t other = block.next;
    const bool one = is_arm(b, taken);
    const bool two = is_arm(b, other);
    if (!one && !two) return false;
    if (!is_divergent(b)) return false;  // all threads skip what they do not take
    if (two && kernel_.blocks[other].next == taken && pays(b, {other})) {
      append(b, other, block.guard.negated(), live_in(taken));
      return finish(b, taken);
    }
    if (one && kernel_.blocks[taken].next == other && pays(b, {taken})) {
      append(b, taken, block.guard, live_in(other));
      return finish(b, other);
    }
    if (!one || !two) return false;
    const uint32_t join = kernel_.blocks[taken].next;
    if (join != kernel_.blocks[other].next || join == kNoRegister || !pays(b, {taken, other}))
      return false;
    append(b, taken, block.guard, live_in(other));
    append(b, other, kernel_.blocks[b].guard.negated(), live_in(join));
    return finish(b, join);
  }

  // Few rounds need them all, and the last ones none.
  bool is_divergent(uint32_t b) {
    if (!divergent_) divergent_ = divergent_branches(kernel_, graph_);
    return (*divergent_)[b];
  }
  const compiler::BitSet& live_in(uint32_t b) {
    if (!live_) live_ = live_registers(kernel_, graph_);
    return live_->in[b];
  }
  bool is_data(uint32_t v) {
    if (!data_) data_ = registers_with_data(kernel_);
    return (*data_)[v];
  }

  bool pays(uint32_t branch, const std::vector<uint32_t>& arms) {
    std::vector<const Block*> blocks;
    blocks.reserve(arms.size());
    for (const uint32_t arm : arms) blocks.push_back(&kernel_.blocks[arm]);
    return predicates_pay(blocks, is_data(kernel_.blocks[branch].guard.condition));
  }

  bool is_arm(uint32_t branch, uint32_t arm) const {
    const Block& block = kernel_.blocks[arm];
    if (arm == branch || arm == 0 || block.branches || graph_.predecessors[arm].size() != 1) {
      return false;
    }
    if (block.code.size() > kLongestArm) return false;
    const uint32_t condition = kernel_.blocks[branch].guard.condition;
    return std::all_of(block.code.begin(), block.code.end(), [&](const Instruction& i) {
      return !i.guard.exists() && i.flags != condition && i.operation != Operation::kBarrier &&
             !is_call(i) &&
             !(i.operation == Operation::kAdd && i.combine == isa::Combine::kAddCarry);
    });
  }

  // needed: what is read afterwards by threads that do not execute the arm.
  void append(uint32_t b, uint32_t arm, const Guard& guard, const compiler::BitSet& needed) {
    for (Instruction instruction : kernel_.blocks[arm].code) {
      instruction.guard = guard;
      bool kept = false;
      for_each_definition(instruction, [&](uint32_t v) { kept |= needed.contains(v); });
      instruction.overwrites = !kept;
      kernel_.blocks[b].code.push_back(instruction);
    }
    kernel_.blocks[arm].code.clear();
  }

  bool finish(uint32_t b, uint32_t next) {
    Block& block = kernel_.blocks[b];
    block.branches = false;
    block.guard = {};
    block.target = kNoRegister;
    block.next = next;
    return true;
  }

  Kernel& kernel_;
  compiler::Graph graph_;
  std::optional<compiler::Liveness> live_;
  std::optional<std::vector<bool>> divergent_;
  std::optional<std::vector<bool>> data_;
};

}  // namespace

void convert_branches(Kernel& kernel) {
  while (BranchConversion(kernel).run()) simplify_flow(kernel);
}

}  // namespace gvp::kcc::g80
