// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/port_counters.h"

#include <nlohmann/json.hpp>

#include "models/tlm/direct_account.h"

namespace gvp::kit {

using Json = nlohmann::ordered_json;

Json latency_json(const Histogram& latency) {
  const auto ns = [](uint64_t ps) { return static_cast<double>(ps) / 1000; };
  return {{"min", ns(latency.minimum())},        {"mean", latency.mean() / 1000},
          {"p50", ns(latency.percentile(0.5))},  {"p95", ns(latency.percentile(0.95))},
          {"p99", ns(latency.percentile(0.99))}, {"max", ns(latency.maximum())}};
}

Json PortCounters::to_json(uint64_t beat_ps, uint64_t now_ps) const {
  // Nothing has a share of a time that has not begun.
  const auto share = [now_ps](double ps) {
    return now_ps == 0 ? 0 : ps / static_cast<double>(now_ps);
  };
  Json json;
  double under_way = 0;
  for (const bool write : {false, true}) {
    const CommandCounters& c = of(write);
    under_way += static_cast<double>(c.latency.sum());
    json[write ? "write" : "read"] = {
        {"transactions", c.latency.count()},
        {"bytes", c.bytes},
        {"beats", c.beats},
        {"errors", c.errors},
        {"utilisation", share(static_cast<double>(c.beats * beat_ps))},
        {"latency_ns", latency_json(c.latency)}};
  }
  json["outstanding"] = {{"mean", share(under_way)}, {"max", most_}};
  return json;
}

Json DirectTraffic::to_json() const {
  return {{"reads", reads},
          {"writes", writes},
          {"bytes_read", bytes_read},
          {"bytes_written", bytes_written}};
}

}  // namespace gvp::kit
