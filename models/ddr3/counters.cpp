// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/counters.h"

#include <nlohmann/json.hpp>
#include <systemc>

namespace gvp::ddr3 {

nlohmann::ordered_json statistics_json(const kit::PortCounters& port, uint64_t burst_ps,
                                       const std::vector<BankCounters>& banks,
                                       const kit::DirectTraffic& direct) {
  BankCounters sum;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (size_t i = 0; i < banks.size(); ++i) {
    const BankCounters& bank = banks[i];
    sum.hits += bank.hits;
    sum.misses += bank.misses;
    sum.conflicts += bank.conflicts;
    list.push_back({{"bank", i},
                    {"row_hits", bank.hits},
                    {"row_misses", bank.misses},
                    {"row_conflicts", bank.conflicts},
                    {"activates", bank.activates}});
  }
  const kit::CommandCounters& read = port.of(false);
  const kit::CommandCounters& write = port.of(true);
  nlohmann::ordered_json json = {{"reads", read.latency.count()},
                                 {"writes", write.latency.count()},
                                 {"row_hits", sum.hits},
                                 {"row_misses", sum.misses},
                                 {"row_conflicts", sum.conflicts},
                                 {"bytes", read.bytes + write.bytes},
                                 {"latency_ns", kit::latency_json(port.latency())}};
  const nlohmann::ordered_json counted = port.to_json(burst_ps, sc_core::sc_time_stamp().value());
  json.update(counted);
  json["bus_utilisation"] =
      counted["read"]["utilisation"].get<double>() + counted["write"]["utilisation"].get<double>();
  json["direct"] = direct.to_json();
  json["banks"] = std::move(list);
  return json;
}

}  // namespace gvp::ddr3
