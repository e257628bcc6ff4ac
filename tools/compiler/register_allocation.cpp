// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/register_allocation.h"

#include <algorithm>
#include <numeric>

namespace gvp::compiler {
namespace {

class Colouring {
 public:
  explicit Colouring(const AllocationProblem& problem)
      : problem_(problem), leader_(problem.graph.size()), neighbours_(problem.graph.size()) {
    std::iota(leader_.begin(), leader_.end(), 0);
    fixed_ = problem.fixed;
    cost_ = problem.spill_cost;
    // Each is its neighbours' neighbour, so that their lists grow in order, without being sorted.
    for (uint32_t v = 0; v < size(); ++v) {
      for (const uint32_t n : problem.graph.neighbours(v)) {
        auto& list = neighbours_[n];
        if (list.empty() || list.back() != v) list.push_back(v);
      }
    }
  }

  // careful: moves whose ends may share a colour get one only where a colourable graph stays
  // colourable.
  Allocation run(bool careful) {
    coalesce(careful);
    simplify();
    select();
    return std::move(result_);
  }

 private:
  uint32_t size() const { return problem_.graph.size(); }

  uint32_t find(uint32_t v) {
    while (leader_[v] != v) {
      leader_[v] = leader_[leader_[v]];
      v = leader_[v];
    }
    return v;
  }

  // Most frequent moves first.  Briggs' test keeps a colourable graph colourable: the merged node
  // must have fewer than `colours` neighbours that are themselves hard to colour.
  void coalesce(bool careful) {
    std::vector<Move> moves = problem_.moves;
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.weight > b.weight; });
    for (const Move& move : moves) {
      const uint32_t a = find(move.to);
      const uint32_t b = find(move.from);
      if (a == b || adjacent(a, b)) continue;
      if (fixed_[a] != kNoColour && fixed_[b] != kNoColour && fixed_[a] != fixed_[b]) continue;
      if (fixed_clash(a, b) || fixed_clash(b, a)) continue;
      if (!careful || conservative(a, b)) merge(a, b);
    }
  }

  bool adjacent(uint32_t a, uint32_t b) const {
    return std::binary_search(neighbours_[a].begin(), neighbours_[a].end(), b);
  }

  // a has a given colour and some neighbour of b has the same.
  bool fixed_clash(uint32_t a, uint32_t b) const {
    if (fixed_[a] == kNoColour) return false;
    return std::any_of(neighbours_[b].begin(), neighbours_[b].end(),
                       [&](uint32_t n) { return fixed_[n] == fixed_[a]; });
  }

  bool conservative(uint32_t a, uint32_t b) {
    std::vector<uint32_t> all;
    std::set_union(neighbours_[a].begin(), neighbours_[a].end(), neighbours_[b].begin(),
                   neighbours_[b].end(), std::back_inserter(all));
    const auto hard = std::count_if(all.begin(), all.end(), [&](uint32_t n) {
      return fixed_[n] != kNoColour || neighbours_[n].size() >= problem_.colours;
    });
    return static_cast<size_t>(hard) < problem_.colours;
  }

  void merge(uint32_t a, uint32_t b) {
    leader_[b] = a;
    if (fixed_[a] == kNoColour) fixed_[a] = fixed_[b];
    cost_[a] = cost_[a] < 0 || cost_[b] < 0 ? -1 : cost_[a] + cost_[b];
    for (const uint32_t n : neighbours_[b]) {
      auto& list = neighbours_[n];
      list.erase(std::lower_bound(list.begin(), list.end(), b));
      const auto place = std::lower_bound(list.begin(), list.end(), a);
      if (place == list.end() || *place != a) list.insert(place, a);
    }
    std::vector<uint32_t> all;
    std::set_union(neighbours_[a].begin(), neighbours_[a].end(), neighbours_[b].begin(),
                   neighbours_[b].end(), std::back_inserter(all));
    neighbours_[a] = std::move(all);
    neighbours_[b].clear();
  }

  void simplify() {
    std::vector<uint32_t> degree(size(), 0);
    std::vector<bool> removed(size(), true);
    std::vector<uint32_t> easy;
    std::vector<uint32_t> hard;
    for (uint32_t v = 0; v < size(); ++v) {
      if (find(v) != v || fixed_[v] != kNoColour) continue;
      removed[v] = false;
      degree[v] = static_cast<uint32_t>(neighbours_[v].size());
      (degree[v] < problem_.colours ? easy : hard).push_back(v);
    }
    size_t left = easy.size() + hard.size();
    while (left > 0) {
      uint32_t v = 0;
      if (!easy.empty()) {
        v = easy.back();
        easy.pop_back();
        if (removed[v]) continue;
      } else {
        v = cheapest(hard, removed, degree);
      }
      removed[v] = true;
      stack_.push_back(v);
      --left;
      for (const uint32_t n : neighbours_[v]) {
        if (removed[n]) continue;
        if (degree[n]-- == problem_.colours) easy.push_back(n);
      }
    }
  }

  // What to spill if no colour is left: cheap and in many others' way.
  uint32_t cheapest(std::vector<uint32_t>& hard, const std::vector<bool>& removed,
                    const std::vector<uint32_t>& degree) const {
    hard.erase(std::remove_if(hard.begin(), hard.end(), [&](uint32_t v) { return removed[v]; }),
               hard.end());
    return *std::min_element(hard.begin(), hard.end(), [&](uint32_t a, uint32_t b) {
      if ((cost_[a] < 0) != (cost_[b] < 0)) return cost_[b] < 0;
      return cost_[a] * degree[b] < cost_[b] * degree[a];
    });
  }

  void select() {
    std::vector<uint32_t> colour(size(), kNoColour);
    for (uint32_t v = 0; v < size(); ++v) {
      if (find(v) == v) colour[v] = fixed_[v];
    }
    std::vector<bool> taken(problem_.colours);
    while (!stack_.empty()) {
      const uint32_t v = stack_.back();
      stack_.pop_back();
      taken.assign(problem_.colours, false);
      for (const uint32_t n : neighbours_[v]) {
        if (colour[n] < problem_.colours) taken[colour[n]] = true;
      }
      const auto free = std::find(taken.begin(), taken.end(), false);
      if (free == taken.end()) continue;
      colour[v] = static_cast<uint32_t>(free - taken.begin());
    }
    result_.colour.resize(size());
    for (uint32_t v = 0; v < size(); ++v) {
      result_.colour[v] = colour[find(v)];
      if (result_.colour[v] == kNoColour) {
        result_.spilled.push_back(v);
      } else {
        result_.colours_used = std::max(result_.colours_used, result_.colour[v] + 1);
      }
    }
  }

  const AllocationProblem& problem_;
  std::vector<uint32_t> leader_;
  std::vector<std::vector<uint32_t>> neighbours_;
  std::vector<uint32_t> fixed_;
  std::vector<double> cost_;
  std::vector<uint32_t> stack_;
  Allocation result_;
};

}  // namespace

void InterferenceGraph::add(uint32_t a, uint32_t b) {
  if (a == b) return;
  adjacent_[a].push_back(b);
  adjacent_[b].push_back(a);
}

Allocation allocate(const AllocationProblem& problem) {
  Allocation bold = Colouring(problem).run(false);
  return bold.spilled.empty() ? bold : Colouring(problem).run(true);
}

}  // namespace gvp::compiler
