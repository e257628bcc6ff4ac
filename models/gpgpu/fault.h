// SPDX-License-Identifier: Apache-2.0
// Why a launch is refused or stopped (causes.h, in C++) and where in a kernel that was, whatever
// the instruction set.  No SystemC.
#pragma once

#include <cstdint>

#include "models/gpgpu/causes.h"

namespace gvp::gpgpu {

enum class FaultCause : uint8_t {
#define GPGPU_CAUSE_ENUMERATOR(name, enumerator, number, text) enumerator = (number),
  GPGPU_CAUSES(GPGPU_CAUSE_ENUMERATOR)
#undef GPGPU_CAUSE_ENUMERATOR
};

// What it means, for messages: "misaligned memory access".
inline const char* text_of(FaultCause cause) {
  return gpgpu_cause_text(static_cast<unsigned long>(cause));
}
// Whether it refuses a launch that has not begun.
inline bool refuses(FaultCause cause) {
  return cause != FaultCause::kNone && cause < FaultCause::kIllegalInstruction;
}

// Why and where a warp cannot go on.  The faulting instruction has had no effect.
struct Fault {
  FaultCause cause = FaultCause::kNone;
  uint32_t pc = 0;
  uint32_t address = 0;  // of memory, where one is involved
  uint8_t lane = 0;      // the first lane it concerns
};

}  // namespace gvp::gpgpu
