// SPDX-License-Identifier: Apache-2.0
// Warps that go through random programs, with regions where threads wait for each other: no branch
// that is called uniform ever takes threads apart that are together.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/seed.h"
#include "tools/compiler/divergence.h"
#include "tools/compiler/dominators.h"
#include "tools/compiler/reconvergence.h"

namespace gvp::compiler {
namespace {

constexpr uint32_t kThreads = 8;
constexpr uint32_t kEndNodes = 4;
constexpr uint32_t kThread = 0;     // variables: the index of the thread,
constexpr uint32_t kVariables = 6;  // others that are written at the begin and at some places,
constexpr uint32_t kOnce = 10;      // and others up to here, at one place each

struct Program {
  Graph graph;
  DataFlow flow;
  Meets meets;
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Program run() {
    make_graph();
    make_flow();
    return std::move(program_);
  }

 private:
  uint32_t below(size_t limit) { return static_cast<uint32_t>(random_() % limit); }

  // A way from the begin to an end, more edges, and ends with a branch that others lead to.
  void make_graph() {
    const uint32_t nodes = 4 + below(10);
    Graph graph(nodes + 2 * kEndNodes);
    for (uint32_t i = 0; i + 1 < nodes; ++i) graph.add_edge(i, i + 1);
    for (uint32_t end = nodes; end < graph.size(); end += kEndNodes)
      for (const uint32_t over : {1u, 2u}) {
        graph.add_edge(end, end + over);
        graph.add_edge(end + 3 - over, end + 3);
      }
    if (below(3) == 0) graph.add_edge(nodes - 1, nodes);
    for (uint32_t i = 0; i < nodes; ++i) {
      const uint32_t from = below(nodes - 1);
      const uint32_t to = i % 3 == 0 ? nodes + kEndNodes * below(2) : 1 + below(nodes - 1);
      if (graph.successors[from].size() < 2) graph.add_edge(from, to);
    }
    const bool two_kinds = below(2) == 0;
    program_.meets.places.assign(graph.size(), false);
    if (two_kinds) program_.meets.barriers.assign(graph.size(), false);
    for (uint32_t places = below(3); places != 0; --places) {
      const bool barrier = two_kinds && places == 1;
      const uint32_t place = below(nodes);
      const std::vector<bool> before = reachable_without(graph.reversed(), place, kNoNode);
      for (uint32_t node = 0; node < graph.size(); ++node) {
        if (node != place && !before[node]) continue;
        program_.meets.places[node] = true;
        if (barrier) program_.meets.barriers[node] = true;
      }
    }
    program_.graph = std::move(graph);
  }

  void make_flow() {
    const uint32_t size = program_.graph.size();
    const DominatorTree above(program_.graph, 0);
    DataFlow& flow = program_.flow;
    flow.variables = kOnce;
    flow.branch_condition.assign(size, kNoVariable);
    std::vector<uint32_t> place(kOnce, 0);  // of what is written once
    for (uint32_t v = kThread + 1; v < kVariables; ++v)
      flow.statements.push_back({0, false, {}, {v}});
    for (uint32_t v = kVariables; v < kOnce; ++v) place[v] = below(size);
    for (uint32_t node = 0; node < size; ++node) {
      const auto any = [&] {
        const uint32_t v = below(30) == 0 ? kThread : 1 + below(kOnce - 1);
        return v >= kVariables && (place[v] == node || !above.reachable(node) ||
                                   !above.dominates(place[v], node))
                   ? 1 + v % (kVariables - 1)
                   : v;
      };
      for (uint32_t n = below(3); n != 0; --n)
        flow.statements.push_back(
            {node, below(60) == 0, {any(), any()}, {1 + below(kVariables - 1)}});
      for (uint32_t v = kVariables; v < kOnce; ++v)
        if (place[v] == node) flow.statements.push_back({node, false, {any()}, {v}});
      if (program_.graph.successors[node].size() == 2) flow.branch_condition[node] = any();
    }
  }

  std::mt19937 random_;
  Program program_;
};

// As the machine does it: SSY pushes who is there; a branch that takes threads apart pushes those
// that go second; who joins, or ends, goes on with what is on top of the stack.
class Warp {
 public:
  Warp(const Program& program, const Divergence& divergence, uint32_t seed)
      : program_(program),
        divergence_(divergence),
        regions_(reconvergence_regions(program.graph, divergence.branches, program.meets)),
        random_(seed),
        values_(kThreads, std::vector<uint32_t>(kOnce, 0)) {
    for (uint32_t t = 0; t < kThreads; ++t) values_[t][kThread] = t;
  }

