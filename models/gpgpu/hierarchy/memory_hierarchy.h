// SPDX-License-Identifier: Apache-2.0
// The memory hierarchy of the thesis's chapter 5 between the SMs of a device and its bus port: a
// level-1 data cache for each SM, caches of its instructions and constants, a network, a level-2
// cache that they share, or some of these, in front of the memory on the bus or of a perfect one.
// Used by loosely and approximately timed models alike; what the caches hold depends on the order
// of the accesses alone.
//
// A kernel finds its caches empty, and what it has left dirty in them is written back before it
// ends: so a host sees all that kernels have written, and they all that it has.
// A load of a texture, which is a range of addresses, goes by its SM's texture cache in place of
// the L1 cache.
//
// How the lanes of an instruction come: sm_port.h; how code and constants are read: read_port.h.
// docs/caches.md.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <systemc>
#include <vector>

#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/hierarchy/cache_level.h"
#include "models/gpgpu/hierarchy/clock_crossing.h"
#include "models/gpgpu/hierarchy/memory_below.h"
#include "models/gpgpu/hierarchy/network.h"
#include "models/gpgpu/hierarchy/read_port.h"
#include "models/gpgpu/hierarchy/settings.h"
#include "models/gpgpu/hierarchy/shared_entry.h"
#include "models/gpgpu/hierarchy/sm_port.h"

namespace gvp::gpgpu::hierarchy {

class MemoryHierarchy : public GlobalPort, public AccessClock {
 public:
  // instance: as its keys begin.  Throws Error (bad input) for settings that are not possible.
  MemoryHierarchy(const Settings& settings, const std::string& instance, unsigned sms,
                  MemoryPort& port, const kit::Clock& clock);

  // A kernel begins, whose cycle 0 is this time.  annotated: MemoryBelow.  apart: each SM's
  // accesses are made in a process of its own (shared_entry.h).
  void begin(const sc_core::sc_time& start, bool annotated, bool apart = false);
  SmPort& sm(unsigned number) { return *sms_[number]; }
  AccessClock& of_sm(unsigned number) override { return *sms_[number]; }
  void begin(uint64_t cycle) override { current_->begin(cycle); }
  const std::vector<uint32_t>& accesses() const override { return current_->accesses(); }
  uint64_t data_cycle() const override { return current_->data_cycle(); }
  // The last access was in this cycle: writes back what is dirty; then in which all is over.
  FaultCause end(uint64_t& cycle);

  // Of the SM whose port has begun last.
  FaultCause read(uint32_t address, void* data, unsigned bytes) override {
    return current_->read(address, data, bytes);
  }
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override {
    return current_->write(address, data, bytes);
  }
  bool coalesces() const override { return current_->coalesces(); }
  void announce(const WarpAccesses& accesses) override { current_->announce(accesses); }

  // Of an SM's instructions and of its constants; null: they do not come this way.
  ReadPort* instructions(unsigned sm) {
    return instructions_.empty() ? nullptr : instructions_[sm].get();
  }
  ReadPort* constants(unsigned sm) { return constants_.empty() ? nullptr : constants_[sm].get(); }

  // Of the kernels from the next one on; only with texture caches.
  void set_textures(const std::vector<Texture>& textures);

  // {"ports": [for each SM], "l1", "instruction", "constant", "texture": likewise, "network", "l2",
  // "below"} of the last kernel.
  nlohmann::ordered_json statistics() const;
  const CacheLevel* l1(unsigned sm) const { return sm < l1_.size() ? l1_[sm].get() : nullptr; }
  const CacheLevel* l2() const { return l2_.get(); }
  const BelowCounters& below() const;

 private:
  MemoryLevel& crossing(const kit::Clock& above, const kit::Clock& below, MemoryLevel& next);

  const kit::Clock clock_, l2_clock_, network_clock_;
  MemoryBelow memory_;
  PerfectMemory perfect_;
  const bool is_perfect_;
  std::unique_ptr<CacheLevel> l2_;
  std::unique_ptr<Network> network_;
  std::vector<std::unique_ptr<ClockCrossing>> crossings_;
  EntryTurns turns_;
  std::vector<std::unique_ptr<SharedEntry>> entries_;        // by SM, where they share anything
  std::vector<std::unique_ptr<NetworkPort>> network_ports_;  // by SM
  std::vector<std::unique_ptr<CacheLevel>> l1_;
  std::vector<std::unique_ptr<ReadPort>> instructions_, constants_;  // by SM; empty: none
  std::vector<std::unique_ptr<CacheLevel>> textures_;                // by SM; empty: none
  std::vector<std::unique_ptr<SmPort>> sms_;
  SmPort* current_ = nullptr;
};

}  // namespace gvp::gpgpu::hierarchy
