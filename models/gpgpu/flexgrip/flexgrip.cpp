// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/flexgrip.h"

#include "models/base/error.h"

namespace gvp::gpgpu::flexgrip {

std::unique_ptr<Device> make_flexgrip(const sc_core::sc_module_name&, const std::string& model,
                                      const Configuration& configuration) {
  validate(configuration);
  throw bad_input("this build has no FlexGrip model \"" + model + '"', {}, "none is built in yet");
}

}  // namespace gvp::gpgpu::flexgrip
