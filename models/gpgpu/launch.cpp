// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch.h"

#include <fmt/format.h>

namespace gvp::gpgpu {

std::string describe(const Ending& ending, const EndingTexts& texts) {
  if (refuses(ending.cause)) return "refused: " + texts.refusal();
  switch (ending.cause) {
    case FaultCause::kAborted:
      return "stopped on request";
    case FaultCause::kBarrierDeadlock:
      return "stopped: barrier deadlock, all warps left wait; one of them at " + texts.place();
    case FaultCause::kIllegalInstruction:
      return fmt::format("stopped: illegal instruction: {}; {}", texts.illegal(), texts.place());
    default:
      return fmt::format("stopped: {}, address {:#010x}; {}", text_of(ending.cause),
                         ending.fault.address, texts.place());
  }
}

}  // namespace gvp::gpgpu
