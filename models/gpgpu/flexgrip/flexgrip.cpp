// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/flexgrip.h"

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/device.h"
#include "models/gpgpu/flexgrip/timing/engines.h"

namespace gvp::gpgpu::flexgrip {

std::unique_ptr<Device> make_flexgrip(const sc_core::sc_module_name& name, const std::string& model,
                                      const Configuration& configuration) {
  validate(configuration);
  if (model == "lt")
    return std::make_unique<FlexGrip>(name, configuration, timing::make_lt_engine(configuration));
  if (model == "at")
    return std::make_unique<FlexGrip>(name, configuration, timing::make_at_engine(configuration));
  throw bad_input("this build has no FlexGrip model \"" + model + '"', {}, "models: lt, at");
}

void observe_warps(Device& device, WarpObserver& observer) {
  auto* flexgrip = dynamic_cast<FlexGrip*>(&device);
  if (flexgrip == nullptr)
    throw model_error(std::string(device.name()) + " is no FlexGrip: it has no G80 warps to show");
  flexgrip->observe_warps(observer);
}

}  // namespace gvp::gpgpu::flexgrip
