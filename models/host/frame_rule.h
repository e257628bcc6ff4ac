// SPDX-License-Identifier: Apache-2.0
// How to get from a function to its caller, at one address of the program: where the caller's
// registers are.  Rules come from call-frame information (call_frames.h), or from the code itself
// (frame_analysis.h).
#pragma once

#include <cstdint>
#include <vector>

namespace gvp::host {

inline constexpr uint8_t kStackPointer = 1;
inline constexpr uint8_t kLink = 15;

// Where a register of the caller is.  The frame address is the caller's stack pointer (DWARF's
// CFA).
struct Recovery {
  enum class Kind : uint8_t {
    kLost,        // nowhere
    kInRegister,  // in register `from`
    kInFrame,     // in memory, `offset` bytes from the frame address
    kAtAddress,   // in memory, at address `offset`
    kFrame,       // the frame address + `offset` itself
  };
  uint8_t number = 0;  // the caller's register
  Kind kind = Kind::kLost;
  uint8_t from = 0;
  int32_t offset = 0;
};

struct FrameRule {
  bool known = false;
  // The frame address: a register and an offset.
  uint8_t base = kStackPointer;
  int32_t offset = 0;
  // The register that holds the return address when the function begins: r15 for functions, r14,
  // r16 or r17 for what returns from interrupts, breaks or exceptions.
  uint8_t link = kLink;
  // The registers that are not where they were; by default, the stack pointer is the frame address,
  // and every other register has the caller's value.
  std::vector<Recovery> registers;
};

}  // namespace gvp::host
