// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/device_type.h"

#include <nlohmann/json.hpp>

#include "models/gpgpu/miaow/device.h"
#include "models/gpgpu/miaow/keys.h"
#include "models/gpgpu/miaow/register_rows.h"

namespace gvp::gpgpu::miaow {
namespace {

using namespace device;

Parts make(const Instance& instance, Surroundings&) {
  std::unique_ptr<Device> made =
      make_miaow(instance.name.c_str(), instance.model, instance.as<Configuration>());
  Device& d = *made;
  Parts parts;
  for (const gpgpu::Window& window : d.windows())
    parts.targets.push_back({window.name, window.socket});
  parts.statistics = [&d] { return d.statistics(); };
  parts.reset = [&d] { d.reset(); };
  parts.module = std::move(made);
  return parts;
}

}  // namespace

DeviceType miaow_type() {
  DeviceType type;
  type.name = "miaow";
  type.description = "MIAOW2.0";
  type.models = {"lt", "at"};
  type.defaults = Configuration{};
  type.keys = keys();
  type.key_groups = {{"timing", "costs of MIAOW's compute unit"}};
  type.windows = [](const Instance&) {
    device::Window control{"control", kWindowBytes, "control: the AXI slave's registers"};
    control.lite = true;
    return std::vector<device::Window>{control};
  };
  type.registers = [](const Instance&) {
    std::vector<RegisterRow> rows = register_rows();
    for (const RegisterRow& row : queue_register_rows()) rows.push_back(row);
    return RegisterMap{"control", rows};
  };
  type.device_tree = [](const Instance&) {
    return TreeNode{"gpgpu", {"gpgpu-vp,miaow-2.00.a"}, {}};
  };
  type.has_reset = true;
  type.make = make;
  return type;
}

}  // namespace gvp::gpgpu::miaow
