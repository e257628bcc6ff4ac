// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/kernel_profile.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

namespace gvp::gpgpu {
namespace {

using Json = nlohmann::ordered_json;

double ratio(uint64_t part, double whole) {
  return whole > 0 ? static_cast<double>(part) / whole : 0;
}

}  // namespace

uint64_t CycleClasses::sum() const {
  return std::accumulate(cycles_.begin(), cycles_.end(), uint64_t{0});
}

Json CycleClasses::to_json() const {
  Json json = Json::object();
  for (size_t i = 0; i < cycles_.size(); ++i) json[std::string(kCycleClassNames[i])] = cycles_[i];
  return json;
}

void SmProfile::add(const SmProfile& more) {
  cycles.add(more.cycles);
  warp_instructions += more.warp_instructions;
  active_lanes += more.active_lanes;
  executed_lanes += more.executed_lanes;
  executing_cycles += more.executing_cycles;
  warp_cycles += more.warp_cycles;
  for (size_t i = 0; i < instructions.size(); ++i) instructions[i] += more.instructions[i];
  for (size_t i = 0; i < memory.size(); ++i) {
    memory[i].reads += more.memory[i].reads;
    memory[i].writes += more.memory[i].writes;
    memory[i].bytes_read += more.memory[i].bytes_read;
    memory[i].bytes_written += more.memory[i].bytes_written;
  }
}

SmProfile KernelProfile::total() const {
  SmProfile sum;
  for (const SmProfile& sm : sms) sum.add(sm);
  return sum;
}

Json to_json(const SmProfile& profile, uint32_t lanes, uint32_t warps_per_sm) {
  Json json;
  json["cycles_by_class"] = profile.cycles.to_json();
  json["simd_efficiency"] =
      ratio(profile.active_lanes, static_cast<double>(profile.warp_instructions) * lanes);
  json["executed_lanes"] = profile.executed_lanes;
  json["occupancy"] =
      ratio(profile.warp_cycles, static_cast<double>(profile.executing_cycles) * warps_per_sm);
  Json& instructions = json["instructions"] = Json::object();
  for (size_t i = 0; i < profile.instructions.size(); ++i)
    instructions[std::string(kInstructionKindNames[i])] = profile.instructions[i];
  Json& memory = json["memory"] = Json::object();
  for (size_t i = 0; i < profile.memory.size(); ++i) {
    const AccessCounters& c = profile.memory[i];
    memory[std::string(kAccessSpaceNames[i])] = {{"reads", c.reads},
                                                 {"writes", c.writes},
                                                 {"bytes_read", c.bytes_read},
                                                 {"bytes_written", c.bytes_written}};
  }
  return json;
}

}  // namespace gvp::gpgpu
