// SPDX-License-Identifier: Apache-2.0
// The statistics of a FlexGrip device, whatever runs its kernels: their records with the energy
// that each took (mJ), and the estimates of power and area (estimates.h).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/launch_records.h"

namespace gvp::gpgpu::flexgrip {

// {"kernels": [...], "further_kernels", "kernel_totals", "bus_transactions", "estimates"}
nlohmann::ordered_json device_statistics(const Configuration& configuration,
                                         const LaunchRecords& records, uint64_t bus_transactions);

}  // namespace gvp::gpgpu::flexgrip
