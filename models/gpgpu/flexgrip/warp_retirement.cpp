// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/warp_retirement.h"

#include <algorithm>

namespace gvp::gpgpu::flexgrip {
namespace {

using Kind = g80::Operand::Kind;

constexpr unsigned kLanes = 32;

bool has(uint32_t lanes, unsigned lane) { return (lanes >> lane & 1) != 0; }

Retired::Row row_of(Retired::File file, unsigned number, const simt::Lanes& lanes) {
  Retired::Row row;
  row.file = file;
  row.number = static_cast<uint8_t>(number);
  for (unsigned lane = 0; lane < kLanes; ++lane) row.values[lane] = lanes[lane];
  return row;
}

bool same(const g80::ConditionRegister& a, const g80::ConditionRegister& b) {
  return a.zero == b.zero && a.sign == b.sign && a.carry == b.carry && a.overflow == b.overflow;
}

}  // namespace

void WarpRetirement::before(const WarpPlace& place, const g80::Op&, g80::Warp& warp) {
  flags_ = warp.condition;
  const uint64_t block = uint64_t{place.block.y} << 32 | place.block.x;
  if (!begun_.emplace(block, place.warp_of_block).second) return;
  retired_ = {};
  retired_.place = place;
  retired_.begins = true;
  retired_.executed = warp.flow.active;
  add_row(g80::kRegisterRow, warp);
  observer_.retired(retired_);
}

void WarpRetirement::after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) {
  if (step.stop == g80::Stop::kFault) return;
  const g80::Op& op = *step.op;
  retired_ = {};
  retired_.place = place;
  retired_.pc = op.pc;
  retired_.executed = step.executed;
  for (const uint16_t row : {op.destination, op.wide[0], op.wide[1], op.wide[2], op.wide[3],
                             op.half_row, op.increment_row})
    add_row(row, warp);
  add_flags(warp);
  if (op.instruction->destination.is_memory()) add_stores(step, warp);
  observer_.retired(retired_);
}

void WarpRetirement::add_row(uint16_t row, const g80::Warp& warp) {
  if (row < g80::kAddressRegisterRow) return;  // a row of the machine's own
  const bool address = row < g80::kRegisterRow;
  const auto file = address ? Retired::File::kAddress : Retired::File::kRegister;
  const unsigned number =
      address ? row - g80::kAddressRegisterRow + 1u : unsigned{row} - g80::kRegisterRow;
  const auto told = std::find_if(
      retired_.rows.begin(), retired_.rows.end(),
      [&](const Retired::Row& each) { return each.file == file && each.number == number; });
  if (told != retired_.rows.end()) return;
  retired_.rows.push_back(row_of(file, number, warp.rows[row]));
  retired_.rows.back().lanes = retired_.executed;
  if (address) retired_.rows.back().bits = 0xffff;
}

void WarpRetirement::add_flags(const g80::Warp& warp) {
  for (unsigned number = 0; number < flags_.size(); ++number) {
    const g80::ConditionRegister& flags = warp.condition[number];
    if (same(flags, flags_[number])) continue;
    Retired::Row row;
    row.file = Retired::File::kFlags;
    row.number = static_cast<uint8_t>(number);
    row.lanes = retired_.executed;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      row.values[lane] = (has(flags.zero, lane) ? 1u : 0u) | (has(flags.sign, lane) ? 2u : 0u) |
                         (has(flags.carry, lane) ? 4u : 0u) | (has(flags.overflow, lane) ? 8u : 0u);
    retired_.rows.push_back(row);
  }
}

void WarpRetirement::add_stores(const g80::Step& step, const g80::Warp& warp) {
  const g80::Operand& to = step.op->instruction->destination;
  if (step.addresses == nullptr) return;
  const unsigned bytes = to.bytes();
  std::array<uint8_t, 16> values{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(step.executed, lane)) continue;
    const uint32_t address = (*step.addresses)[lane];
    Retired::Byte byte;
    if (to.kind == Kind::kShared) {
      byte.space = MemorySpace::kShared;
      std::copy_n(warp.shared + address, bytes, values.begin());
    } else if (to.kind == Kind::kLocal) {
      byte.space = MemorySpace::kLocal;
      std::copy_n(warp.local + size_t{lane} * warp.local_bytes + address, bytes, values.begin());
    } else if (!read_global_(address, values.data(), bytes)) {
      continue;
    }
    for (unsigned i = 0; i < bytes; ++i) {
      byte.address = address + i;
      byte.value = values[i];
      retired_.stores.push_back(byte);
    }
  }
}

}  // namespace gvp::gpgpu::flexgrip
