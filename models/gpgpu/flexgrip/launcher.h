// SPDX-License-Identifier: Apache-2.0
// How kernels get onto a FlexGrip without a host: a cubin or bare code, loaded and launched through
// the registers that a driver writes (flexgrip_registers.h).
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "models/device/device_type.h"
#include "models/device/launcher.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/kernel_image.h"

namespace gvp::gpgpu::flexgrip {

class FlexGripLauncher : public device::Launcher {
 public:
  // memories: of the board, where global memory may be.  Throws Error (bad input) for files that
  // cannot be read and what the device cannot hold.
  FlexGripLauncher(const device::Instance& instance, const device::LaunchRequest& request,
                   const std::vector<device::MemoryRange>& memories);

  const std::string& kernel() const override { return image_.name; }
  const device::GlobalMemory& global_memory() const override { return global_; }
  const std::vector<device::Variable>& variables() const override { return image_.variables; }
  void load(device::LaunchPort& port) override;
  void launch(device::LaunchPort& port) override;
  device::LaunchResult result(device::LaunchPort& port) override;

  const std::vector<uint32_t>& code() const { return image_.code; }  // G80

 private:
  uint64_t control(uint32_t offset) const { return bases_.at("control") + offset; }
  using NameWords = std::array<uint32_t, FLEXGRIP_KERNEL_NAME_WORDS>;
  NameWords name_words() const;
  void load_constants(device::LaunchPort& port) const;
  void configure(device::LaunchPort& port) const;
  uint64_t counter(device::LaunchPort& port, uint32_t offset) const;

  device::LaunchRequest request_;
  std::map<std::string, uint64_t> bases_;
  device::GlobalMemory global_;
  KernelImage image_;
  bool name_by_bus_;  // RTL, also as one of two, has no debug writes to registers
};

}  // namespace gvp::gpgpu::flexgrip
