// SPDX-License-Identifier: Apache-2.0
// No GPGPU (gpgpu.model = "none"): a board whose GPGPU windows are empty, as on a machine without
// one, for drivers that must notice.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "models/gpgpu/device.h"

namespace gvp::platform {

class AbsentGpgpu : public gpgpu::Device {
 public:
  explicit AbsentGpgpu(const sc_core::sc_module_name& name) : Device(name) {}
  std::vector<gpgpu::Window> windows() override { return {}; }
  tlm::tlm_initiator_socket<>& memory_socket() override { return socket_; }
  void request_stop() override {}
  void reset() override {}
  gpgpu::Progress progress() const override { return {}; }
  nlohmann::ordered_json statistics() const override {
    return {{"kernels", nlohmann::ordered_json::array()}};
  }

 private:
  tlm_utils::simple_initiator_socket<AbsentGpgpu> socket_{"memory_socket"};
};

}  // namespace gvp::platform
