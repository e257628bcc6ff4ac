// SPDX-License-Identifier: Apache-2.0
// FlexGrip as a device of a board.
#include "models/gpgpu/flexgrip/device_type.h"

#include <nlohmann/json.hpp>

#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/keys.h"
#include "models/gpgpu/flexgrip/launcher.h"
#include "models/gpgpu/flexgrip/register_rows.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using namespace device;

std::vector<device::Window> windows(const Instance& instance) {
  if (instance.model == "none") return {};
  const auto& c = instance.as<Configuration>();
  std::vector<device::Window> windows = {
      {"control", kControlBytes, "control: configuration, parameters, constant memory"},
      {"code", c.code_bytes, "system (instruction) memory"}};
  windows.front().lite = true;
  if (c.global_memory == "bram")
    windows.push_back({"global", c.global_bytes, "global memory in block RAM"});
  return windows;
}

std::vector<KeptMemory> keeps_memory(const Instance& instance) {
  const auto& c = instance.as<Configuration>();
  if (instance.model == "none" || !c.is_off_chip()) return {};
  return {{instance.name + ".off_chip_base", c.off_chip_base, c.off_chip_end() - c.off_chip_base,
           "code and constants of " + instance.name}};
}

Parts make(const Instance& instance, Surroundings&) {
  // A board whose GPGPU windows are empty, as on a machine without one, for drivers that must
  // notice.
  if (instance.model == "none") {
    Parts parts;
    parts.statistics = [] {
      return nlohmann::ordered_json{{"kernels", nlohmann::ordered_json::array()}};
    };
    return parts;
  }
  return parts_of(
      make_flexgrip(instance.name.c_str(), instance.model, instance.as<Configuration>()));
}

}  // namespace

Parts parts_of(std::unique_ptr<Device> device) {
  Device& d = *device;
  Parts parts;
  for (const gpgpu::Window& window : d.windows())
    parts.targets.push_back({window.name, window.socket});
  for (const gpgpu::Port& port : d.ports()) parts.initiators.push_back({port.name, port.socket});
  for (const InterruptLine& each : d.interrupts())
    parts.interrupts.push_back({each.name, each.line});
  parts.statistics = [&d] { return d.statistics(); };
  parts.reset = [&d] { d.reset(); };
  parts.module = std::move(device);
  return parts;
}

DeviceType flexgrip_type() {
  DeviceType type;
  type.name = "flexgrip";
  type.description = "FlexGrip";
  type.models = {"lt", "at"};
  type.may_be_absent = true;
  type.defaults = Configuration{};
  type.keys = keys();
  type.key_groups = {{"timing", "costs of FlexGrip's pipeline"},
                     {"l1", "level-1 data caches"},
                     {"l2", "level-2 cache"},
                     {"instruction_cache", "level-1 instruction caches"},
                     {"constant_cache", "level-1 constant caches"},
                     {"texture_cache", "texture caches"},
                     {"network", "network between SMs and what they share"}};
  type.windows = windows;
  type.registers = [](const Instance& instance) {
    const auto& c = instance.as<Configuration>();
    return RegisterMap{"control", register_rows(c, kit::Clock(c.clock_hz).hz())};
  };
  type.masters = {{"", 1, false, true}};  // it waits for each access
  type.keeps_memory = keeps_memory;
  type.interrupts = {{"interrupt", Trigger::kLevel}};
  type.has_reset = true;
  type.device_tree = [](const Instance&) {
    return TreeNode{"gpgpu", {"gpgpu-vp,flexgrip-1.00.a"}, {}};
  };
  type.make = make;
  type.make_launcher = [](const Instance& instance, const LaunchRequest& request,
                          const std::vector<MemoryRange>& memories) {
    return std::make_unique<FlexGripLauncher>(instance, request, memories);
  };
  return type;
}

}  // namespace gvp::gpgpu::flexgrip
