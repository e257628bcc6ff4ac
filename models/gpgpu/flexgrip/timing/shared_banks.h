// SPDX-License-Identifier: Apache-2.0
// How many steps an access of shared memory through an address register takes where that has banks
// (gpgpu.shared_banks): a step serves what the rule (models/cache/bank_conflicts.h) lets it serve,
// and takes what a lane takes without banks; lanes that take no part take nothing.  Each row of a
// warp makes its own access.  No SystemC.
//
// Not here: what reads s[] without an address register, which is one access for all lanes anyway.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/cache/bank_conflicts.h"
#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip::timing {

class SharedBanks : public g80::LaneSteps {
 public:
  using Rows = std::array<uint32_t, 4>;  // a warp has no more

  // rule: its name; throws Error (bad input) for another one.
  SharedBanks(const std::string& rule, unsigned sps) : rule_(cache::banking_of(rule)), sps_(sps) {}

  bool any() const { return rule_ != cache::Banking::kNone; }
  // Whether the op's lanes access shared memory, and nothing else lane by lane.
  static bool serve(const g80::Op& op);
  // Steps of each row: of an op that they serve, with its lanes' byte addresses.
  Rows rows(const g80::Op& op, const simt::Lanes& addresses, simt::Mask lanes) const;
  // Of all rows.
  uint32_t steps(const g80::Op& op, const simt::Lanes& addresses, simt::Mask lanes) const override;

 private:
  const cache::Banking rule_;
  const unsigned sps_;
};

}  // namespace gvp::gpgpu::flexgrip::timing
