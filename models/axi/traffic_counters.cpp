// SPDX-License-Identifier: Apache-2.0
#include "models/axi/traffic_counters.h"

#include <nlohmann/json.hpp>

namespace gvp::axi {

Traffic& Traffic::operator+=(const Traffic& other) {
  reads += other.reads;
  writes += other.writes;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  errors += other.errors;
  return *this;
}

nlohmann::ordered_json Traffic::to_json() const {
  return {{"reads", reads},
          {"writes", writes},
          {"bytes_read", bytes_read},
          {"bytes_written", bytes_written},
          {"errors", errors}};
}

nlohmann::ordered_json TrafficCounters::to_json(const InterconnectConfiguration& configuration,
                                                const AddressMap& map) const {
  nlohmann::ordered_json json = {{"initiators", nlohmann::ordered_json::object()},
                                 {"regions", nlohmann::ordered_json::object()}};
  for (size_t i = 0; i < configuration.initiators.size(); ++i) {
    Traffic sum;
    for (size_t r = 0; r < regions_; ++r) sum += traffic_[i * regions_ + r];
    sum.errors += decode_errors_[i];
    nlohmann::ordered_json entry = sum.to_json();
    entry["decode_errors"] = decode_errors_[i];
    json["initiators"][configuration.initiators[i]] = std::move(entry);
  }
  for (size_t r = 0; r < regions_; ++r) {
    Traffic sum;
    for (size_t i = 0; i < configuration.initiators.size(); ++i) sum += traffic_[i * regions_ + r];
    json["regions"][map.regions()[r].name] = sum.to_json();
  }
  return json;
}

}  // namespace gvp::axi
