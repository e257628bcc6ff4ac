// SPDX-License-Identifier: Apache-2.0
#include "models/host/log.h"

namespace gvp::host {

const Log kLog("host");

}  // namespace gvp::host
