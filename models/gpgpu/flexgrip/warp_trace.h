// SPDX-License-Identifier: Apache-2.0
// --log trace:warp: a line for each instruction of each warp, with what it has written.
#pragma once

#include "models/gpgpu/flexgrip/warp_observer.h"

namespace gvp::gpgpu::flexgrip {

class WarpTrace : public WarpObserver {
 public:
  static bool wanted();  // the log level says so

  void blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) override;
  void before(const WarpPlace& place, const g80::Op& op, g80::Warp& warp) override;
  void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) override;
  void barrier_passed(unsigned sm, unsigned block_slot) override;

 private:
  uint32_t registers_ = 0;  // per thread
};

// "0x5" where the lanes agree, else all of them: "[0x0 0x1 - 0x3]", - for lanes without.
std::string lanes_text(const simt::Lanes& lanes, simt::Mask mask);

}  // namespace gvp::gpgpu::flexgrip
