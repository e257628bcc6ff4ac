// SPDX-License-Identifier: Apache-2.0
// Whether FlexGrip's RTL can be what a configuration describes, and the inputs that make it so:
// what the keys choose is tied to pins, as far as the compiled block has room for it.
#pragma once

#include <string>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/rtl/block.h"

namespace gvp::gpgpu::flexgrip {

// "flexgrip_sp8"; throws Error (bad input) where this program has none with so many SPs, saying how
// to build it, or where no block can be so (require_shape).
std::string block_for(const Configuration& configuration);
// Throws Error (bad input), which names the key, for what the RTL does not have: several SMs,
// other costs of the pipeline, more of something than there is room for.
void require_shape(const Configuration& configuration);
void tie_shape(rtl::Block& block, const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
