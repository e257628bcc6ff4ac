// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch_records.h"

#include <algorithm>
#include <utility>

namespace gvp::gpgpu {
namespace {

using Json = nlohmann::ordered_json;

void put_counters(Json& entry, const Counters& counters, const LaunchRecords::Derive& derive) {
  entry["cycles"] = counters.cycles;
  entry["warp_instructions"] = counters.warp_instructions;
  entry["thread_instructions"] = counters.thread_instructions;
  entry["stall_cycles"] = counters.stall_cycles;
  entry["divergent_branches"] = counters.divergent_branches;
  entry["max_stack_depth"] = counters.max_stack_depth;
  if (derive) derive(entry, counters);
}

}  // namespace

LaunchRecord& LaunchRecords::begin(LaunchRecord record) {
  if (launches_ > kMostRecords) add(sums_, last_);
  if (++launches_ <= kMostRecords) return records_.emplace_back(std::move(record));
  return last_ = std::move(record);
}

void LaunchRecords::add(Sums& sums, const LaunchRecord& record) {
  const bool room = sums.size() < kMostNames || sums.count(record.name) != 0;
  Sum& sum = sums[room ? record.name : "other kernels"];
  const Counters& c = record.counters;
  ++sum.launches;
  sum.failed += record.cause != FaultCause::kNone ? 1 : 0;
  sum.counters.cycles += c.cycles;
  sum.counters.warp_instructions += c.warp_instructions;
  sum.counters.thread_instructions += c.thread_instructions;
  sum.counters.stall_cycles += c.stall_cycles;
  sum.counters.divergent_branches += c.divergent_branches;
  sum.counters.max_stack_depth = std::max(sum.counters.max_stack_depth, c.max_stack_depth);
}

Json LaunchRecords::records(const Derive& derive) const {
  Json list = Json::array();
  for (const LaunchRecord& record : records_) {
    Json entry{{"name", record.name}, {"grid", record.grid}, {"block", record.block}};
    if (record.resources.is_object()) entry.update(record.resources);
    entry["cause"] = static_cast<unsigned>(record.cause);
    put_counters(entry, record.counters, derive);
    if (record.details.is_object()) entry.update(record.details);
    list.push_back(std::move(entry));
  }
  return list;
}

Json LaunchRecords::sums(const Derive& derive) const {
  Sums all = sums_;
  if (launches_ > kMostRecords) add(all, last_);
  Json list = Json::array();
  for (const auto& [name, sum] : all) {
    Json entry{{"name", name}, {"launches", sum.launches}, {"failed", sum.failed}};
    put_counters(entry, sum.counters, derive);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace gvp::gpgpu
