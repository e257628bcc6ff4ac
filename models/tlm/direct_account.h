// SPDX-License-Identifier: Apache-2.0
// Accesses through direct memory pointers, which no model on the way sees: each of them that grants
// or passes on such a pointer leaves its counters with the initiator, and the initiator adds what
// it has done.  It goes as an ignorable extension of the payload of get_direct_mem_ptr(), so that
// initiators and targets that know nothing of it work as ever.  Sizes are bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <tlm>
#include <vector>

namespace gvp::kit {

struct DirectTraffic {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;

  DirectTraffic& operator+=(const DirectTraffic& more) {
    reads += more.reads;
    writes += more.writes;
    bytes_read += more.bytes_read;
    bytes_written += more.bytes_written;
    return *this;
  }
  nlohmann::ordered_json to_json() const;
};

// Owned by an initiator; the counters belong to models that outlive its accesses.
class DirectAccount : public tlm::tlm_extension<DirectAccount> {
 public:
  void add(DirectTraffic& counters) {
    if (std::find(counters_.begin(), counters_.end(), &counters) == counters_.end())
      counters_.push_back(&counters);
  }
  bool empty() const { return counters_.empty(); }
  bool has_the_counters_of(const DirectAccount& other) const {
    return counters_ == other.counters_;
  }
  void count(const DirectTraffic& traffic) const {
    for (DirectTraffic* each : counters_) *each += traffic;
  }

  tlm::tlm_extension_base* clone() const override { return new DirectAccount(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const DirectAccount&>(other);
  }

 private:
  std::vector<DirectTraffic*> counters_;
};

// For whoever grants a pointer or passes it on.
inline void account_for_direct(tlm::tlm_generic_payload& payload, DirectTraffic& counters) {
  if (auto* account = payload.get_extension<DirectAccount>()) account->add(counters);
}

}  // namespace gvp::kit
