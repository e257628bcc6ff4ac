// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/memory_access.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "models/gpgpu/southern_islands/float_value.h"
#include "models/gpgpu/southern_islands/half.h"
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// By opcode, from 0 or from what returns the old value.
constexpr Atomic kShareAtomics[] = {Atomic::kAdd,
                                    Atomic::kSubtract,
                                    Atomic::kReverseSubtract,
                                    Atomic::kIncrement,
                                    Atomic::kDecrement,
                                    Atomic::kSignedMinimum,
                                    Atomic::kSignedMaximum,
                                    Atomic::kUnsignedMinimum,
                                    Atomic::kUnsignedMaximum,
                                    Atomic::kAnd,
                                    Atomic::kOr,
                                    Atomic::kXor};
// From 48.
constexpr Atomic kBufferAtomics[] = {Atomic::kSwap,
                                     Atomic::kCompareSwap,
                                     Atomic::kAdd,
                                     Atomic::kSubtract,
                                     Atomic::kNone,
                                     Atomic::kSignedMinimum,
                                     Atomic::kUnsignedMinimum,
                                     Atomic::kSignedMaximum,
                                     Atomic::kUnsignedMaximum,
                                     Atomic::kAnd,
                                     Atomic::kOr,
                                     Atomic::kXor,
                                     Atomic::kIncrement,
                                     Atomic::kDecrement};

constexpr Access words(unsigned count) {
  Access access;
  access.known = true;
  access.words = static_cast<uint8_t>(count);
  return access;
}
constexpr Access small(unsigned bytes, bool sign_extend) {
  Access access = words(1);
  access.bytes = static_cast<uint8_t>(bytes);
  access.sign_extend = sign_extend;
  return access;
}
constexpr Access atomic(Atomic which) {
  Access access = words(1);
  access.atomic = which;
  return access;
}

constexpr Access share_access(const OperationInfo& row) {
  const unsigned opcode = row.opcode;
  if (opcode < 12) return atomic(kShareAtomics[opcode]);
  if (opcode >= 32 && opcode < 44) return atomic(kShareAtomics[opcode - 32]);
  switch (opcode) {
    case 16:
    case 48:
      return atomic(Atomic::kCompareSwap);
    case 45:
      return atomic(Atomic::kSwap);
    case 30:
      return small(1, false);
    case 31:
      return small(2, false);
    case 57:
    case 58:
      return small(1, opcode == 57);
    case 59:
    case 60:
      return small(2, opcode == 59);
    default:
      break;
  }
  // One register range a offset: of stores the first source of data, of loads half the destination.
  const Type data = row.is(Trait::kLoads) ? row.destination : row.source[1];
  unsigned count = words_of(data);
  if (row.is(Trait::kTwoOffsets) && row.is(Trait::kLoads)) count /= 2;
  Access access = words(count);
  // The rows "st64" come right behind those without.
  const bool far = opcode == 15 || opcode == 56 || opcode == 79 || opcode == 120;
  access.offset_unit =
      static_cast<uint16_t>(row.is(Trait::kTwoOffsets) ? 4 * count * (far ? 64 : 1) : 1);
  return access;
}

constexpr Access make_access(const OperationInfo& row) {
  const bool accesses = row.is(Trait::kLoads | Trait::kStores);
  if (!accesses) return words(0);
  if (row.format == Format::kDs) return share_access(row);
  if (row.format != Format::kMubuf || row.is(Trait::kFormatted))
    return words(words_of(row.destination));
  if (row.opcode >= 48) return atomic(kBufferAtomics[row.opcode - 48]);
  if (row.opcode == 8 || row.opcode == 9) return small(1, row.opcode == 9);
  if (row.opcode == 10 || row.opcode == 11) return small(2, row.opcode == 11);
  if (row.opcode == 24) return small(1, false);
  if (row.opcode == 26) return small(2, false);
  return words(words_of(row.destination));
}

constexpr bool all_known() {
  for (const OperationInfo& row : kOperations)
    if (row.operation != Operation::kNone && row.unit == Unit::kMemory && !make_access(row).known)
      return false;
  return true;
}
static_assert(all_known(), "a memory operation without what it accesses");

