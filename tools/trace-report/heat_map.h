// SPDX-License-Identifier: Apache-2.0
// Which addresses are used when: transactions and bytes by time and page.  Only pages that were
// used are kept; when there would be too many, pages become twice as large.  A transaction counts
// for the page of its first byte.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "tools/trace-report/time_bins.h"

namespace gvp::trace_report {

class HeatMap {
 public:
  void add(uint64_t address, uint64_t time, uint64_t bytes) {
    const uint64_t page = address >> shift_;
    if (latest_ == nullptr || page != latest_page_) find(address);
    latest_->add(time, bytes);
  }
  nlohmann::json to_json() const;

 private:
  void find(uint64_t address);
  void enlarge();

  unsigned shift_ = 6;  // pages of 64 bytes at first
  std::unordered_map<uint64_t, TimeBins> pages_;
  uint64_t latest_page_ = 0;
  TimeBins* latest_ = nullptr;
};

}  // namespace gvp::trace_report
