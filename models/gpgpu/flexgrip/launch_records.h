// SPDX-License-Identifier: Apache-2.0
// What a device remembers of its launches, for statistics: each of the first kMostRecords by
// itself, later ones summed up by the kernel's name, so that a program that launches kernels for
// days needs no more memory than one that launches a thousand.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/engine.h"
#include "models/gpgpu/flexgrip/estimates.h"
#include "models/gpgpu/flexgrip/kernel.h"

namespace gvp::gpgpu::flexgrip {

struct LaunchRecord {
  std::string name;
  Kernel kernel;
  uint32_t cause = 0;  // FLEXGRIP_CAUSE_*
  Counters counters;
  nlohmann::ordered_json details;  // of the engine
};

class LaunchRecords {
 public:
  static constexpr uint64_t kMostRecords = 1000;
  // Of further launches; kernels beyond them are summed up as "other kernels".
  static constexpr size_t kMostNames = 1000;

  // The record of a launch that begins, to be filled in; valid until the next one begins.
  LaunchRecord& begin(const Kernel& kernel);
  const LaunchRecord& last() const { return launches_ > kMostRecords ? last_ : records_.back(); }
  uint64_t launches() const { return launches_; }

  // Lists of the single records and of the sums.
  nlohmann::ordered_json records(const Estimates& estimates, const Configuration& c) const;
  nlohmann::ordered_json sums(const Estimates& estimates, const Configuration& c) const;

 private:
  struct Sum {
    uint64_t launches = 0;
    uint64_t failed = 0;  // refused or stopped
    Counters counters;    // the deepest stack; all else added up
  };
  using Sums = std::map<std::string, Sum>;
  static void add(Sums& sums, const LaunchRecord& record);

  uint64_t launches_ = 0;
  std::vector<LaunchRecord> records_;  // the first kMostRecords
  LaunchRecord last_;                  // beyond them, not yet in sums_
  Sums sums_;
};

}  // namespace gvp::gpgpu::flexgrip
