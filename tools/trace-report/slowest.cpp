// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/slowest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gvp::trace_report {

using nlohmann::json;

namespace {

constexpr size_t kMost = 20;
constexpr size_t kMostSteps = 100;  // of a path

json step(const Transaction& t, const TraceFile& trace) {
  return {{"number", t.number},
          {"parent", t.parent},
          {"port", trace.name(t.port)},
          {"target", trace.name(t.target)},
          {"command", kCommandWords[t.command]},
          {"response", kResponseWords[t.response]},
          {"address", fmt::format("{:#010x}", t.address)},
          {"bytes", t.bytes},
          {"begin_ps", t.begin},
          {"response_ps", t.response_begin},
          {"end_ps", t.end},
          {"outstanding", t.outstanding}};
}

}  // namespace

void Slowest::consider(const Transaction& t) {
  const auto same = std::find_if(roots_.begin(), roots_.end(),
                                 [&](const Root& each) { return each.number == t.root; });
  if (same != roots_.end()) {
    if (t.latency() <= same->latency) return;
    roots_.erase(same);
  }
  const auto place =
      std::upper_bound(roots_.begin(), roots_.end(), t.latency(),
                       [](uint64_t latency, const Root& each) { return latency > each.latency; });
  roots_.insert(place, {t.root, t.latency()});
  if (roots_.size() > kMost) roots_.pop_back();
  if (roots_.size() == kMost) threshold_ = roots_.back().latency;
}

json Slowest::to_json(TraceFile& trace) const {
  json result = json::array();
  if (roots_.empty()) return result;
  std::vector<uint64_t> numbers;
  for (const Root& root : roots_) numbers.push_back(root.number);
  std::map<uint64_t, std::vector<Transaction>> paths;
  std::map<uint64_t, uint64_t> steps;
  trace.transactions_of(numbers, [&](const Transaction& t) {
    if (++steps[t.root] <= kMostSteps || t.is_begun_here()) paths[t.root].push_back(t);
  });
  for (const Root& root : roots_) {
    std::vector<Transaction>& path = paths[root.number];
    // from the initiator on: what begins earlier, and of what begins together what ends later
    std::stable_sort(path.begin(), path.end(), [](const Transaction& a, const Transaction& b) {
      if (a.begin != b.begin) return a.begin < b.begin;
      return a.end != b.end ? a.end > b.end : a.number < b.number;
    });
    json all = json::array();
    for (const Transaction& t : path) all.push_back(step(t, trace));
    const Transaction& first = path.front();
    result.push_back({{"number", root.number},
                      {"latency_ps", root.latency},
                      {"initiator", trace.name(first.initiator)},
                      {"origin", trace.name(first.origin)},
                      {"kernel", first.kernel},
                      {"steps", steps[root.number]},
                      {"path", std::move(all)}});
  }
  return result;
}

}  // namespace gvp::trace_report
