// SPDX-License-Identifier: Apache-2.0
// Functions that no kernel of a file calls.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

// Takes functions from the module that none of its kernels needs, as there are in headers: nothing
// is made of them, nor said of them.
void leave_out_uncalled(Module& module);

}  // namespace gvp::ptx
