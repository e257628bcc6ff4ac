// SPDX-License-Identifier: Apache-2.0
// What stands between a GPGPU's SMs and its bus port.  Plain data: no SystemC.
#pragma once

#include <string>

#include "models/cache/settings.h"

namespace gvp::gpgpu::hierarchy {

// GPGPU-Sim's GTX 480, of one memory partition: -gpgpu_cache:dl2 64:128:8,L, A:32:4.  What a hit
// takes is assumed: a block RAM behind a queue.
inline cache::Settings default_l2() {
  cache::Settings l2;
  l2.sets = 64;
  l2.ways = 8;
  l2.hit_cycles = 2;
  l2.miss_requests = 4;
  l2.miss_queue = 4;
  return l2;
}

// Caches of an SM that are only read.  It reads one instruction or one constant at a time and holds
// until that is there, so no more than one line is on its way.
inline cache::Settings read_cache(uint32_t sets, uint32_t line_bytes, uint32_t ways) {
  cache::Settings settings;
  settings.sets = sets;
  settings.line_bytes = settings.sector_bytes = line_bytes;
  settings.ways = ways;
  settings.miss_registers = 0;
  return settings;
}

// GPGPU-Sim's GTX 480 (configs/GTX480/gpgpusim.config): -gpgpu_cache:il1 4:128:4,L, 2 KiB, and
// -gpgpu_const_cache:l1 64:64:2,L, 8 KiB.
inline cache::Settings default_instruction_cache() { return read_cache(4, 128, 4); }
inline cache::Settings default_constant_cache() { return read_cache(64, 64, 2); }

// GPGPU-Sim's GTX 480: -gpgpu_tex_cache:l1 4:128:24,L, 12 KiB, F:128:4,128:2 (so many loads on
// their way).
inline cache::Settings default_texture_cache() {
  cache::Settings settings;
  settings.sets = 4;
  settings.ways = 24;
  settings.miss_registers = 128;
  settings.miss_requests = 4;
  settings.miss_queue = 128;
  return settings;
}

// network.h.  Flits as in GPGPU-Sim's Fermi network (flit_size = 32), the queues as its
// -gpgpu_dram_partition_queues 8:8:8:8, buffers as its networks' (vc_buf_size = 8, of one virtual
// channel; input_buffer_size is 9 by itself); what a hop takes is assumed.
struct NetworkSettings {
  std::string topology = "none";  // "none", "crossbar" or "mesh"
  uint32_t flit_bytes = 32;
  uint32_t hop_cycles = 3;    // of a packet's head, from link to link
  uint32_t queue = 8;         // requests at the shared cache or memory
  uint32_t answer_queue = 8;  // answers there
  uint32_t input_flits = 9;   // in the buffer before a source's first link
  uint32_t buffer_flits = 8;  // in the buffer at a link's end
  double clock_hz = 0;        // 0: the GPGPU's
};

constexpr uint32_t kMostRequestBytes = 256;
// NVIDIA's segments are no smaller (CUDA C Programming Guide F.3.2.2, F.4.2).
constexpr uint32_t kSegmentBytes = 32;

struct Settings {
  cache::Settings l1;  // of each SM
  cache::Settings l2 = default_l2();
  double l2_clock_hz = 0;           // 0: the GPGPU's
  bool perfect_memory = false;      // the last level answers in the next cycle
  NetworkSettings network;          // between SMs and what they share
  uint32_t request_bytes = 0;       // that a load without an L1 asks for, or more; 0: its own
  uint32_t outstanding = 1;         // transactions of the bus port at a time
  uint32_t port_bytes = 4;          // that its data channel moves in a cycle; counts between those
  std::string coalescing = "none";  // models/cache/coalescing.h
  // Of an SM, on their way while its other warps go on; 0: the pipeline holds until all are
  // answered.
  uint32_t sm_requests = 0;
  cache::Settings instruction_cache = default_instruction_cache();  // of each SM
  cache::Settings constant_cache = default_constant_cache();        // of each SM
  cache::Settings texture_cache = default_texture_cache();          // of each SM

  bool any() const {
    return l1.enabled || texture_cache.enabled || l2.enabled || instruction_cache.enabled ||
           constant_cache.enabled || perfect_memory || network.topology != "none" ||
           request_bytes != 0 || outstanding != 1 || coalescing != "none" || sm_requests != 0;
  }
};

// Addresses of global memory whose loads go by the texture cache.
struct Texture {
  uint32_t base = 0;
  uint32_t bytes = 0;
  bool holds(uint32_t address) const { return address - base < bytes; }
};

// Throws Error (bad input) naming the key; instance: "gpgpu".
void validate(const Settings& settings, const std::string& instance);

}  // namespace gvp::gpgpu::hierarchy
