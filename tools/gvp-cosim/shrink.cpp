// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/shrink.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gvp::cosim {
namespace {

template <typename T>
std::vector<T> those_of(const std::vector<T>& all, const std::vector<bool>& keep) {
  std::vector<T> result;
  for (size_t i = 0; i < all.size(); ++i)
    if (keep[i]) result.push_back(all[i]);
  return result;
}

class Shrinker {
 public:
  Shrinker(Scenario scenario, const Differs& differs, unsigned most_questions)
      : best_(std::move(scenario)), differs_(differs), questions_(most_questions) {}

  Scenario run() {
    try_with([](Scenario& s) { s.accesses.clear(); });
    try_with([](Scenario& s) { s.launches = 1; });
    leave_out(&Scenario::accesses);
    for (size_t before = 0; before != best_.lines.size();) {
      before = best_.lines.size();
      leave_out(&Scenario::lines);
      shrink_launch();
    }
    shrink_words(&Scenario::data);
    shrink_words(&Scenario::constants);
    shrink_words(&Scenario::parameters);
    leave_out(&Scenario::lines);
    return best_;
  }

 private:
  bool ask(const Scenario& candidate) {
    if (questions_ == 0) return false;
    --questions_;
    if (!differs_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  template <typename Change>
  bool try_with(const Change& change) {
    Scenario candidate = best_;
    change(candidate);
    return ask(candidate);
  }

  template <typename T>
  void leave_out(std::vector<T> Scenario::*part) {
    const Scenario whole = best_;
    minimal_subset((whole.*part).size(), [&](const std::vector<bool>& keep) {
      Scenario candidate = whole;
      candidate.*part = those_of(whole.*part, keep);
      return ask(candidate);
    });
  }

  // Halves of what is there, then one less.
  void shrink_number(const std::function<uint32_t&(Scenario&)>& number, uint32_t least) {
    for (uint32_t now = number(best_); now > least; now = number(best_)) {
      const auto set = [&](uint32_t value) {
        return try_with([&](Scenario& s) { number(s) = value; });
      };
      if (!set(least) && !set(std::max(now / 2, least)) && !set(now - 1)) return;
    }
  }

  void shrink_launch() {
    for (size_t i = 0; i < best_.grid.size(); ++i)
      shrink_number([i](Scenario& s) -> uint32_t& { return s.grid[i]; }, 1);
    for (size_t i = 0; i < best_.block.size(); ++i)
      shrink_number([i](Scenario& s) -> uint32_t& { return s.block[i]; }, 1);
    shrink_number([](Scenario& s) -> uint32_t& { return s.blocks_per_sm; }, 0);
  }

  // Zeros; those at the end go.
  void shrink_words(std::vector<uint32_t> Scenario::*part) {
    try_with([&](Scenario& s) { (s.*part).clear(); });
    const Scenario whole = best_;
    const auto cut = [&](Scenario& s) {
      while (!(s.*part).empty() && (s.*part).back() == 0) (s.*part).pop_back();
    };
    minimal_subset((whole.*part).size(), [&](const std::vector<bool>& keep) {
      Scenario candidate = whole;
      for (size_t i = 0; i < keep.size(); ++i)
        if (!keep[i]) (candidate.*part)[i] = 0;
      cut(candidate);
      return ask(candidate);
    });
  }

  Scenario best_;
  const Differs& differs_;
  unsigned questions_;
};

}  // namespace

std::vector<bool> minimal_subset(
    size_t count, const std::function<bool(const std::vector<bool>&)>& still_differs) {
  std::vector<bool> keep(count, true);
  for (size_t piece = count; piece != 0; piece /= 2) {
    for (bool again = true; again;) {
      again = false;
      for (size_t first = 0; first < count; first += piece) {
        std::vector<bool> candidate = keep;
        for (size_t i = first; i < std::min(first + piece, count); ++i) candidate[i] = false;
        if (candidate == keep || !still_differs(candidate)) continue;
        keep = candidate;
        again = piece == 1;
      }
    }
  }
  return keep;
}

Scenario shrink(Scenario scenario, const Differs& differs, unsigned most_questions) {
  return Shrinker(std::move(scenario), differs, most_questions).run();
}

}  // namespace gvp::cosim
