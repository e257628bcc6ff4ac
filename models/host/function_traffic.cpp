// SPDX-License-Identifier: Apache-2.0
#include "models/host/function_traffic.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gvp::host {

uint32_t FunctionTraffic::function_at(uint32_t pc) {
  std::string name;
  if (!find_(pc, name)) name.clear();
  const auto [found, added] = by_name_.try_emplace(name, static_cast<uint32_t>(functions_.size()));
  if (added) functions_.push_back({name});
  return found->second;
}

nlohmann::ordered_json FunctionTraffic::to_json() const {
  std::vector<const Function*> order;
  for (const Function& each : functions_) order.push_back(&each);
  const auto bytes = [](const Function* each) { return each->bytes_read + each->bytes_written; };
  std::sort(order.begin(), order.end(), [&](const Function* a, const Function* b) {
    return bytes(a) != bytes(b) ? bytes(a) > bytes(b) : a->name < b->name;
  });
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Function* each : order)
    list.push_back({{"name", each->name},
                    {"reads", each->reads},
                    {"writes", each->writes},
                    {"bytes_read", each->bytes_read},
                    {"bytes_written", each->bytes_written}});
  return list;
}

}  // namespace gvp::host
