// SPDX-License-Identifier: Apache-2.0
// What makes a board impossible as its keys are: windows without a place or without room, devices
// that no master of any bus reaches, bridges that lead in a circle, data that a device keeps where
// there is no memory or another one has its own.
#pragma once

#include "platform/configuration/configuration.h"

namespace gvp::platform {

// Throws Error (bad input) for the first thing that cannot be.
void check_placement(const Configuration& configuration);

}  // namespace gvp::platform
