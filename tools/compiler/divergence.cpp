// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/divergence.h"

#include <algorithm>
#include <functional>

#include "tools/compiler/post_dominators.h"

namespace gvp::compiler {
namespace {

class Analysis {
 public:
  // ways: of threads that end and are not waited for
  Analysis(const Graph& graph, const DataFlow& flow, const Edges& ways)
      : graph_(graph),
        flow_(flow),
        ways_(ways),
        below_(graph, ways),
        definitions_(flow.variables, 0),
        users_(flow.variables),
        branches_of_(flow.variables),
        defined_in_(graph.size()),
        in_use_(graph.size(), false) {
    for (uint32_t i = 0; i < flow.statements.size(); ++i) {
      const DataFlow::Statement& statement = flow.statements[i];
      if (!statement.uses.empty() || !statement.defines.empty()) in_use_[statement.block] = true;
      for (const uint32_t v : statement.defines) {
        ++definitions_[v];
        defined_in_[statement.block].push_back(v);
      }
      for (const uint32_t v : statement.uses) users_[v].push_back(i);
    }
    for (uint32_t block = 0; block < graph.size(); ++block) {
      if (flow.branch_condition[block] == kNoVariable) continue;
      branches_of_[flow.branch_condition[block]].push_back(block);
      in_use_[block] = true;
    }
    find_idle_ends();
    result_.variables.assign(flow.variables, false);
    result_.branches.assign(graph.size(), false);
  }

  // by_values_only: but for what differs because threads came to it by different ways
  Divergence run(const std::vector<uint32_t>& initially_divergent, bool by_values_only) {
    for (const uint32_t v : initially_divergent) mark(v);
    for (const auto& statement : flow_.statements) {
      if (!statement.source) continue;
      for (const uint32_t v : statement.defines) mark(v);
    }
    while (!work_.empty()) {
      const uint32_t v = work_.back();
      work_.pop_back();
      for (const uint32_t user : users_[v]) {
        for (const uint32_t defined : flow_.statements[user].defines) mark(defined);
      }
      for (const uint32_t block : branches_of_[v]) {
        if (graph_.successors[block].size() < 2 || result_.branches[block]) continue;
        result_.branches[block] = true;
        if (!by_values_only) diverge(block);
      }
    }
    return std::move(result_);
  }

 private:
  void mark(uint32_t v) {
    if (result_.variables[v]) return;
    result_.variables[v] = true;
    work_.push_back(v);
  }

  // Threads come out of the region of a divergent branch by different ways, or after different
  // numbers of rounds: what is written there depends on the way.
  void diverge(uint32_t block) {
    const std::vector<bool> region = reachable_without(graph_, block, below_.immediate(block));
    end_together(block, region);
    if (!region[block] && go_apart(block)) return;
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      if (!region[node]) continue;
      for (const uint32_t v : defined_in_[node])
        if (definitions_[v] > 1 || (region[block] && used_outside(v, region))) mark(v);
    }
  }

  // Those that leave the others for their end in a region may come to what lies there after
  // different numbers of rounds, if it is not the end of these ways alone.
  void end_together(uint32_t block, const std::vector<bool>& region) {
    for (const auto& [from, to] : ways_) {
      if ((!region[from] && from != block) || is_own_end(graph_, from, to)) continue;
      const std::vector<bool> before = reachable_without(graph_, block, to);
      std::vector<bool> behind = reachable_without(graph_, to, kNoNode);
      behind[to] = true;
      behind.flip();  // outside of it
      for (uint32_t node = 0; node < graph_.size(); ++node) {
        if (!before[node]) continue;
        for (const uint32_t v : defined_in_[node])
          if (used_outside(v, behind)) mark(v);
      }
    }
  }

  // From where on nothing is in use.
  void find_idle_ends() {
    const Graph back = graph_.reversed();
    idle_.assign(graph_.size(), true);
    std::vector<uint32_t> work;
    for (uint32_t node = 0; node < graph_.size(); ++node)
      if (in_use_[node]) work.push_back(node);
    while (!work.empty()) {
      const uint32_t node = work.back();
      work.pop_back();
      if (!idle_[node]) continue;
      idle_[node] = false;
      for (const uint32_t before : back.successors[node]) work.push_back(before);
    }
  }

  // Whether the threads of a branch's sides meet again only to end, as behind an early return.
  bool go_apart(uint32_t block) const {
    const auto& sides = graph_.successors[block];
    if (sides.size() != 2) return false;
    const uint32_t join = below_.immediate(block);
    if (join != kNoNode && !idle_[join]) return false;
    std::vector<bool> one = reachable_without(graph_, sides[0], kNoNode);
    std::vector<bool> other = reachable_without(graph_, sides[1], kNoNode);
    one[sides[0]] = other[sides[1]] = true;
    for (uint32_t node = 0; node < graph_.size(); ++node)
      if (one[node] && other[node] && in_use_[node]) return false;
    return true;
  }

  bool used_outside(uint32_t v, const std::vector<bool>& region) const {
    for (const uint32_t user : users_[v]) {
      if (!region[flow_.statements[user].block]) return true;
    }
    for (const uint32_t block : branches_of_[v]) {
      if (!region[block]) return true;
    }
    return false;
  }

  const Graph& graph_;
  const DataFlow& flow_;
  const Edges& ways_;
  PostDominators below_;
  std::vector<uint32_t> definitions_;
  std::vector<std::vector<uint32_t>> users_;
  std::vector<std::vector<uint32_t>> branches_of_;
  std::vector<std::vector<uint32_t>> defined_in_;  // by block
  std::vector<bool> in_use_;                       // by block: reads or writes a variable
  std::vector<bool> idle_;  // by block: neither it nor what comes later is in use
  std::vector<uint32_t> work_;
  Divergence result_;
};

}  // namespace

// Which ways threads may take without being waited for depends on which branches take them apart,
// and what differs behind these on the ways: first the branches whose conditions differ anyhow.
Divergence divergence(const Graph& graph, const DataFlow& flow,
                      const std::vector<uint32_t>& initially_divergent, const Meets& meets) {
  const Edges none;
  if (std::find(meets.places.begin(), meets.places.end(), true) == meets.places.end())
    return Analysis(graph, flow, none).run(initially_divergent, false);
  std::vector<bool> branches = Analysis(graph, flow, none).run(initially_divergent, true).branches;
  for (;;) {
    const Edges ways = ways_to_end(graph, meets, branches);
    Divergence found = Analysis(graph, flow, ways).run(initially_divergent, false);
    std::vector<bool> all = branches;
    std::transform(all.begin(), all.end(), found.branches.begin(), all.begin(),
                   std::logical_or<>());
    found.branches = all;
    if (all == branches || ways_to_end(graph, meets, all) == ways) return found;
    branches = std::move(all);
  }
}

}  // namespace gvp::compiler
