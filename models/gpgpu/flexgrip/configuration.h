// SPDX-License-Identifier: Apache-2.0
// Configuration of one FlexGrip device.  Every field is the configuration key gpgpu.<field>.
// Defaults are the thesis's physical limits (table 5) and its one-SM, eight-SP device.  Sizes are
// bytes, frequencies Hz.  Plain data: no SystemC.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"
#include "models/gpgpu/hierarchy/settings.h"

namespace gvp::gpgpu::flexgrip {

constexpr uint32_t kNullPageBytes = 256;

struct Configuration {
  // Shape.
  uint32_t sms = 1;  // streaming multiprocessors, 1..64
  uint32_t sps = 8;  // scalar processors per SM: 8, 16 or 32
  double clock_hz = 100e6;

  // Limits per SM (thesis table 5).
  uint32_t warps_per_sm = 24;
  uint32_t threads_per_sm = 768;
  uint32_t blocks_per_sm = 8;
  uint32_t registers_per_sm = 8192;
  uint32_t shared_bytes_per_sm = 16384;
  uint32_t threads_per_block = 256;
  uint32_t stack_depth = 32;    // warp stack entries (thesis 4.1.1); 0: no divergence at all
  uint32_t local_bytes = 1024;  // local memory per thread

  std::string shared_banks = "none";  // rule of conflicts in shared memory

  // Units that a trimmed device lacks (thesis 4.1): kernels that need them are stopped.
  bool multiplier = true;
  bool three_operands = true;  // mad, and everything else that reads three registers
  bool floating_point = true;
  // What G80 has not: atomic operations on global memory (compute capability 1.1) and on
  // shared memory, votes (1.2).
  bool device_extensions = false;

  // Choices the sources leave open.
  std::string first_path = "taken";  // of a divergent branch: "taken" (RTL) or "not-taken" (thesis)
  std::string fmad = "ieee";  // "ieee": product rounded, as the RTL; "truncate": as sm_10 hardware
  std::string denormals = "flush";  // of float operands and results: "flush" to zero, or "keep"
  // The last warp of a block whose threads do not fill it: its other lanes are "masked", or it runs
  // "full", as in FlexGrip's and FlexGripPlus's RTL.  Those lanes then do as thread 0 does.
  std::string partial_warps = "masked";

  // Memories.
  uint32_t code_bytes = 256 * 1024;    // system (instruction) memory
  uint32_t constant_bytes = 8 * 1024;  // up to 64 KiB
  std::string global_memory = "bram";  // "bram": own block RAM; "ddr3": master on the AXI bus
  uint32_t global_bytes = 4 << 20;     // size of the block RAM, up to 32 MiB
  // Misaligned accesses and addresses beyond the block RAM: "checked": stop the kernel; "wrap":
  // go byte by byte, modulo the size, as in FlexGripPlus.
  std::string global_addresses = "checked";
  bool null_page = true;  // accesses to the first kNullPageBytes stop the kernel

  // What stands before global memory on the bus (thesis 5): keys gpgpu.l1.<field>,
  // gpgpu.l2.<field>.
  cache::Settings l1;
  cache::Settings l2 = hierarchy::default_l2();
  double l2_clock_hz = 0;              // key gpgpu.l2.clock_hz; 0: clock_hz
  bool perfect_memory = false;         // it answers in the next cycle
  hierarchy::NetworkSettings network;  // keys gpgpu.network.<field>
  uint32_t request_bytes = 0;          // of a load without an L1, at least
  uint32_t outstanding = 1;            // transactions of the bus port
  uint32_t port_bytes = 4;             // of its data channel
  std::string coalescing = "none";     // rule by which lanes share requests
  uint32_t sm_requests = 0;            // of an SM on their way while other warps go on
  // System and constant memory in memory on the bus, where the caches for them are on (thesis 5.3):
  // keys gpgpu.instruction_cache.<field>, gpgpu.constant_cache.<field>.
  cache::Settings instruction_cache = hierarchy::default_instruction_cache();
  cache::Settings constant_cache = hierarchy::default_constant_cache();
  cache::Settings texture_cache =
      hierarchy::default_texture_cache();  // gpgpu.texture_cache.<field>
  uint32_t off_chip_base = 0x6ff8'0000;    // where both lie; the end of the ML605's DDR3
  bool is_off_chip() const { return instruction_cache.enabled || constant_cache.enabled; }
  uint64_t off_chip_constants() const {
    return off_chip_base + whole_pages(code_bytes);  // behind the code
  }
  uint64_t off_chip_end() const { return off_chip_constants() + whole_pages(constant_bytes); }
  static uint64_t whole_pages(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

  hierarchy::Settings hierarchy() const {
    return {
        l1,           l2,         l2_clock_hz, perfect_memory, network,           request_bytes,
        outstanding,  port_bytes, coalescing,  sm_requests,    instruction_cache, constant_cache,
        texture_cache};
  }

  // Approximately timed: costs of the SM pipeline, keys gpgpu.timing.<field>.
  flexgrip::timing::PipelineTiming timing;
};

// Throws Error (bad input) naming the key, its value and what is allowed.
void validate(const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
