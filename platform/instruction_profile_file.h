// SPDX-License-Identifier: Apache-2.0
// --kernel-profile: what each instruction of each kernel did and cost, as a listing for people or,
// in a file whose name ends in .csv, as a table with every class of cycles (docs/statistics.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/gpgpu/device.h"

namespace gvp::platform {

// Asks all devices that can; throws Error (bad input) where none can.
void start_instruction_profiles(const std::vector<gpgpu::Device*>& gpgpus);
// path: "-" for standard output; throws Error (bad input) for a file that cannot be written.
void write_instruction_profiles(const std::vector<gpgpu::Device*>& gpgpus, const std::string& path);

std::string instruction_listing(const gpgpu::InstructionProfile& profile);
std::string instruction_csv(const std::string& device, const gpgpu::InstructionProfile& profile);

}  // namespace gvp::platform
