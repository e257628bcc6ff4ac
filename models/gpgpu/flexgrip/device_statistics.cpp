// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/device_statistics.h"

#include <nlohmann/json.hpp>

#include "models/gpgpu/flexgrip/estimates.h"

namespace gvp::gpgpu::flexgrip {
namespace {

nlohmann::ordered_json estimates_json(const Estimates& e) {
  return {{"dynamic_w", e.dynamic_watts},
          {"static_w", e.static_watts},
          {"luts", e.area.luts},
          {"flip_flops", e.area.flip_flops},
          {"block_rams", e.area.block_rams},
          {"dsps", e.area.dsps},
          {"extrapolated", e.extrapolated},
          {"rules", e.notes},
          {"exceeds_fpga", e.exceeded}};
}

}  // namespace

nlohmann::ordered_json device_statistics(const Configuration& configuration,
                                         const LaunchRecords& records, uint64_t bus_transactions) {
  const Estimates estimates = estimate(configuration);
  const auto energy = [&](nlohmann::ordered_json& entry, const Counters& counters) {
    entry["energy_mj"] = energy_mj(estimates, configuration, counters.cycles);
  };
  return {{"kernels", records.records(energy)},
          {"further_kernels", records.sums(energy)},
          {"kernel_totals", records.totals(energy)},
          {"bus_transactions", bus_transactions},
          {"estimates", estimates_json(estimates)}};
}

}  // namespace gvp::gpgpu::flexgrip
