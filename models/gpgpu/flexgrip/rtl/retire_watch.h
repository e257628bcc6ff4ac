// SPDX-License-Identifier: Apache-2.0
// Tells what each instruction of FlexGrip's RTL has changed (retired.h), as it leaves the write
// stage: read off the pins trace_*, which show every write to registers, flags and memories.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/retired.h"
#include "models/gpgpu/flexgrip/rtl/kernel_watch.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/rtl/pin.h"

namespace gvp::gpgpu::flexgrip {

class RetireWatch : public rtl::Agent {
 public:
  // Throws Error (bad input) where the block has no such pins.
  RetireWatch(rtl::Block& block, const KernelWatch& kernels, unsigned sps, uint32_t local_bytes);

  void add(RetiredObserver& observer) { observers_.push_back(&observer); }
  void set_kernel(const Kernel& kernel);

 private:
  struct Sm {
    Retired row;  // what is written by the instruction in the write stage
    // By the warp's place: registers that were written before its first instruction.
    std::array<std::vector<Retired::Row>, 32> first;
    std::array<bool, 32> begun{};
  };

  void sample() override;
  uint64_t idle_edges() const override { return busy_.high() ? 0 : kForever; }
  void sample_sm(unsigned number);
  void take_register(unsigned number, unsigned warp);
  void take_address(unsigned number, unsigned row);
  void take_flags(unsigned number);
  void take_store(unsigned number, unsigned warp);
  void tell(Sm& sm, unsigned number, unsigned warp);

  const KernelWatch& kernels_;
  const unsigned sps_, sms_;
  const uint32_t local_bytes_;
  rtl::Pin busy_, clear_, left_, written_, store_;
  rtl::Pin register_write_, register_row_, register_halves_, register_lanes_, register_data_;
  rtl::Pin address_write_, address_register_, address_lanes_, address_data_;
  rtl::Pin flags_write_, flags_register_, flags_lanes_, flags_data_;
  std::vector<Sm> all_;
  std::vector<RetiredObserver*> observers_;
  uint32_t registers_ = 1, shared_bytes_ = 1, warps_per_block_ = 1;
};

}  // namespace gvp::gpgpu::flexgrip
