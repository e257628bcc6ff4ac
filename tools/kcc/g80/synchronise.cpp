// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "tools/compiler/divergence.h"
#include "tools/compiler/reconvergence.h"
#include "tools/kcc/g80/flow.h"

namespace gvp::kcc::g80 {
namespace {

using compiler::Region;
using isa::Operation;

class Synchronisation {
 public:
  Synchronisation(Kernel& kernel, std::vector<Region> regions)
      : kernel_(kernel),
        regions_(std::move(regions)),
        original_(static_cast<uint32_t>(kernel.blocks.size())) {}

  void run(const compiler::Graph& graph) {
    find_plain_joins(graph);
    for (uint32_t b = 0; b < original_; ++b) {
      if (kernel_.blocks[b].branches) redirect(b, true);
      redirect(b, false);
    }
    for (const Region& region : regions_) {
      if (!region.before_header) push(kernel_.blocks[region.header], region);
    }
    resolve_targets();
  }

 private:
  void resolve_targets() {
    for (Block& block : kernel_.blocks) {
      for (Instruction& instruction : block.code) {
        if (instruction.operation != Operation::kSetSync) continue;
        const auto found = join_block_.find(instruction.target);
        if (found != join_block_.end()) instruction.target = found->second;
      }
    }
  }

  // What happens on an edge: the join of regions that end there, pushes of those that begin.
  struct Edge {
    uint32_t to;
    bool joins;
    std::vector<uint32_t> pushes;
    bool operator<(const Edge& other) const {
      return std::tie(to, joins, pushes) < std::tie(other.to, other.joins, other.pushes);
    }
  };

  Edge edge(uint32_t from, uint32_t to) const {
    Edge result{to, false, {}};
    for (uint32_t i = 0; i < regions_.size(); ++i) {
      const Region& region = regions_[i];
      const bool inside = region.members[from] || region.header == from;
      if (region.join == to && inside) result.joins = true;
      if (region.before_header && region.header == to && !region.members[from]) {
        result.pushes.push_back(i);
      }
    }
    return result;
  }

  // Blocks that are entered from the inside of their regions only need no block of their own for
  // the join.
  void find_plain_joins(const compiler::Graph& graph) {
    for (uint32_t to = 0; to < original_; ++to) {
      const auto& from = graph.predecessors[to];
      const bool plain =
          !from.empty() && std::all_of(from.begin(), from.end(), [&](uint32_t predecessor) {
            const Edge e = edge(predecessor, to);
            return e.joins && e.pushes.empty();
          });
      if (!plain) continue;
      kernel_.blocks[to].join = true;
      join_block_[to] = to;
    }
  }

  void redirect(uint32_t from, bool branch) {
    const uint32_t to = branch ? kernel_.blocks[from].target : kernel_.blocks[from].next;
    if (to == kNoRegister) return;
    const uint32_t through = between(edge(from, to));
    (branch ? kernel_.blocks[from].target : kernel_.blocks[from].next) = through;
  }

  uint32_t between(const Edge& e) {
    if (!e.joins && e.pushes.empty()) return e.to;
    if (kernel_.blocks[e.to].join && e.pushes.empty()) return e.to;
    const auto found = blocks_.find(e);
    if (found != blocks_.end()) return found->second;
    const auto number = static_cast<uint32_t>(kernel_.blocks.size());
    blocks_.emplace(e, number);
    kernel_.blocks.emplace_back();
    kernel_.blocks.back().join = e.joins;
    kernel_.blocks.back().next = e.to;
    if (e.joins) join_block_.emplace(e.to, number);
    for (const uint32_t i : e.pushes) push(kernel_.blocks[number], regions_[i]);
    return number;
  }

  // The target is filled in when all joins have their blocks.
  void push(Block& block, const Region& region) {
    Instruction ssy;
    ssy.operation = Operation::kSetSync;
    ssy.type = isa::Type::kNone;
    ssy.target = region.join;
    ssy.source = block.source;
    block.code.push_back(ssy);
  }

  Kernel& kernel_;
  std::vector<Region> regions_;
  uint32_t original_;
  std::map<Edge, uint32_t> blocks_;
  std::map<uint32_t, uint32_t> join_block_;  // by the block behind the join
};

}  // namespace

std::vector<bool> divergent_branches(const Kernel& kernel, const compiler::Graph& graph) {
  compiler::DataFlow flow;
  flow.variables = static_cast<uint32_t>(kernel.registers.size());
  flow.branch_condition.assign(kernel.blocks.size(), compiler::kNoVariable);
  for (uint32_t b = 0; b < kernel.blocks.size(); ++b) {
    for (const Instruction& instruction : kernel.blocks[b].code) {
      compiler::DataFlow::Statement statement{b, false, {}, {}};
      for_each_use(instruction, [&](uint32_t v) { statement.uses.push_back(v); });
      for_each_definition(instruction, [&](uint32_t v) { statement.defines.push_back(v); });
      statement.source = reads_variable_memory(instruction) || is_call(instruction) ||
                         instruction.operation == Operation::kMoveFromSpecial;
      flow.statements.push_back(std::move(statement));
    }
    if (kernel.blocks[b].branches) flow.branch_condition[b] = kernel.blocks[b].guard.condition;
  }
  std::vector<uint32_t> differing = kernel.parameters;
  differing.push_back(kThreadIndex);
  return compiler::divergence(graph, flow, differing, before_barriers(kernel, graph)).branches;
}

void synchronise(Kernel& kernel) {
  const compiler::Graph graph = graph_of(kernel);
  std::vector<Region> regions = compiler::reconvergence_regions(
      graph, divergent_branches(kernel, graph), before_barriers(kernel, graph));
  // Threads that only meet to end need not wait for each other.
  regions.erase(std::remove_if(regions.begin(), regions.end(),
                               [&](const Region& region) {
                                 const Block& join = kernel.blocks[region.join];
                                 return join.code.empty() && !join.branches &&
                                        join.next == kNoRegister;
                               }),
                regions.end());
  Synchronisation(kernel, std::move(regions)).run(graph);
}

}  // namespace gvp::kcc::g80
