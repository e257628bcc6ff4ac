// SPDX-License-Identifier: Apache-2.0
// The processor's log: --log LEVEL:host.  Warnings: bus errors; debug: exceptions; trace: every
// instruction.
#pragma once

#include "models/base/log.h"

namespace gvp::host {

extern const Log kLog;

}  // namespace gvp::host
