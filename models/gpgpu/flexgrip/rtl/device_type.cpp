// SPDX-License-Identifier: Apache-2.0
// FlexGrip as a device of a board, with RTL among its models.
#include "models/gpgpu/flexgrip/device_type.h"

#include <memory>

#include "models/gpgpu/flexgrip/rtl/kernel_comparison.h"
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "models/gpgpu/flexgrip/rtl/shape.h"
#include "models/rtl/model_name.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using namespace device;

Parts make_rtl(const Instance& instance, const Surroundings& surroundings) {
  const auto& configuration = instance.as<Configuration>();
  const std::string block =
      instance.model == "rtl" ? block_for(configuration) : rtl::block_of(instance.model, "");
  auto device =
      std::make_unique<RtlFlexGrip>(instance.name.c_str(), block, configuration, surroundings.seed);
  RtlFlexGrip& d = *device;
  Parts parts = parts_of(std::move(device));
  parts.protocol_violations = [&d] { return d.protocol_violations(); };
  parts.open_wave = [&d](const std::string& file) { d.block().open_wave(file); };
  return parts;
}

}  // namespace

DeviceType flexgrip_type_with_rtl() {
  register_kernel_comparison();
  DeviceType type = flexgrip_type();
  type.models.emplace_back("rtl");
  type.make = [make_model = type.make](const Instance& instance, Surroundings& surroundings) {
    return rtl::is_rtl(instance.model) ? make_rtl(instance, surroundings)
                                       : make_model(instance, surroundings);
  };
  return type;
}

}  // namespace gvp::gpgpu::flexgrip
