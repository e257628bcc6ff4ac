// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/access_places.h"

#include <iterator>

#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {
namespace {

// Whether it writes global memory; nothing: it does not access it.
std::optional<bool> global_access(const g80::Op& op) {
  const g80::Instruction& instruction = *op.instruction;
  if (instruction.destination.kind == g80::Operand::Kind::kGlobal) return true;
  if (instruction.sources[0].kind == g80::Operand::Kind::kGlobal) return false;
  return std::nullopt;
}

}  // namespace

void AccessPlaces::clear() {
  accesses_.clear();
  under_way_.clear();
}

std::optional<AccessPlaces::Access> AccessPlaces::find(bool write, uint64_t address,
                                                       bool first) const {
  if (const auto found = accesses_.find({write, address}); found != accesses_.end())
    return first ? found->second.first : found->second.last;
  const auto begin = under_way_.lower_bound({write, 0});
  const auto end = under_way_.upper_bound({write, ~0u});
  if (begin == end || std::next(begin) != end) return std::nullopt;
  return begin->second;
}

void AccessPlaces::before(const WarpPlace& place, const g80::Op& op, g80::Warp&) {
  if (const auto write = global_access(op))
    under_way_[{*write, place.block.sm}] = {place, op.pc, -1};
}

void AccessPlaces::after(const WarpPlace& place, const g80::Step& step, g80::Warp&) {
  const auto write = global_access(*step.op);
  if (!write) return;
  under_way_.erase({*write, place.block.sm});
  if (step.addresses == nullptr) return;
  for (unsigned lane = 0; lane < simt::kWarpSize; ++lane) {
    if ((step.executed >> lane & 1) == 0) continue;
    const Access access{place, step.op->pc, static_cast<int>(lane)};
    accesses_.try_emplace({*write, (*step.addresses)[lane]}, Accesses{access, access})
        .first->second.last = access;
  }
}

}  // namespace gvp::gpgpu::flexgrip
