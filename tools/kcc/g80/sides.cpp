// SPDX-License-Identifier: Apache-2.0
// A warp that branches both ways takes the branch first and puts the other side on its stack. Where
// the side that goes first comes round to the branch again, as at the end of a loop, more threads
// may leave there, and so on: each time an entry stays, of which 32 threads make 31.  Threads that
// leave go first instead, as far as the join, which takes their entry from the stack at once.
//
// Threads that end while others go on to a barrier are not waited for there; they go first, too, if
// they access memory until then, which they are to do before others pass the barrier.
#include <algorithm>
#include <vector>

#include "tools/kcc/g80/calls.h"
#include "tools/kcc/g80/flow.h"
#include "tools/kcc/g80/sm_limits.h"

namespace gvp::kcc::g80 {
namespace {

// Sides of branches that threads leave one by one.
constexpr uint32_t kMostSides = 31;

class Sides {
 public:
  explicit Sides(Kernel& kernel)
      : kernel_(kernel), regions_(kernel.blocks.size()), calls_(kernel.blocks.size()) {
    count_regions();
    for (size_t b = 0; b < kernel_.blocks.size(); ++b) {
      for (const Instruction& instruction : kernel_.blocks[b].code)
        if (is_call(instruction))
          calls_[b] = std::max(calls_[b], entries_of_call(kernel_, instruction));
    }
  }

  // meets: blocks from which threads come to a barrier
  void run(const compiler::Graph& graph, const std::vector<bool>& divergent,
           const std::vector<bool>& meets) {
    const auto ends = [&](uint32_t side) {
      return side != kNoRegister && !meets[side] && !kernel_.blocks[side].join &&
             access_memory_from(kernel_, graph, side);
    };
    const auto goes_on = [&](uint32_t side) { return side != kNoRegister && meets[side]; };
    for (uint32_t b = 0; b < kernel_.blocks.size(); ++b) {
      Block& block = kernel_.blocks[b];
      if (!block.branches || !divergent[b]) continue;
      if ((ends(block.target) && goes_on(block.next)) ||
          (ends(block.next) && goes_on(block.target))) {
        go_first(block, goes_on(block.next) ? block.target : block.next);
        continue;
      }
      const Way target = way(block.target, b);
      const Way next = way(block.next, b);
      if (target.comes_round == next.comes_round) continue;
      const Way& round = target.comes_round ? target : next;
      // Of a function nobody knows how much is on the stack when it is called.
      if (!kernel_.function && round.entries + kMostSides <= kUsualStackEntries) continue;
      go_first(block, target.comes_round ? block.next : block.target);
    }
  }

 private:
  static void go_first(Block& block, uint32_t side) {
    if (side != block.target) {
      std::swap(block.target, block.next);
      block.guard = block.guard.negated();
    }
    block.target_first = true;
  }

  // Regions that are open behind the begin of each block.
  void count_regions() {
    std::vector<bool> seen(kernel_.blocks.size());
    std::vector<std::pair<uint32_t, uint32_t>> work{{0, 0}};
    seen[0] = true;
    while (!work.empty()) {
      const auto [b, before] = work.back();
      work.pop_back();
      const Block& block = kernel_.blocks[b];
      const uint32_t begin = before - (block.join && before > 0 ? 1 : 0);
      regions_[b] = begin;
      const uint32_t end = begin + pushes(block);
      for (const uint32_t next : {block.next, block.branches ? block.target : kNoRegister}) {
        if (next == kNoRegister || seen[next]) continue;
        seen[next] = true;
        work.emplace_back(next, end);
      }
    }
  }

  static uint32_t pushes(const Block& block) {
    return static_cast<uint32_t>(
        std::count_if(block.code.begin(), block.code.end(), [](const Instruction& instruction) {
          return instruction.operation == isa::Operation::kSetSync;
        }));
  }

  struct Way {
    bool comes_round = false;
    uint32_t entries = 0;  // of the stack, at most, but for sides of branches
  };

  // From a side of a branch to that branch again, in the branch's region.
  Way way(uint32_t side, uint32_t branch) const {
    Way result;
    const uint32_t open = regions_[branch] + pushes(kernel_.blocks[branch]);
    std::vector<bool> seen(kernel_.blocks.size());
    std::vector<uint32_t> work{side};
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      if (b == kNoRegister || seen[b] || regions_[b] < open) continue;
      seen[b] = true;
      const Block& block = kernel_.blocks[b];
      result.entries = std::max(result.entries, regions_[b] + pushes(block) + calls_[b]);
      if (b == branch) {
        result.comes_round = true;
        continue;
      }
      work.push_back(block.next);
      if (block.branches) work.push_back(block.target);
    }
    return result;
  }

  Kernel& kernel_;
  std::vector<uint32_t> regions_;
  std::vector<uint32_t> calls_;  // entries of the stack that calls in a block take
};

}  // namespace

void let_leaving_threads_go_first(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  Sides(kernel).run(graph, divergent_branches(kernel, graph),
                    before_barriers(kernel, graph).places);
}

}  // namespace gvp::kcc::g80
