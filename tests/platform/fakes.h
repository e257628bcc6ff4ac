// SPDX-License-Identifier: Apache-2.0
// A host and a GPGPU that do what a test tells them, for testing what surrounds them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/host/host.h"

namespace gvp::platform::test {

class FakeHost : public host::Host {
 public:
  // behaviour: the host's thread
  FakeHost(const sc_core::sc_module_name& name, std::function<void(FakeHost&)> behaviour)
      : Host(name), behaviour_(std::move(behaviour)) {
    interrupt(line_);
    connect();
    SC_HAS_PROCESS(FakeHost);
    SC_THREAD(run);
  }
  tlm::tlm_initiator_socket<>& instruction_socket() override { return socket_; }
  tlm::tlm_initiator_socket<>& data_socket() override { return socket_; }
  size_t debug_read(uint32_t, void*, size_t) override { return 0; }
  size_t debug_write(uint32_t, const void*, size_t) override { return 0; }
  void set_start_address(uint32_t) override {}
  void set_stop_handler(std::function<void(const host::Stop&)> handler) override {
    handler_ = std::move(handler);
  }
  void request_stop() override { stop_requested = true; }
  void reset() override {}
  void set_time_limit(const sc_core::sc_time&) override {}
  void set_held_handler(std::function<void()>) override {}
  void set_symbols(const host::Symbols&) override {}
  uint16_t attach_debugger(uint16_t port) override { return port; }
  void add_monitor_command(const std::string&, const std::string&,
                           std::function<std::string(const std::string&)>) override {}
  void observe(host::Observer&) override {}
  bool find_function(uint32_t, std::string&, uint32_t&) const override { return false; }
  void account_for_direct() override {}
  void start_profile() override {}
  void write_profile(const std::string&) const override {}
  uint32_t program_counter() const override { return 0; }
  std::string function() const override { return ""; }
  uint64_t instructions() const override { return executed; }
  uint64_t cycles() const override { return executed; }
  nlohmann::ordered_json statistics() const override { return {{"taken_branches", 3}}; }

  void stop(const host::Stop& stop) { handler_(stop); }

  volatile bool stop_requested = false;
  uint64_t executed = 0;

 private:
  void run() { behaviour_(*this); }
  void connect() {
    far_end_.register_b_transport(this, &FakeHost::ignore);
    socket_.bind(far_end_);
  }
  void ignore(tlm::tlm_generic_payload&, sc_core::sc_time&) {}

  std::function<void(FakeHost&)> behaviour_;
  std::function<void(const host::Stop&)> handler_;
  sc_core::sc_signal<bool> line_{"line"};
  tlm_utils::simple_initiator_socket<FakeHost> socket_{"socket"};
  tlm_utils::simple_target_socket<FakeHost> far_end_{"far_end"};
};

class FakeGpgpu : public gpgpu::Device {
 public:
  explicit FakeGpgpu(const sc_core::sc_module_name& name) : Device(name) {}
  std::vector<gpgpu::Window> windows() override { return {}; }
  std::vector<gpgpu::Port> ports() override { return {}; }
  std::vector<gpgpu::InterruptLine> interrupts() override { return {}; }
  void request_stop() override { stop_requested = true; }
  void reset() override {}
  gpgpu::Progress progress() const override { return {true, 2, 5, 64}; }
  nlohmann::ordered_json statistics() const override {
    return {{"kernels", nlohmann::ordered_json::array()}};
  }

  volatile bool stop_requested = false;
};

}  // namespace gvp::platform::test
