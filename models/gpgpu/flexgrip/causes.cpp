// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/causes.h"

#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {

uint32_t cause_of(g80::FaultCause fault) {
  switch (fault) {
    case g80::FaultCause::kNone:
      return FLEXGRIP_CAUSE_NONE;
    case g80::FaultCause::kIllegalInstruction:
      return FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION;
    case g80::FaultCause::kUnsupportedInstruction:
      return FLEXGRIP_CAUSE_UNSUPPORTED_INSTRUCTION;
    case g80::FaultCause::kMisaligned:
      return FLEXGRIP_CAUSE_MISALIGNED;
    case g80::FaultCause::kGlobalOutOfRange:
      return FLEXGRIP_CAUSE_GLOBAL_OUT_OF_RANGE;
    case g80::FaultCause::kSharedOutOfRange:
      return FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE;
    case g80::FaultCause::kConstantOutOfRange:
      return FLEXGRIP_CAUSE_CONSTANT_OUT_OF_RANGE;
    case g80::FaultCause::kLocalOutOfRange:
      return FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE;
    case g80::FaultCause::kCodeOutOfRange:
      return FLEXGRIP_CAUSE_CODE_OUT_OF_RANGE;
    case g80::FaultCause::kStackOverflow:
      return FLEXGRIP_CAUSE_STACK_OVERFLOW;
    case g80::FaultCause::kStackUnderflow:
      return FLEXGRIP_CAUSE_STACK_UNDERFLOW;
    case g80::FaultCause::kBusError:
      return FLEXGRIP_CAUSE_BUS_ERROR;
    case g80::FaultCause::kTrap:
      return FLEXGRIP_CAUSE_TRAP;
  }
  return FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION;
}

const char* describe(g80::FaultCause fault) { return flexgrip_cause_text(cause_of(fault)); }

}  // namespace gvp::gpgpu::flexgrip
