// SPDX-License-Identifier: Apache-2.0
// The smallest system around a GPGPU: an interconnect with the GPGPU's windows, DDR3 where global
// memory is there, and in place of a host one process that writes the control registers as a
// driver would, waits for the interrupt and reads what came out.  Addresses are those of the
// platform (its default board).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/gpgpu/device.h"
#include "tools/gpgpu-run/kernel_image.h"
#include "tools/gpgpu-run/request.h"

namespace gvp::tools {

// What the registers say when the kernel has ended.
struct Result {
  bool done = false;  // else refused, stopped or out of time
  bool out_of_time = false;
  uint32_t cause = 0;
  uint32_t fault_pc = 0;
  uint32_t fault_address = 0;
  uint32_t fault_warp = 0;
  uint32_t fault_block = 0;
  uint64_t cycles = 0;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
};

class Bench : public sc_core::sc_module {
 public:
  Bench(const sc_core::sc_module_name& name, const Request& request, const KernelImage& image);

  // Loads memories, runs the kernel.  Throws Error for what does not fit memory.
  Result run();
  std::vector<uint8_t> read_global(uint32_t address, uint32_t bytes, const std::string& option);
  nlohmann::ordered_json statistics() const;
  gpgpu::Device& device() { return *gpgpu_; }

 private:
  void connect();
  void load();
  void drive();
  void watch();
  void configure_kernel();
  void collect();
  uint64_t counter(uint32_t offset);
  void write_register(uint32_t offset, uint32_t value);
  uint32_t read_register(uint32_t offset);
  void transport(tlm::tlm_command command, uint32_t address, uint32_t& word);
  // Untimed access; the number of bytes that exist.
  uint64_t access(tlm::tlm_command command, uint64_t address, void* data, uint64_t bytes);
  void write_global(uint32_t address, const void* data, uint64_t bytes, const std::string& what);
  uint64_t global_base() const;
  uint64_t base_of(const std::string& window) const;  // of the GPGPU
  uint64_t ddr3_base() const;
  uint64_t global_bytes() const;
  const char* more_memory() const;  // what to do where it is too small

  const Request& request_;
  const KernelImage& image_;
  std::unique_ptr<gpgpu::Device> gpgpu_;
  std::unique_ptr<ddr3::MemoryController> ddr3_;
  std::unique_ptr<axi::Interconnect> interconnect_;
  tlm_utils::simple_initiator_socket<Bench> socket_{"socket"};
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
  sc_core::sc_event ended_{"ended"};
  Result result_;
};

}  // namespace gvp::tools
