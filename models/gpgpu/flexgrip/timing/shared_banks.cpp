// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/shared_banks.h"

#include <numeric>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

bool is_shared(const g80::Operand& operand) { return operand.kind == g80::Operand::Kind::kShared; }

// The operand that is accessed lane by lane, if one alone is.
const g80::Operand* accessed_by_lane(const g80::Instruction& instruction) {
  const g80::Operand* found = nullptr;
  unsigned count = 0;
  for (const g80::Operand& source : instruction.sources) {
    if (!source.is_memory() || !source.indexed || instruction.address_register == 0) continue;
    found = &source;
    ++count;
  }
  if (instruction.destination.is_memory()) {
    found = &instruction.destination;
    ++count;
  }
  return count == 1 ? found : nullptr;
}

}  // namespace

bool SharedBanks::serve(const g80::Op& op) {
  const g80::Operand* operand = accessed_by_lane(*op.instruction);
  return operand != nullptr && is_shared(*operand);
}

SharedBanks::Rows SharedBanks::rows(const g80::Op& op, const simt::Lanes& addresses,
                                    simt::Mask lanes) const {
  cache::WarpAccess access;
  for (unsigned lane = 0; lane < simt::kWarpSize; ++lane)
    access.addresses[lane] = addresses.lane[lane];
  access.write = is_shared(op.instruction->destination);
  access.bytes = accessed_by_lane(*op.instruction)->bytes();
  Rows steps{};
  for (unsigned first = 0, row = 0; first < simt::kWarpSize; first += sps_, ++row) {
    access.lanes = lanes & simt::first_lanes(sps_) << first;
    steps[row] = cache::bank_steps(rule_, access);
  }
  return steps;
}

uint32_t SharedBanks::steps(const g80::Op& op, const simt::Lanes& addresses,
                            simt::Mask lanes) const {
  const Rows of_rows = rows(op, addresses, lanes);
  return std::accumulate(of_rows.begin(), of_rows.end(), uint32_t{0});
}

}  // namespace gvp::gpgpu::flexgrip::timing
