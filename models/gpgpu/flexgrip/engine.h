// SPDX-License-Identifier: Apache-2.0
// The part of a FlexGrip device that differs between timing models: it runs one admitted kernel
// from start to done.  The device around it (registers, windows, memories, interrupt) is the
// same for all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <systemc>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/off_chip.h"
#include "models/gpgpu/flexgrip/program_profile.h"
#include "models/gpgpu/flexgrip/warp_observer.h"
#include "models/gpgpu/g80/machine.h"
#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/hierarchy/memory_hierarchy.h"
#include "models/gpgpu/launch_cycle.h"
#include "models/gpgpu/memory_port.h"
#include "models/gpgpu/simt/lanes.h"

namespace gvp::gpgpu::flexgrip {

// The cycles in which an SM executed blocks and issued nothing, summed over SMs.  executing: those
// from the configuration of each batch of blocks to its end; a warp is issued in 32 / SPs rows.
inline uint64_t stall_cycles(uint64_t executing, uint64_t warp_instructions, unsigned sps) {
  const uint64_t rows = warp_instructions * (simt::kWarpSize / sps);
  return executing - std::min(executing, rows);
}

// One admitted kernel.
struct Launch {
  const Kernel& kernel;
  unsigned blocks_per_sm;  // at a time
  g80::Program& program;   // annotate its ops as you like
  g80::Machine& machine;
  StopRequest& stop;                                // end as soon as possible (reset, request_stop)
  MemoryPort* bus;                                  // of global memory in DDR3, else nullptr
  const Observation* observation;                   // who watches; nullptr: nobody
  hierarchy::MemoryHierarchy* hierarchy = nullptr;  // before the bus; nullptr: nothing
  OffChip* off_chip = nullptr;                      // code and constants; nullptr: in the device
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Runs in the device's SC_THREAD and takes the kernel's simulated time by wait().
  virtual Ending run(const Launch& launch) = 0;
  // Of the last or running kernel, as an initiator with this local time sees it.
  virtual Counters counters(const sc_core::sc_time& now) const = 0;
  // More about the last kernel, to stand in statistics()["kernels"][i]: "stalls", ...
  virtual nlohmann::ordered_json details() const = 0;
  // What each SM did in the last kernel, which has ended.
  virtual const std::vector<ProgramProfile>& profiles() const = 0;
  // What observers' StageEvents count (Device::stages).
  virtual std::vector<std::string> stages() const { return {}; }
};

}  // namespace gvp::gpgpu::flexgrip
