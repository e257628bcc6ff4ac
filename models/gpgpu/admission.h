// SPDX-License-Identifier: Apache-2.0
// Whether a device can run a launch: the blocks of it that its SMs hold at a time
// (simt/occupancy.h), or why not even one fits.  No SystemC.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpgpu/fault.h"
#include "models/gpgpu/simt/occupancy.h"

namespace gvp::gpgpu {

struct Admission {
  FaultCause cause = FaultCause::kNone;  // kNone: it fits
  uint32_t blocks_per_sm = 0;            // at a time
  std::string message;                   // for people, when refused
};

Admission refuse(FaultCause cause, std::string message);
// wanted: blocks per SM that the launch asks for; 0: as many as fit.
Admission admit(const simt::BlockNeeds& block, const simt::SmLimits& sm, uint64_t wanted);

}  // namespace gvp::gpgpu
