// SPDX-License-Identifier: Apache-2.0
// --break PC: the first warp that is about to execute there shows its state; then the run ends.
#pragma once

#include <functional>
#include <string>

#include "models/gpgpu/flexgrip/warp_observer.h"

namespace gvp::tools {

class Breakpoint : public gpgpu::flexgrip::WarpObserver {
 public:
  // stop: asks the device to end the kernel
  Breakpoint(uint32_t pc, std::function<void()> stop) : pc_(pc), stop_(std::move(stop)) {}

  bool hit() const { return !state_.empty(); }
  // The warp's state as text, empty before the hit.
  const std::string& state() const { return state_; }

  void blocks_loaded(unsigned sm, unsigned blocks, const gpgpu::flexgrip::Kernel& kernel) override;
  void before(const gpgpu::WarpPlace& place, const gpgpu::g80::Op& op,
              gpgpu::g80::Warp& warp) override;
  void after(const gpgpu::WarpPlace&, const gpgpu::g80::Step&, gpgpu::g80::Warp&) override {}
  void barrier_passed(unsigned, unsigned) override {}

 private:
  uint32_t pc_;
  std::function<void()> stop_;
  uint32_t registers_ = 0;
  std::string state_;
};

}  // namespace gvp::tools
