// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gvp::trace_report {
namespace {

constexpr size_t kMostPages = 128;  // rows of the picture
constexpr size_t kMostBins = 160;   // its columns

}  // namespace

void HeatMap::find(uint64_t address) {
  latest_ = &pages_.try_emplace(address >> shift_, kMostBins).first->second;
  while (pages_.size() > kMostPages) enlarge();
  latest_page_ = address >> shift_;
  latest_ = &pages_.at(latest_page_);
}

void HeatMap::enlarge() {
  ++shift_;
  std::unordered_map<uint64_t, TimeBins> larger;
  for (const auto& [page, bins] : pages_)
    larger.try_emplace(page >> 1, kMostBins).first->second.add(bins);
  pages_ = std::move(larger);
}

nlohmann::json HeatMap::to_json() const {
  auto pages = pages_;
  std::vector<uint64_t> numbers;
  std::vector<TimeBins*> all;
  for (auto& [page, bins] : pages) {
    numbers.push_back(page);
    all.push_back(&bins);
  }
  std::sort(numbers.begin(), numbers.end());
  const CommonBins common = in_common(all, kMostBins);
  auto addresses = nlohmann::json::array();
  auto cells = nlohmann::json::array();
  for (size_t row = 0; row < numbers.size(); ++row) {
    addresses.push_back(fmt::format("{:#010x}", numbers[row] << shift_));
    const TimeBins& bins = pages.at(numbers[row]);
    for (size_t column = 0; column < common.count; ++column) {
      const Amount amount = bins.at(common.first + column);
      if (amount.count != 0) cells.push_back({column, row, amount.count, amount.sum});
    }
  }
  return {{"begin_ps", common.first << common.shift},
          {"bin_ps", uint64_t{1} << common.shift},
          {"bins", common.count},
          {"page_bytes", uint64_t{1} << shift_},
          {"pages", std::move(addresses)},
          {"cells", std::move(cells)}};
}

}  // namespace gvp::trace_report
