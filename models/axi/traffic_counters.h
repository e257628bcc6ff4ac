// SPDX-License-Identifier: Apache-2.0
// What an interconnect counts, for every pair of initiator and region: a handful of additions
// per transaction.  Accesses through direct memory pointers bypass the bus and are not here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/axi/address_map.h"

namespace gvp::axi {

struct Traffic {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t errors = 0;  // responses other than OKAY

  // times: so many transactions that are alike.
  void count(bool write, uint64_t bytes, bool error, uint64_t times = 1) {
    (write ? writes : reads) += times;
    (write ? bytes_written : bytes_read) += bytes * times;
    errors += error ? times : 0;
  }
  Traffic& operator+=(const Traffic& other);
  nlohmann::ordered_json to_json() const;
};

class TrafficCounters {
 public:
  TrafficCounters(size_t initiators, size_t regions)
      : regions_(regions), traffic_(initiators * regions), decode_errors_(initiators, 0) {}

  Traffic& at(unsigned initiator, int region) {
    return traffic_[initiator * regions_ + static_cast<size_t>(region)];
  }
  void count_decode_error(unsigned initiator) { ++decode_errors_[initiator]; }

  // {"initiators": {name: {...}}, "regions": {name: {...}}}
  nlohmann::ordered_json to_json(const InterconnectConfiguration& configuration,
                                 const AddressMap& map) const;

 private:
  size_t regions_;
  std::vector<Traffic> traffic_;
  std::vector<uint64_t> decode_errors_;
};

}  // namespace gvp::axi
