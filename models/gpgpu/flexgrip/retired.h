// SPDX-License-Identifier: Apache-2.0
// A warp instruction that has been carried out, with what it has changed, in the same terms for
// models and RTL, so that the two can be compared: rows of registers, $a and flags (a value for
// each lane), and bytes that it has stored.  Addresses are bytes: of the block (s[]), the thread
// (l[]), or the device (g[]).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/gpgpu/observer.h"

namespace gvp::gpgpu::flexgrip {

struct Retired {
  enum class File : uint8_t { kRegister, kAddress, kFlags };  // $r, $a, $c
  // New values of some lanes of a row; flags: zero, sign, carry and overflow from bit 0 on.
  struct Row {
    File file = File::kRegister;
    uint8_t number = 0;
    bool adds = false;     // to what was there, modulo 2^16
    uint32_t lanes = ~0u;  // which of them
    uint32_t bits = ~0u;   // of each value
    std::array<uint32_t, 32> values{};
  };
  struct Byte {
    MemorySpace space = MemorySpace::kGlobal;
    uint32_t address = 0;
    uint8_t value = 0;
  };

  WarpPlace place;
  bool begins = false;    // no instruction: what is there when the warp begins
  uint32_t pc = 0;        // bytes
  uint32_t executed = 0;  // lanes in which it took effect
  std::vector<Row> rows;
  std::vector<Byte> stores;  // in the order of its lanes
};

class RetiredObserver {
 public:
  virtual ~RetiredObserver() = default;
  virtual void retired(const Retired& retired) = 0;
};

}  // namespace gvp::gpgpu::flexgrip
