// SPDX-License-Identifier: Apache-2.0
// Code and constants in memory on the bus (thesis 5.3, figure 18), where the caches for them are
// enabled.  The host writes them through the device's windows as ever; before a kernel's cycle 0
// the device writes what has changed since to its place in that memory (gpgpu.off_chip_base), in
// transactions of its bus port, and each SM then reads it from there through its caches.
//
// Not modelled: host accesses through the windows that go to that memory themselves; reading there
// shows what the host has written.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/off_chip_reads.h"
#include "models/gpgpu/hierarchy/memory_hierarchy.h"
#include "models/gpgpu/launch_cycle.h"
#include "models/gpgpu/memory_port.h"
#include "models/tlm/clock.h"

namespace gvp::gpgpu::flexgrip {

class OffChip {
 public:
  // The references must outlive this.
  OffChip(const Configuration& configuration, const kit::Clock& clock, MemoryPort& bus,
          hierarchy::MemoryHierarchy& hierarchy);

  // What a kernel needs of both memories goes to the bus, in simulated time.  False when it has
  // been told to stop meanwhile.  Throws Error (bad input) where memory refuses it.
  bool write_out(const std::vector<uint32_t>& code, const std::vector<uint8_t>& constants,
                 StopRequest& stop);

  // Of an SM; null: they are in the device.
  InstructionFetch* instructions(unsigned sm) { return of(instructions_, sm); }
  ConstantReads* constants(unsigned sm) { return of(constants_, sm); }

  // What has stopped the last kernel, if it was that.
  const std::optional<ChangedCode>& changed() const { return changed_; }
  // Of the last write_out(): {"writes", "bytes", "cycles"}.
  nlohmann::ordered_json statistics() const;

 private:
  template <typename Reads>
  static Reads* of(const std::vector<std::unique_ptr<Reads>>& all, unsigned sm) {
    return all.empty() ? nullptr : all[sm].get();
  }
  bool write(uint64_t address, const uint8_t* data, uint32_t bytes, const StopRequest& stop);

  const kit::Clock clock_;
  MemoryPort& bus_;
  const bool is_perfect_;
  MovedMemory code_, constant_memory_;
  std::optional<ChangedCode> changed_;
  std::vector<std::unique_ptr<InstructionFetch>> instructions_;  // by SM; empty: none
  std::vector<std::unique_ptr<ConstantReads>> constants_;
  uint64_t writes_ = 0, bytes_ = 0, cycles_ = 0;
};

}  // namespace gvp::gpgpu::flexgrip
