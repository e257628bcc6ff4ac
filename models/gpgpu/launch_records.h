// SPDX-License-Identifier: Apache-2.0
// What a device remembers of its launches, for statistics: each of the first kMostRecords by
// itself, later ones summed up by the kernel's name, so that a program that launches kernels for
// days needs no more memory than one that launches a thousand; and all of them by name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/gpgpu/kernel_profile.h"
#include "models/gpgpu/launch.h"

namespace gvp::gpgpu {

struct LaunchRecord {
  std::string name;
  std::vector<uint32_t> grid;        // blocks, in the dimensions that the device has
  std::vector<uint32_t> block;       // threads
  nlohmann::ordered_json resources;  // that a block or thread takes: {"registers": 11, ...}
  FaultCause cause = FaultCause::kNone;
  Counters counters;
  nlohmann::ordered_json details;  // of the timing model
  double begin_ns = 0;             // simulated time of its first cycle
  KernelProfile profile{};         // empty: refused
};

class LaunchRecords {
 public:
  static constexpr uint64_t kMostRecords = 1000;
  // Of further launches; kernels beyond them are summed up as "other kernels".
  static constexpr size_t kMostNames = 1000;
  // Adds to an entry what the device works out from its counters, such as an energy.
  using Derive = std::function<void(nlohmann::ordered_json& entry, const Counters& counters)>;

  // The record of a launch that begins; the reference, to be filled in further, holds until the
  // next one begins.
  LaunchRecord& begin(LaunchRecord record);
  const LaunchRecord& last() const { return launches_ > kMostRecords ? last_ : records_.back(); }
  uint64_t launches() const { return launches_; }

  // Lists of the single records, of the sums beyond them, and of sums of all.
  nlohmann::ordered_json records(const Derive& derive) const;
  nlohmann::ordered_json sums(const Derive& derive) const;
  nlohmann::ordered_json totals(const Derive& derive) const;

 private:
  struct Sum {
    uint64_t launches = 0;
    uint64_t failed = 0;  // refused or stopped
    Counters counters;    // the deepest stack; all else added up
    Counters completed;   // cycles and instructions of those that ran to their end
    SmProfile profile;    // of all SMs; executing and warp cycles of completed launches
    uint32_t lanes = 0;
    uint32_t warps_per_sm = 0;
  };
  using Sums = std::map<std::string, Sum>;
  static void add(Sums& sums, const LaunchRecord& record);
  static nlohmann::ordered_json list(const Sums& sums, const Derive& derive);

  uint64_t launches_ = 0;
  std::vector<LaunchRecord> records_;  // the first kMostRecords
  LaunchRecord last_;                  // beyond them, not yet in sums_
  Sums sums_;
};

}  // namespace gvp::gpgpu
