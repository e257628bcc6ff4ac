// SPDX-License-Identifier: Apache-2.0
// How memory operations reach memory: what an operation accesses in each lane, where that lies, and
// the access itself.  Follows CLRX's documentation of GCN 1.0 (SMRD, DS, MUBUF, MTBUF) and
// AMD's manuals of later generations where these say more.  Internal to the Southern Islands
// library.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/program.h"

namespace gvp::gpgpu::southern_islands {

enum class Atomic : uint8_t {
  kNone,
  kSwap,
  kCompareSwap,
  kAdd,
  kSubtract,
  kReverseSubtract,
  kSignedMinimum,
  kSignedMaximum,
  kUnsignedMinimum,
  kUnsignedMaximum,
  kAnd,
  kOr,
  kXor,
  kIncrement,
  kDecrement
};

// What an operation accesses in one lane.
struct Access {
  bool known = false;
  uint8_t bytes = 4;  // of a unit: 1, 2 or 4
  bool sign_extend = false;
  uint8_t words = 1;  // registers, of 4 bytes each
  Atomic atomic = Atomic::kNone;
  uint16_t offset_unit = 1;  // of each of two offsets
};
Access access_of(const OperationInfo& row);

// What memory holds after an atomic operation.
uint32_t atomic_result(Atomic atomic, uint32_t memory, uint32_t data, uint32_t compare);

// Global memory; kNone, or why it failed.
FaultCause read_global(const Machine& machine, uint32_t address, void* data, unsigned bytes);
FaultCause write_global(const Machine& machine, uint32_t address, const void* data, unsigned bytes);

// A buffer, as four scalar registers describe it.
struct Buffer {
  uint64_t base = 0;
  uint32_t stride = 0;
  uint32_t records = 0;
  bool swizzle = false;
  bool add_lane = false;
  uint32_t element_bytes = 0;  // of swizzling
  uint32_t index_stride = 0;
  std::array<uint8_t, 4> select{};  // which component goes where
  uint8_t number_format = 0;
  uint8_t data_format = 0;
};
Buffer buffer_of(const Wavefront& wavefront, Code resource);

// Where a lane's access begins; nothing: beyond the buffer's end.
std::optional<uint32_t> buffer_address(const Machine& machine, const Wavefront& wavefront,
                                       const Instruction& instruction, const Buffer& buffer,
                                       unsigned lane);

// How a typed element lies in memory: bits of up to four components, from the lowest.
struct ElementFormat {
  uint8_t components = 0;  // 0: there is no such format
  std::array<uint8_t, 4> bits{};
  unsigned bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u; }
};
ElementFormat element_format(unsigned data_format);
// Between a component's bits and a register.
uint32_t component_to_register(uint32_t bits, unsigned width, unsigned number_format);
uint32_t register_to_component(uint32_t value, unsigned width, unsigned number_format);

}  // namespace gvp::gpgpu::southern_islands
