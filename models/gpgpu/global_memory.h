// SPDX-License-Identifier: Apache-2.0
// How the execution of instructions, which knows neither time nor buses, reaches global memory: one
// range directly, everything else through a port.  No SystemC.  Addresses and sizes are bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/fault.h"

namespace gvp::gpgpu {

// Accesses of single lanes.
struct LaneTraffic {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
};

// Memory at an address range; data[0] is what lies at base.
struct DirectRange {
  uint8_t* data = nullptr;
  uint32_t base = 0;
  uint64_t bytes = 0;  // 0: there is none
  // Accesses below this address are faults, whatever answers there; a multiple of 16.  The range
  // does not begin below it, unless addresses wrap in it.
  uint32_t null_page_bytes = 0;
  // What instructions have done in it, where there is a port, too: its owner takes this and sets it
  // back.
  LaneTraffic done;
};

// What an instruction of a warp of 32 lanes accesses.
struct WarpAccesses {
  std::array<uint32_t, 32> addresses{};  // of the lanes that take part, aligned
  uint32_t lanes = 0;                    // these; bit i: lane i
  unsigned bytes = 4;                    // of each
  bool write = false;
  std::array<std::array<uint8_t, 16>, 32> stored{};  // by a write
};

// Global memory behind whatever a device has there: a bus, a cache.
class GlobalPort {
 public:
  virtual ~GlobalPort() = default;
  // Return kNone, or why the access failed.  bytes is 1, 2, 4, 8 or 16, address aligned to it.
  virtual FaultCause read(uint32_t address, void* data, unsigned bytes) = 0;
  virtual FaultCause write(uint32_t address, const void* data, unsigned bytes) = 0;

  // One that coalesces is told before an instruction's first lane what all of them will access, who
  // then do so, the lowest first.
  virtual bool coalesces() const { return false; }
  virtual void announce(const WarpAccesses& /*accesses*/) {}
};

// Constant memory that is not in the device.
class ConstantPort {
 public:
  virtual ~ConstantPort() = default;
  // Return kNone, or why the access failed.  address: in constant memory; bytes is 1, 2 or 4,
  // address aligned to it.
  virtual FaultCause read(uint32_t address, void* data, unsigned bytes) = 0;
};

// For timing models: measures what the accesses of one instruction take.  They go out one after
// the other, lane by lane.
class AccessClock {
 public:
  virtual ~AccessClock() = default;
  // The instruction that is executed next reaches memory in this clock cycle of the kernel.
  virtual void begin(uint64_t cycle) = 0;
  // Cycles that each access since took, in lane order.
  virtual const std::vector<uint32_t>& accesses() const = 0;
  // Where the pipeline goes on before memory has answered: the cycle in which the data of loads
  // since are there, for which their warp waits.  0: accesses() has all of their time.
  virtual uint64_t data_cycle() const { return 0; }
  // The one to use for an SM, where each has its own way to memory.
  virtual AccessClock& of_sm(unsigned /*number*/) { return *this; }
};

}  // namespace gvp::gpgpu
