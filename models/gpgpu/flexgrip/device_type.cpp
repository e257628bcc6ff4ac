// SPDX-License-Identifier: Apache-2.0
// FlexGrip as a device of a board.
#include "models/device/device_type.h"

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <nlohmann/json.hpp>

#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/keys.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using namespace device;

constexpr uint64_t kControlBytes = 64 << 10;

// No GPGPU (model "none"): a board whose GPGPU windows are empty, as on a machine without one, for
// drivers that must notice.
class Absent : public Device {
 public:
  explicit Absent(const sc_core::sc_module_name& name) : Device(name) {}
  std::vector<gpgpu::Window> windows() override { return {}; }
  tlm::tlm_initiator_socket<>& memory_socket() override { return socket_; }
  void request_stop() override {}
  void reset() override {}
  Progress progress() const override { return {}; }
  nlohmann::ordered_json statistics() const override {
    return {{"kernels", nlohmann::ordered_json::array()}};
  }

 private:
  tlm_utils::simple_initiator_socket<Absent> socket_{"memory_socket"};
};

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

Parts make(const Instance& instance, Surroundings&) {
  std::unique_ptr<Device> device;
  if (instance.model == "none")
    device = std::make_unique<Absent>(instance.name.c_str());
  else
    device = make_flexgrip(instance.name.c_str(), instance.model, instance.as<Configuration>());
  Device& d = *device;
  Parts parts;
  for (const gpgpu::Window& window : d.windows())
    parts.targets.push_back({window.name, window.socket});
  parts.initiators = {{"", &d.memory_socket()}};
  parts.interrupt = &d.interrupt;
  parts.statistics = [&d] { return d.statistics(); };
  parts.module = std::move(device);
  return parts;
}

}  // namespace

DeviceType flexgrip_type() {
  DeviceType type;
  type.name = "flexgrip";
  type.description = "FlexGrip";
  type.models = {"lt", "at"};
  type.may_be_absent = true;
  type.defaults = Configuration{};
  type.keys = keys();
  type.key_groups = {{"timing", "costs of FlexGrip's pipeline"}};
  type.windows = windows;
  type.masters = {{"", 1}};  // it waits for each access
  type.interrupt = InterruptOutput::kLevel;
  type.device_tree = [](const Instance&) {
    return TreeNode{"gpgpu", {"gpgpu-vp,flexgrip-1.00.a"}, {}};
  };
  type.make = make;
  return type;
}

}  // namespace gvp::gpgpu::flexgrip