  // How many branches took threads apart.
  unsigned run() {
    constexpr unsigned kMostSteps = 300;
    for (unsigned step = 0; step < kMostSteps && active_ != 0; ++step) {
      execute();
      leave();
    }
    return parted_;
  }

 private:
  struct Entry {
    uint32_t threads;
    uint32_t from;  // the edge on which they go on
    uint32_t to;
    bool joined;  // they have waited for each other on it
  };

  static bool is_in(uint32_t threads, uint32_t t) { return (threads >> t & 1) != 0; }

  void execute() {
    for (uint32_t i = 0; i < program_.flow.statements.size(); ++i) {
      const DataFlow::Statement& statement = program_.flow.statements[i];
      if (statement.block != node_) continue;
      for (uint32_t t = 0; t < kThreads; ++t) {
        if (!is_in(active_, t)) continue;
        uint32_t value = 0x9e3779b9u * (i + 1);
        for (const uint32_t v : statement.uses) value = (value ^ values_[t][v]) * 0x85ebca6bu;
        if (statement.source) value ^= static_cast<uint32_t>(random_());
        for (const uint32_t v : statement.defines) values_[t][v] = value ^ value >> 15;
      }
    }
  }

  void leave() {
    const auto& out = program_.graph.successors[node_];
    if (out.empty()) {
      live_ &= ~active_;
      return pop();
    }
    for (const Region& region : regions_)
      if (!region.before_header && region.header == node_)
        stack_.push_back({active_, region.header, region.join, true});
    if (out.size() == 1) return go(node_, out[0]);
    uint32_t first = 0;
    const uint32_t condition = program_.flow.branch_condition[node_];
    for (uint32_t t = 0; t < kThreads; ++t)
      if (is_in(active_, t) && __builtin_popcount(values_[t][condition]) % 2 == 1) first |= 1u << t;
    const uint32_t second = active_ & ~first;
    if (first != 0 && second != 0) {
      ASSERT_TRUE(divergence_.branches[node_]) << "node " << node_;
      ++parted_;
      const bool other = random_() % 2 == 0;
      stack_.push_back({other ? first : second, node_, out[other ? 0 : 1], false});
      active_ = other ? second : first;
      return go(node_, out[other ? 1 : 0]);
    }
    go(node_, out[first != 0 ? 0 : 1]);
  }

  void go(uint32_t from, uint32_t to) {
    for (const Region& region : regions_)
      if ((region.members[from] || region.header == from) && region.join == to) return pop();
    arrive(from, to);
  }

  // Behind the joins of an edge.
  void arrive(uint32_t from, uint32_t to) {
    for (const Region& region : regions_)
      if (region.before_header && region.header == to && !region.members[from])
        stack_.push_back({active_, region.header, region.join, true});
    node_ = to;
  }

  void pop() {
    while (!stack_.empty()) {
      const Entry entry = stack_.back();
      stack_.pop_back();
      active_ = entry.threads & live_;
      if (active_ == 0) continue;
      return entry.joined ? arrive(entry.from, entry.to) : go(entry.from, entry.to);
    }
    active_ = 0;
  }

  const Program& program_;
  const Divergence& divergence_;
  std::vector<Region> regions_;
  std::mt19937 random_;
  std::vector<std::vector<uint32_t>> values_;  // by thread
  std::vector<Entry> stack_;
  uint32_t node_ = 0;
  uint32_t active_ = (1u << kThreads) - 1;
  uint32_t live_ = active_;
  unsigned parted_ = 0;
};

TEST(WarpWalks, UniformBranchesTakeNobodyApart) {
  const uint32_t first = test::seed(1);
  unsigned parted = 0;
  size_t uniform = 0, all = 0;
  for (uint32_t seed = first; seed != first + 3000; ++seed) {
    const Program program = Generator(seed).run();
    const Divergence found = divergence(program.graph, program.flow, {kThread}, program.meets);
    for (uint32_t walk = 0; walk < 4; ++walk) parted += Warp(program, found, seed + walk).run();
    ASSERT_FALSE(testing::Test::HasFailure()) << test::text_of_seed(seed);
    for (uint32_t node = 0; node < program.graph.size(); ++node) {
      if (program.graph.successors[node].size() < 2) continue;
      ++all;
      uniform += found.branches[node] ? 0 : 1;
    }
  }
  EXPECT_GT(parted, 3000u);
  EXPECT_GT(uniform, all / 10);
}

}  // namespace
}  // namespace gvp::compiler
