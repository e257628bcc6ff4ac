// SPDX-License-Identifier: Apache-2.0
// Runs what a command line of gpgpu-run --device miaow asks for.
#pragma once

#include "tools/gpgpu-run/miaow_request.h"

namespace gvp::tools {

// The exit code.  Throws Error.
int run_on_miaow(const MiaowRequest& request);

}  // namespace gvp::tools