// The byte of the direct range at an address, or nullptr.
uint8_t* direct(const Machine& machine, uint32_t address, unsigned bytes) {
  const DirectRange& range = machine.global;
  if (address < range.base || uint64_t{address} - range.base + bytes > range.bytes) return nullptr;
  return range.data + (address - range.base);
}

}  // namespace

Access access_of(const OperationInfo& row) { return make_access(row); }

uint32_t atomic_result(Atomic which, uint32_t memory, uint32_t data, uint32_t compare) {
  const auto a = static_cast<int32_t>(memory);
  const auto b = static_cast<int32_t>(data);
  switch (which) {
    case Atomic::kNone:
      return memory;
    case Atomic::kSwap:
      return data;
    case Atomic::kCompareSwap:
      return memory == compare ? data : memory;
    case Atomic::kAdd:
      return memory + data;
    case Atomic::kSubtract:
      return memory - data;
    case Atomic::kReverseSubtract:
      return data - memory;
    case Atomic::kSignedMinimum:
      return static_cast<uint32_t>(std::min(a, b));
    case Atomic::kSignedMaximum:
      return static_cast<uint32_t>(std::max(a, b));
    case Atomic::kUnsignedMinimum:
      return std::min(memory, data);
    case Atomic::kUnsignedMaximum:
      return std::max(memory, data);
    case Atomic::kAnd:
      return memory & data;
    case Atomic::kOr:
      return memory | data;
    case Atomic::kXor:
      return memory ^ data;
    case Atomic::kIncrement:
      return memory >= data ? 0 : memory + 1;
    case Atomic::kDecrement:
      return memory == 0 || memory > data ? data : memory - 1;
  }
  return memory;
}

FaultCause read_global(const Machine& machine, uint32_t address, void* data, unsigned bytes) {
  if (address < machine.global.null_page_bytes) return FaultCause::kNullPage;
  if (const uint8_t* const place = direct(machine, address, bytes)) {
    std::memcpy(data, place, bytes);
    return FaultCause::kNone;
  }
  return machine.port == nullptr ? FaultCause::kGlobalOutOfRange
                                 : machine.port->read(address, data, bytes);
}
FaultCause write_global(const Machine& machine, uint32_t address, const void* data,
                        unsigned bytes) {
  if (address < machine.global.null_page_bytes) return FaultCause::kNullPage;
  if (uint8_t* const place = direct(machine, address, bytes)) {
    std::memcpy(place, data, bytes);
    return FaultCause::kNone;
  }
  return machine.port == nullptr ? FaultCause::kGlobalOutOfRange
                                 : machine.port->write(address, data, bytes);
}

Buffer buffer_of(const Wavefront& wavefront, Code resource) {
  const uint32_t* const word = &wavefront.scalar[resource];
  Buffer buffer;
  buffer.base = word[0] | uint64_t{word[1] & 0xffff} << 32;
  buffer.stride = word[1] >> 16 & 0x3fff;
  buffer.swizzle = word[1] >> 31 != 0;
  buffer.records = word[2];
  for (unsigned i = 0; i < 4; ++i) buffer.select[i] = static_cast<uint8_t>(word[3] >> 3 * i & 7);
  buffer.number_format = static_cast<uint8_t>(word[3] >> 12 & 7);
  buffer.data_format = static_cast<uint8_t>(word[3] >> 15 & 15);
  buffer.element_bytes = 2u << (word[3] >> 19 & 3);
  buffer.index_stride = 8u << (word[3] >> 21 & 3);
  buffer.add_lane = (word[3] >> 23 & 1u) != 0;
  return buffer;
}

