// SPDX-License-Identifier: Apache-2.0
// Code and constants that lie in memory on the bus (thesis 5.3, figure 18), as SMs read them:
// through caches of their own, whose time is known with each read.  No SystemC.  Units: clock
// cycles since the start of the kernel; bytes.
//
// Constants are what memory has when they are fetched.  Instructions are decoded when the kernel
// begins: one whose bytes are others when it is fetched, as somebody has written there meanwhile,
// stops the kernel as an illegal instruction.  What cannot be executed is not fetched.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/gpgpu/g80/program.h"
#include "models/gpgpu/global_memory.h"
#include "models/gpgpu/hierarchy/read_port.h"

namespace gvp::gpgpu::flexgrip {

// Bytes of memory on the bus as the device has last written them.
class MovedMemory {
 public:
  MovedMemory(uint64_t base, uint32_t bytes);
  uint64_t base() const { return base_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  // Calls write(address, data, bytes) for each stretch of these, the first of all, that memory does
  // not have yet, until one fails.
  using Write = std::function<bool(uint64_t address, const uint8_t* data, uint32_t bytes)>;
  bool update(const uint8_t* bytes, size_t count, const Write& write);

 private:
  static constexpr size_t kStretch = 128;  // bytes of a write: a line's (thesis 5.6)
  const uint64_t base_;
  std::vector<uint8_t> bytes_;
  std::vector<bool> written_;  // by stretch: memory has them
};

// An instruction that is not the one that was decoded.
struct ChangedCode {
  uint32_t pc, address;  // of its first word that differs
  uint32_t loaded, found;
};

// The instructions of one SM.
class InstructionFetch {
 public:
  InstructionFetch(hierarchy::ReadPort& port, const MovedMemory& code,
                   std::optional<ChangedCode>& changed)
      : port_(port), code_(code), changed_(changed) {}
  // Of this op, which the warp is to execute, in this cycle; false, with the warp stopped, if it
  // cannot.
  bool fetch(const g80::Op& op, uint64_t cycle, g80::Warp& warp);
  // Cycles that it took beyond those of the pipeline's fetch stage.
  uint32_t waited() const { return port_.waited(); }

 private:
  FaultCause read(const g80::Op& op, uint32_t address);

  hierarchy::ReadPort& port_;
  const MovedMemory& code_;
  std::optional<ChangedCode>& changed_;
};

// The constants of one SM.
class ConstantReads : public ConstantPort {
 public:
  ConstantReads(hierarchy::ReadPort& port, uint64_t base)
      : port_(port), base_(static_cast<uint32_t>(base)) {}
  void begin(uint64_t cycle) { port_.begin(cycle); }
  uint32_t waited() const { return port_.waited(); }
  FaultCause read(uint32_t address, void* data, unsigned bytes) override {
    return port_.read(base_ + address, data, bytes);
  }

 private:
  hierarchy::ReadPort& port_;
  const uint32_t base_;
};

}  // namespace gvp::gpgpu::flexgrip
