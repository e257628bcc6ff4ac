// SPDX-License-Identifier: Apache-2.0
// Processor version registers PVR0 to PVR12 (UG984 tables "Processor Version Register 0" ff.), made
// from the configuration.
#pragma once

#include <cstdint>

#include "models/host/configuration.h"

namespace gvp::host {

uint32_t version_register(const Configuration& configuration, unsigned number);

}  // namespace gvp::host