std::optional<uint32_t> buffer_address(const Machine& machine, const Wavefront& wavefront,
                                       const Instruction& instruction, const Buffer& buffer,
                                       unsigned lane) {
  const uint32_t scalar_offset = scalar_word(wavefront, instruction, instruction.source[2]);
  const auto address = [&](unsigned i) {
    return wavefront.vector[instruction.source[0] - code::kVector0 + i].lane[lane];
  };
  const uint64_t base = buffer.base + scalar_offset;
  if (instruction.address64)
    return static_cast<uint32_t>(base + instruction.immediate + address(0));
  uint32_t index = buffer.add_lane ? lane : 0;
  uint32_t offset = instruction.immediate;
  if (instruction.index_enable) index += address(0);
  if (instruction.offset_enable) offset += address(instruction.index_enable ? 1 : 0);
  uint64_t within = uint64_t{index} * buffer.stride + offset;
  if (buffer.swizzle)
    within = offset % buffer.element_bytes +
             uint64_t{buffer.element_bytes} * (index % buffer.index_stride) +
             uint64_t{buffer.index_stride} *
                 (uint64_t{index / buffer.index_stride} * buffer.stride +
                  uint64_t{offset / buffer.element_bytes} * buffer.element_bytes);
  if (machine.check_buffers) {
    const bool indexed = instruction.index_enable || buffer.add_lane;
    const bool outside =
        buffer.stride == 0
            ? scalar_offset >= buffer.records || within >= buffer.records - scalar_offset
            : index >= buffer.records || (indexed && offset >= buffer.stride);
    if (outside) return std::nullopt;
  }
  return static_cast<uint32_t>(base + within);
}

ElementFormat element_format(unsigned data_format) {
  // By BUF_DATA_FORMAT.
  static constexpr ElementFormat kFormats[16] = {{0, {}},
                                                 {1, {8}},
                                                 {1, {16}},
                                                 {2, {8, 8}},
                                                 {1, {32}},
                                                 {2, {16, 16}},
                                                 {3, {11, 11, 10}},
                                                 {3, {10, 11, 11}},
                                                 {4, {2, 10, 10, 10}},
                                                 {4, {10, 10, 10, 2}},
                                                 {4, {8, 8, 8, 8}},
                                                 {2, {32, 32}},
                                                 {4, {16, 16, 16, 16}},
                                                 {3, {32, 32, 32}},
                                                 {4, {32, 32, 32, 32}},
                                                 {0, {}}};
  return kFormats[data_format % 16];
}

uint32_t component_to_register(uint32_t bits, unsigned width, unsigned number_format) {
  const uint32_t most = width == 32 ? ~0u : (1u << width) - 1;
  bits &= most;
  const auto signed_value = static_cast<int32_t>(bits << (32 - width)) >> (32 - width);
  const double largest = static_cast<double>(most >> 1);
  switch (number_format) {
    case 0:  // UNORM
      return as_bits(static_cast<float>(bits / static_cast<double>(most)));
    case 1:  // SNORM
      return as_bits(static_cast<float>(std::max(signed_value / largest, -1.0)));
    case 2:  // USCALED
      return as_bits(static_cast<float>(bits));
    case 3:  // SSCALED
      return as_bits(static_cast<float>(signed_value));
    case 5:  // SINT
      return static_cast<uint32_t>(signed_value);
    case 6:  // SNORM_OGL
      return as_bits(static_cast<float>((2.0 * signed_value + 1.0) / static_cast<double>(most)));
    case 7:  // FLOAT
      return width == 16 ? float_from_half(bits) : bits;
    default:  // UINT
      return bits;
  }
}

uint32_t register_to_component(uint32_t value, unsigned width, unsigned number_format) {
  const uint32_t most = width == 32 ? ~0u : (1u << width) - 1;
  const auto real = static_cast<double>(as_float(value));
  const auto scaled = [&](double least, double scale) {
    if (real != real) return uint32_t{0};
    const double held = std::min(std::max(real, least), 1.0);
    return static_cast<uint32_t>(static_cast<int64_t>(std::nearbyint(held * scale))) & most;
  };
  const auto word = static_cast<int32_t>(value);
  const auto top = static_cast<int32_t>(most >> 1);
  switch (number_format) {
    case 0:
      return scaled(0.0, static_cast<double>(most));
    case 1:
    case 6:
      return scaled(-1.0, static_cast<double>(top));
    case 4:
      return std::min(value, most);
    case 5:
      return static_cast<uint32_t>(std::max(std::min(word, top), -top - 1)) & most;
    case 7:
      return width == 16 ? half_from_float(value, HalfRounding::kNearestEven) : value & most;
    default:
      return value & most;
  }
}

}  // namespace gvp::gpgpu::southern_islands
