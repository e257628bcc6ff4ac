// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch_records.h"

#include <algorithm>
#include <utility>

namespace gvp::gpgpu {
namespace {

using Json = nlohmann::ordered_json;

double ipc(const Counters& counters) {
  return counters.cycles == 0 ? 0
                              : static_cast<double>(counters.warp_instructions) /
                                    static_cast<double>(counters.cycles);
}

// completed: what of it is of launches that ran to their end; null: nothing.
void put_counters(Json& entry, const Counters& counters, const Counters* completed,
                  const LaunchRecords::Derive& derive) {
  entry["cycles"] = counters.cycles;
  entry["warp_instructions"] = counters.warp_instructions;
  entry["thread_instructions"] = counters.thread_instructions;
  entry["stall_cycles"] = counters.stall_cycles;
  entry["divergent_branches"] = counters.divergent_branches;
  entry["max_stack_depth"] = counters.max_stack_depth;
  if (completed != nullptr) entry["ipc"] = ipc(*completed);
  if (derive) derive(entry, counters);
}

Json sms_json(const KernelProfile& profile) {
  Json list = Json::array();
  for (const SmProfile& sm : profile.sms) {
    Json entry{{"warp_instructions", sm.warp_instructions},
               {"thread_instructions", sm.active_lanes}};
    entry.update(to_json(sm, profile.lanes, profile.warps_per_sm));
    list.push_back(std::move(entry));
  }
  return list;
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
  const bool completed = record.cause == FaultCause::kNone;
  if (completed) {
    sum.completed.cycles += c.cycles;
    sum.completed.warp_instructions += c.warp_instructions;
  }
  if (record.profile.sms.empty()) return;
  SmProfile profile = record.profile.total();
  if (!completed) profile.executing_cycles = profile.warp_cycles = 0;
  sum.profile.add(profile);
  sum.lanes = record.profile.lanes;
  sum.warps_per_sm = record.profile.warps_per_sm;
}

Json LaunchRecords::records(const Derive& derive) const {
  Json list = Json::array();
  for (const LaunchRecord& record : records_) {
    Json entry{{"name", record.name}, {"grid", record.grid}, {"block", record.block}};
    if (record.resources.is_object()) entry.update(record.resources);
    entry["cause"] = static_cast<unsigned>(record.cause);
    entry["begin_ns"] = record.begin_ns;
    const bool completed = record.cause == FaultCause::kNone;
    put_counters(entry, record.counters, completed ? &record.counters : nullptr, derive);
    if (record.details.is_object()) entry.update(record.details);
    if (!record.profile.sms.empty()) {
      const KernelProfile& profile = record.profile;
      entry.update(to_json(profile.total(), profile.lanes, profile.warps_per_sm));
      entry["sms"] = sms_json(profile);
      if (!completed) {
        entry.erase("occupancy");
        for (Json& sm : entry["sms"]) sm.erase("occupancy");
      }
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json LaunchRecords::sums(const Derive& derive) const {
  Sums all = sums_;
  if (launches_ > kMostRecords) add(all, last_);
  return list(all, derive);
}

Json LaunchRecords::totals(const Derive& derive) const {
  Sums all = sums_;
  for (const LaunchRecord& record : records_) add(all, record);
  if (launches_ > kMostRecords) add(all, last_);
  return list(all, derive);
}

Json LaunchRecords::list(const Sums& sums, const Derive& derive) {
  Json list = Json::array();
  for (const auto& [name, sum] : sums) {
    Json entry{{"name", name}, {"launches", sum.launches}, {"failed", sum.failed}};
    const bool any_completed = sum.failed != sum.launches;
    put_counters(entry, sum.counters, any_completed ? &sum.completed : nullptr, derive);
    if (sum.lanes != 0) entry.update(to_json(sum.profile, sum.lanes, sum.warps_per_sm));
    if (!any_completed) entry.erase("occupancy");
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace gvp::gpgpu
