// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/hops.h"

#include <algorithm>
#include <utility>

namespace gvp::trace_report {

using nlohmann::json;

Hops::Hops(const TraceFile& trace) : trace_(trace), passed_(kSlots), served_(kSlots) {}

void Hops::pair(const Seen& outer, const Seen& inner) {
  Hop& hop = hops_[{outer.port, inner.port}];
  const uint64_t time = inner.begin - outer.begin;
  hop.request.add(time);
  hop.shortest = std::min(hop.shortest, time);
  hop.longest = std::max(hop.longest, time);
  hop.total += time;
}

void Hops::add(const Transaction& t) {
  const Seen now{t.number, t.begin, t.port};
  Seen& before = slot(passed_, t.number);
  if (before.number == t.number && before.port != t.port) {
    // the socket nearer to the memory is done first, but for writes that are answered early
    if (before.begin >= t.begin)
      pair(now, before);
    else
      pair(before, now);
  } else {
    Seen& part = slot(served_, t.number);
    if (part.number == t.number && part.begin >= t.begin) pair(now, part);
  }
  before = now;
  if (t.parent == 0) return;
  Seen& part = slot(served_, t.parent);
  if (part.number != t.parent || t.begin <= part.begin) part = {t.parent, t.begin, t.port};
}

json Hops::to_json() const {
  json result = json::array();
  for (const auto& [ports, hop] : hops_) {
    const uint64_t count = hop.request.count();
    result.push_back({{"from", trace_.name(ports.first)},
                      {"to", trace_.name(ports.second)},
                      {"transactions", count},
                      {"shortest_ps", hop.shortest},
                      {"mean_ps", hop.request.mean()},
                      {"p95_ps", hop.request.percentile(0.95)},
                      {"p99_ps", hop.request.percentile(0.99)},
                      {"max_ps", hop.longest},
                      {"waited_ps", hop.total - hop.shortest * count}});
  }
  std::stable_sort(result.begin(), result.end(), [](const json& a, const json& b) {
    return a["waited_ps"].get<uint64_t>() > b["waited_ps"].get<uint64_t>();
  });
  return result;
}

}  // namespace gvp::trace_report
