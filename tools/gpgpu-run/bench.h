// SPDX-License-Identifier: Apache-2.0
// One launch on a board without its host: in place of a driver one process, which lets the device's
// launcher write the control registers, wait for the interrupt and read what came out.  The board
// is the platform's, with all that belongs to it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/device/launcher.h"
#include "platform/platform.h"
#include "platform/tracing.h"
#include "tools/gpgpu-run/request.h"

namespace gvp::tools {

struct Result : device::LaunchResult {
  bool out_of_time = false;
};

class Bench : public sc_core::sc_module, private device::LaunchPort {
 public:
  // Throws Error (bad input) for a board without a port to launch kernels by.
  Bench(const sc_core::sc_module_name& name, const Request& request, device::Launcher& launcher);
  // Ends the traces; a run that went wrong shows the ring.  Throws Error for one that could not be
  // written.
  void end_traces(bool wrong);

  // Loads memories, runs the kernel.  Throws Error for what does not fit memory.
  Result run();
  std::vector<uint8_t> read_global(uint32_t address, uint32_t bytes, const std::string& option);
  platform::Platform& platform() { return platform_; }
  // The device that runs the kernel, for whoever observes it.  Throws Error (bad input) for one
  // that cannot be observed.
  gpgpu::Device& device();
  // Asks the kernel to stop.
  void request_stop();

 private:
  void simulate();
  void load();
  void show_source_lines();
  void drive();
  void watch();
  void write_global(uint32_t address, const void* data, uint64_t bytes, const std::string& what);
  bool is_in_global_memory(uint64_t address, uint64_t bytes) const;

  uint32_t read(uint64_t address) override { return master_->read(address); }
  void write(uint64_t address, uint32_t word) override { master_->write(address, word); }
  uint64_t debug_read(uint64_t address, void* data, uint64_t bytes) override {
    return master_->debug_read(address, data, bytes);
  }
  uint64_t debug_write(uint64_t address, const void* data, uint64_t bytes) override {
    return master_->debug_write(address, data, bytes);
  }
  void wait_for_interrupt(const std::string& output) override;

  const Request& request_;
  device::Launcher& launcher_;
  std::unique_ptr<platform::Tracing> tracing_;  // outlives the board; null: nothing is recorded
  platform::Platform platform_;
  kit::ExternalMaster* master_;
  Result result_;
  bool ended_ = false;
  std::exception_ptr error_;  // of the process that launches
};

}  // namespace gvp::tools
