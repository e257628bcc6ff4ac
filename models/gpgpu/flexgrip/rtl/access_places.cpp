// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/access_places.h"

#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {

const AccessPlaces::Access* AccessPlaces::find(bool write, uint64_t address) const {
  const auto found = accesses_.find({write, address});
  return found == accesses_.end() ? nullptr : &found->second;
}

void AccessPlaces::after(const WarpPlace& place, const g80::Step& step, g80::Warp&) {
  if (step.addresses == nullptr) return;
  const g80::Instruction& instruction = *step.op->instruction;
  const bool write = instruction.destination.kind == g80::Operand::Kind::kGlobal;
  if (!write && instruction.sources[0].kind != g80::Operand::Kind::kGlobal) return;
  for (unsigned lane = 0; lane < simt::kWarpSize; ++lane)
    if ((step.executed >> lane & 1) != 0)
      accesses_[{write, (*step.addresses)[lane]}] = {place, step.op->pc, static_cast<int>(lane)};
}

}  // namespace gvp::gpgpu::flexgrip
