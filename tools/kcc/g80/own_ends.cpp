// SPDX-License-Identifier: Apache-2.0
// In kernels with barriers, or votes, threads that end are not waited for:
//
//   if (t & 1) {
//     if (a) { out[t] = 0; return; }
//     ...
//   }
//   barrier();
//
// The others of a warp meet behind the branch all the same, as long as no way to the end leads past
// that place that they may take, too.  LLVM puts ends together: the two stores to `out` of a kernel
// that ends with one are one, at which threads that end would wait for those that come from the
// barrier, and store too late for them.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "models/gpgpu/g80/operations.h"
#include "tools/compiler/reconvergence.h"
#include "tools/compiler/ways_to_end.h"
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

using compiler::Region;
using isa::Operation;

// What others of the warp may have left in shared memory just before.
bool loads_shared(const Instruction& instruction) {
  return std::any_of(std::begin(instruction.sources), std::end(instruction.sources),
                     [](const Operand& source) {
                       return source.kind == Operand::Kind::kShared && !source.invariant;
                     });
}

// Barriers count warps, and votes the threads of one.
bool has_barrier(const Kernel& kernel, const Block& block) {
  return std::any_of(block.code.begin(), block.code.end(), [&](const Instruction& instruction) {
    return instruction.operation == Operation::kBarrier ||
           isa::info(instruction.operation).is(isa::Trait::kVotes) ||
           (is_call(instruction) && kernel.callees[instruction.callee].barriers != 0);
  });
}

// In kernels with volatile memory or fences, threads of a warp exchange values without either.
bool may_exchange(const Kernel& kernel, const Block& block) {
  return kernel.ordered_loads && std::any_of(block.code.begin(), block.code.end(), loads_shared);
}

template <typename Is>
std::vector<bool> blocks_before(const compiler::Graph& graph, Is is) {
  std::vector<bool> result(graph.size(), false);
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < graph.size(); ++b)
    if (is(b)) work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    if (result[b]) continue;
    result[b] = true;
    work.insert(work.end(), graph.predecessors[b].begin(), graph.predecessors[b].end());
  }
  return result;
}

// A copy of what lies behind an edge, for this edge alone.
void copy_end(Kernel& kernel, const compiler::Graph& graph, uint32_t from, uint32_t to) {
  std::vector<bool> behind = compiler::reachable_without(graph, to, compiler::kNoNode);
  behind[to] = true;
  std::map<uint32_t, uint32_t> copies{{kNoRegister, kNoRegister}};
  std::vector<Block> blocks;
  for (uint32_t b = 0; b < graph.size(); ++b) {
    if (!behind[b]) continue;
    copies.emplace(b, graph.size() + static_cast<uint32_t>(blocks.size()));
    blocks.push_back(kernel.blocks[b]);
  }
  for (Block& block : blocks) {
    block.next = copies.at(block.next);
    if (block.branches) block.target = copies.at(block.target);
    kernel.blocks.push_back(std::move(block));
  }
  Block& leaving = kernel.blocks[from];
  if (leaving.next == to) leaving.next = copies.at(to);
  if (leaving.branches && leaving.target == to) leaving.target = copies.at(to);
}

// What nobody comes to any more after that is no way to anything.
void empty_unreachable(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  const std::vector<bool> reached = compiler::reachable_without(graph, 0, compiler::kNoNode);
  for (uint32_t b = 1; b < graph.size(); ++b)
    if (!reached[b]) kernel.blocks[b] = Block();
}

// Branches that take threads apart which meet again before they come to a barrier.
size_t count_joined(const Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  const compiler::Meets meets = before_barriers(kernel, graph);
  const std::vector<bool> divergent = divergent_branches(kernel, graph);
  std::vector<bool> joined(graph.size(), false);
  for (const Region& region : compiler::reconvergence_regions(graph, divergent, meets)) {
    for (uint32_t b = 0; meets.places[region.join] && b < graph.size(); ++b)
      joined[b] = joined[b] || (divergent[b] && (region.members[b] || region.header == b));
  }
  return static_cast<size_t>(std::count(joined.begin(), joined.end(), true));
}

}  // namespace

compiler::Meets before_barriers(const Kernel& kernel, const compiler::Graph& graph) {
  compiler::Meets result;
  const auto barrier = [&](uint32_t b) { return has_barrier(kernel, kernel.blocks[b]); };
  result.places = blocks_before(
      graph, [&](uint32_t b) { return barrier(b) || may_exchange(kernel, kernel.blocks[b]); });
  if (kernel.ordered_loads) result.barriers = blocks_before(graph, barrier);
  return result;
}

bool access_memory_from(const Kernel& kernel, const compiler::Graph& graph, uint32_t block) {
  std::vector<bool> behind = compiler::reachable_without(graph, block, compiler::kNoNode);
  behind[block] = true;
  for (uint32_t b = 0; b < graph.size(); ++b) {
    const std::vector<Instruction>& code = kernel.blocks[b].code;
    if (behind[b] && std::any_of(code.begin(), code.end(), [](const Instruction& instruction) {
          return is_store(instruction) || reads_variable_memory(instruction) ||
                 is_call(instruction);
        }))
      return true;
  }
  return false;
}

namespace {

// With a copy for each of these ways to an end that others come to as well; nothing if there is
// none that `wanted` wants.
template <typename Wanted>
std::optional<Kernel> with_own_ends(const Kernel& kernel, Wanted wanted) {
  compiler::Graph graph = graph_of(kernel);
  std::optional<Kernel> changed;
  const std::vector<bool> divergent = divergent_branches(kernel, graph);
  for (const auto& [from, to] :
       compiler::ways_to_end(graph, before_barriers(kernel, graph), divergent)) {
    if (compiler::is_own_end(graph, from, to)) continue;
    if (!wanted(changed ? *changed : kernel, graph, divergent[from], to)) continue;
    if (!changed) changed = kernel;
    copy_end(*changed, graph, from, to);
    empty_unreachable(*changed);
    graph = graph_of(*changed);
  }
  if (changed) remove_unreachable(*changed);
  return changed;
}

}  // namespace

void give_own_ends(Kernel& kernel) {
  const auto accesses = [](const Kernel& now, const compiler::Graph& graph, bool divergent,
                           uint32_t to) { return divergent && access_memory_from(now, graph, to); };
  if (auto in_time = with_own_ends(kernel, accesses)) kernel = std::move(*in_time);
  const auto all = [](const Kernel&, const compiler::Graph&, bool, uint32_t) { return true; };
  auto joined = with_own_ends(kernel, all);
  if (joined && count_joined(*joined) > count_joined(kernel)) kernel = std::move(*joined);
}

}  // namespace gvp::kcc::g80
