// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/settings.h"

namespace gvp::gpgpu::hierarchy {

void validate(const Settings& settings, const std::string& instance) {
  cache::validate(settings.l1, instance + ".l1");
  cache::validate(settings.l2, instance + ".l2");
}

}  // namespace gvp::gpgpu::hierarchy
