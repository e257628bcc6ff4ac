// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/divergence.h"

#include "tools/compiler/post_dominators.h"

namespace gvp::compiler {
namespace {

class Analysis {
 public:
  Analysis(const Graph& graph, const DataFlow& flow)
      : graph_(graph),
        flow_(flow),
        below_(graph),
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

  Divergence run(const std::vector<uint32_t>& initially_divergent) {
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
      for (const uint32_t block : branches_of_[v]) diverge(block);
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
    if (graph_.successors[block].size() < 2 || result_.branches[block]) return;
    result_.branches[block] = true;
    const std::vector<bool> region = reachable_without(graph_, block, below_.immediate(block));
    if (!region[block] && go_apart(block)) return;
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      if (!region[node]) continue;
      for (const uint32_t v : defined_in_[node])
        if (definitions_[v] > 1 || (region[block] && used_outside(v, region))) mark(v);
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

Divergence divergence(const Graph& graph, const DataFlow& flow,
                      const std::vector<uint32_t>& initially_divergent) {
  return Analysis(graph, flow).run(initially_divergent);
}

}  // namespace gvp::compiler
