// SPDX-License-Identifier: Apache-2.0
// Builds a FlexGrip device.  Windows: "control" (registers, parameters, constant memory; see
// flexgrip_registers.h), "code" (system memory) and, with global_memory = "bram", "global".
#pragma once

#include <memory>
#include <string>
#include <systemc>

#include "models/gpgpu/device.h"
#include "models/gpgpu/flexgrip/configuration.h"

namespace gvp::gpgpu::flexgrip {

class WarpObserver;  // warp_observer.h

// model: "lt", "at" or "rtl:<name>"; throws Error (bad input) for what this build does not have
// and for an impossible configuration.
std::unique_ptr<Device> make_flexgrip(const sc_core::sc_module_name& name, const std::string& model,
                                      const Configuration& configuration);

// Shows the observer every instruction of a device that make_flexgrip built.  Throws Error (model
// error) for another one.
void observe_warps(Device& device, WarpObserver& observer);

}  // namespace gvp::gpgpu::flexgrip
