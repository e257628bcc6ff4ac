// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

bool is_empty(const Block& block) { return block.code.empty() && !block.branches && !block.join; }

// Where a jump to `block` ends up.  Blocks that only end the thread stay the one place where
// threads meet, unless there are barriers: then threads that leave early must not be waited for.
uint32_t destination(const Kernel& kernel, uint32_t block) {
  for (size_t steps = 0; steps < kernel.blocks.size() && block != kNoRegister; ++steps) {
    const Block& candidate = kernel.blocks[block];
    if (!is_empty(candidate)) return block;
    if (candidate.next == kNoRegister && kernel.barriers == 0) return block;
    block = candidate.next;
  }
  return block;  // the end, or an empty endless loop
}

void thread_jumps(Kernel& kernel) {
  for (Block& block : kernel.blocks) {
    if (block.next != kNoRegister) block.next = destination(kernel, block.next);
    if (block.branches && block.target != kNoRegister) {
      block.target = destination(kernel, block.target);
    }
    if (block.branches && block.target == block.next) {
      block.branches = false;
      block.guard = {};
      block.target = kNoRegister;
    }
  }
}

// All ends of threads in one block, so that it post-dominates.
void unify_ends(Kernel& kernel) {
  if (kernel.barriers != 0) return;
  uint32_t end = kNoRegister;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    if (is_empty(kernel.blocks[b]) && kernel.blocks[b].next == kNoRegister && b != 0) {
      if (end == kNoRegister) end = b;
      for (Block& block : kernel.blocks) {
        if (block.next == b) block.next = end;
        if (block.branches && block.target == b) block.target = end;
      }
    }
  }
}

void merge_chains(Kernel& kernel) {
  std::vector<unsigned> entries(kernel.blocks.size(), 0);
  for (const Block& block : kernel.blocks) {
    if (block.next != kNoRegister) ++entries[block.next];
    if (block.branches && block.target != kNoRegister) ++entries[block.target];
  }
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    Block& block = kernel.blocks[b];
    while (!block.branches && block.next != kNoRegister && block.next != b &&
           entries[block.next] == 1) {
      const uint32_t merged = block.next;
      Block& other = kernel.blocks[merged];
      if (other.join || is_empty(other)) break;
      block.code.insert(block.code.end(), other.code.begin(), other.code.end());
      block.guard = other.guard;
      block.branches = other.branches;
      block.target = other.target;
      block.next = other.next;
      block.source = other.source;
      other = Block();
      other.next = merged;  // unreachable from here on
      entries[merged] = 0;
    }
  }
}

}  // namespace

void remove_unreachable(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  std::vector<bool> reached = compiler::reachable_without(graph, 0, compiler::kNoNode);
  reached[0] = true;
  std::vector<uint32_t> number(kernel.blocks.size(), kNoRegister);
  std::vector<Block> kept;
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    if (!reached[b]) continue;
    number[b] = static_cast<uint32_t>(kept.size());
    kept.push_back(std::move(kernel.blocks[b]));
  }
  for (Block& block : kept) {
    if (block.next != kNoRegister) block.next = number[block.next];
    if (block.branches && block.target != kNoRegister) block.target = number[block.target];
  }
  kernel.blocks = std::move(kept);
}

void simplify_flow(Kernel& kernel) {
  thread_jumps(kernel);
  unify_ends(kernel);
  remove_unreachable(kernel);
  merge_chains(kernel);
  remove_unreachable(kernel);
}

}  // namespace gvp::kcc::g80
