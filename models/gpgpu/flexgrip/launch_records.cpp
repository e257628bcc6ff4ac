// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/launch_records.h"

#include <algorithm>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

using Json = nlohmann::ordered_json;

void put_counters(Json& entry, const Counters& counters, const Estimates& estimates,
                  const Configuration& configuration) {
  entry["cycles"] = counters.cycles;
  entry["warp_instructions"] = counters.warp_instructions;
  entry["thread_instructions"] = counters.thread_instructions;
  entry["stall_cycles"] = counters.stall_cycles;
  entry["divergent_branches"] = counters.divergent_branches;
  entry["max_stack_depth"] = counters.max_stack_depth;
  entry["energy_mj"] = energy_mj(estimates, configuration, counters.cycles);
}

}  // namespace

LaunchRecord& LaunchRecords::begin(const Kernel& kernel) {
  if (launches_ > kMostRecords) add(sums_, last_);
  LaunchRecord record;
  record.kernel = kernel;
  if (++launches_ <= kMostRecords) return records_.emplace_back(std::move(record));
  return last_ = std::move(record);
}

void LaunchRecords::add(Sums& sums, const LaunchRecord& record) {
  const bool room = sums.size() < kMostNames || sums.count(record.name) != 0;
  Sum& sum = sums[room ? record.name : "other kernels"];
  const Counters& c = record.counters;
  ++sum.launches;
  sum.failed += record.cause != 0 ? 1 : 0;
  sum.counters.cycles += c.cycles;
  sum.counters.warp_instructions += c.warp_instructions;
  sum.counters.thread_instructions += c.thread_instructions;
  sum.counters.stall_cycles += c.stall_cycles;
  sum.counters.divergent_branches += c.divergent_branches;
  sum.counters.max_stack_depth = std::max(sum.counters.max_stack_depth, c.max_stack_depth);
}

Json LaunchRecords::records(const Estimates& estimates, const Configuration& c) const {
  Json list = Json::array();
  for (const LaunchRecord& record : records_) {
    const Kernel& k = record.kernel;
    Json entry{{"name", record.name},
               {"grid", {k.grid_x, k.grid_y}},
               {"block", {k.block_x, k.block_y, k.block_z}},
               {"registers", k.registers_per_thread},
               {"shared_bytes", k.shared_bytes()},
               {"cause", record.cause}};
    put_counters(entry, record.counters, estimates, c);
    if (record.details.is_object()) entry.update(record.details);
    list.push_back(std::move(entry));
  }
  return list;
}

Json LaunchRecords::sums(const Estimates& estimates, const Configuration& c) const {
  Sums all = sums_;
  if (launches_ > kMostRecords) add(all, last_);
  Json list = Json::array();
  for (const auto& [name, sum] : all) {
    Json entry{{"name", name}, {"launches", sum.launches}, {"failed", sum.failed}};
    put_counters(entry, sum.counters, estimates, c);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace gvp::gpgpu::flexgrip
