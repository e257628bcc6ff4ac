// SPDX-License-Identifier: Apache-2.0
// Tells what each instruction of a model has changed (retired.h).  An instruction that fails is
// not told.
#pragma once

#include <functional>
#include <set>
#include <utility>

#include "models/gpgpu/flexgrip/retired.h"
#include "models/gpgpu/flexgrip/warp_observer.h"

namespace gvp::gpgpu::flexgrip {

class WarpRetirement : public WarpObserver {
 public:
  // read_global: of global memory; false where there is none.
  using ReadGlobal = std::function<bool(uint32_t address, uint8_t* data, unsigned bytes)>;
  WarpRetirement(RetiredObserver& observer, ReadGlobal read_global)
      : observer_(observer), read_global_(std::move(read_global)) {}

  // Before a kernel.
  void kernel_begins() { begun_.clear(); }

  void blocks_loaded(unsigned, unsigned, const Kernel&) override {}
  void before(const WarpPlace& place, const g80::Op& op, g80::Warp& warp) override;
  void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) override;
  void barrier_passed(unsigned, unsigned) override {}

 private:
  void add_row(uint16_t row, const g80::Warp& warp);
  void add_flags(const g80::Warp& warp);
  void add_stores(const g80::Step& step, const g80::Warp& warp);

  RetiredObserver& observer_;
  ReadGlobal read_global_;
  std::set<std::pair<uint64_t, uint32_t>> begun_;  // block, warp of it
  std::array<g80::ConditionRegister, 4> flags_;    // before the instruction
  Retired retired_;                                // that is being told
};

}  // namespace gvp::gpgpu::flexgrip
