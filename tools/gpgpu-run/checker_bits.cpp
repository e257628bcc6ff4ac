// SPDX-License-Identifier: Apache-2.0
// The part of the checker that follows bits: a bit field is written by a load of its word, AND, OR
// and a store, and read by a load, shifts and AND.  What was never written of the word goes along,
// and nobody looks at it.
#include <cstring>

#include "models/gpgpu/g80/operations.h"
#include "tools/gpgpu-run/checker.h"

namespace gvp::tools {
namespace {

using gpgpu::g80::Operand;
using gpgpu::g80::Operation;
using gpgpu::g80::Type;
using gpgpu::simt::Mask;
using Kind = Operand::Kind;

constexpr uint32_t kAll = ~uint32_t{0};
constexpr uint32_t kLowHalf = 0xffff;

uint32_t low_bits(unsigned bytes) { return bytes >= 4 ? kAll : (uint32_t{1} << 8 * bytes) - 1; }

// The distance of a shift; 32 and more leave nothing, which nobody has to follow.
unsigned distance(const Operand& operand) {
  return operand.kind == Kind::kImmediate && operand.value >= 0 && operand.value < 32
             ? static_cast<unsigned>(operand.value)
             : 32;
}

uint32_t shifted_right(uint32_t bits, unsigned by, bool with_sign) {
  if (with_sign) return static_cast<uint32_t>(static_cast<int32_t>(bits) >> by);
  return bits >> by;
}

// Of a value of a type, which has these bits, as a word.
uint32_t extended(uint32_t bits, Type type) {
  const bool sign = type == Type::kS8 || type == Type::kS16;
  const unsigned bytes = gpgpu::g80::type_bytes(type);
  bits &= low_bits(bytes);
  return sign && (bits >> (8 * bytes - 1) & 1) != 0 ? bits | ~low_bits(bytes) : bits;
}

// Of sums, what carries may change.
uint32_t from_the_lowest(uint32_t bits) { return ~(bits - 1) | bits; }

}  // namespace

uint32_t Checker::unknown_of_register(const Access& access, const Operand& operand, unsigned lane) {
  const WarpRegisters& registers = registers_of(access.place);
  const bool half = operand.kind == Kind::kHalfRegister;
  uint32_t bits = 0;
  for (unsigned number = operand.index;
       number < operand.index + unsigned{operand.words} && number < registers_; ++number) {
    const auto& known = registers.known[number];
    uint32_t own = ((known[0] >> lane & 1) != 0 ? 0 : kLowHalf) |
                   ((known[1] >> lane & 1) != 0 ? 0 : ~kLowHalf);
    const auto found = registers.unknown.find(number);
    if (found != registers.unknown.end()) own &= found->second[lane];
    if (half) own = operand.high ? own >> 16 : own & kLowHalf;
    if (operand.words > 1 && own != 0) own = kAll;
    bits |= own;
  }
  return bits;
}

uint32_t Checker::unknown_of_shared(const Access& access, const Operand& operand, unsigned lane) {
  const std::vector<Byte>& shared = block_of(access.place).shared;
  const uint32_t address = address_of(access, operand, lane);
  const unsigned bytes = operand.bytes();
  if (bytes > 4) return kAll;
  uint32_t written = 0;
  uint32_t never = 0;
  for (unsigned i = 0; i < bytes && address + i < shared.size(); ++i) {
    const Byte& byte = shared[address + i];
    if (byte.initialised) continue;
    (byte.origin == kNever ? never : written) |= uint32_t{byte.unknown} << 8 * i;
  }
  // Holes beside what was written do not matter.
  const uint32_t bits = never == low_bits(bytes) ? never : written;
  return extended(bits, operand.access);
}

uint32_t Checker::unknown_bits(const Access& access, const Operand& operand, unsigned lane) {
  uint32_t bits = 0;
  if (operand.is_register()) {
    bits = unknown_of_register(access, operand, lane);
  } else if (operand.kind == Kind::kShared) {
    bits = unknown_of_shared(access, operand, lane);
  } else if ((doubt_of(access, operand).lanes >> lane & 1) != 0) {
    bits = kAll;
  }
  return bits != 0 && (operand.negate || operand.absolute) ? kAll : bits;
}

// Of what an instruction with a source in doubt computes or stores.
uint32_t Checker::unknown_result(const Access& access, unsigned lane) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const auto& sources = instruction.sources;
  const auto unknown = [&](size_t i) { return unknown_bits(access, sources[i], lane); };
  // Bits of a source that are certainly this.
  const auto certain = [&](size_t i, bool one) -> uint32_t {
    const Operand& source = sources[i];
    uint32_t value = 0;
    if (source.kind == Kind::kImmediate) {
      value = static_cast<uint32_t>(source.value);
    } else if (source.kind == Kind::kRegister) {
      value = register_of(access.warp, source.index, lane);
    } else if (source.kind == Kind::kShared && source.bytes() == 4) {
      const uint32_t address = address_of(access, source, lane);
      if (address + sizeof value > access.warp.shared_bytes) return 0;
      std::memcpy(&value, access.warp.shared + address, sizeof value);
    } else {
      return 0;
    }
    if (source.invert) value = ~value;
    return (one ? value : ~value) & ~unknown(i);
  };
  switch (instruction.operation) {
    case Operation::kAnd:
    case Operation::kOr: {
      const bool one = instruction.operation == Operation::kOr;
      return (unknown(0) | unknown(1)) & ~(certain(0, one) | certain(1, one));
    }
    case Operation::kXor:
      return unknown(0) | unknown(1);
    case Operation::kAdd: {
      const bool plain = instruction.type == Type::kB32 && !instruction.saturate &&
                         instruction.combine != gpgpu::g80::Combine::kAddCarry;
      return plain ? from_the_lowest(unknown(0) | unknown(1)) : kAll;
    }
    case Operation::kConvert: {
      const bool word = instruction.type == Type::kU32 || instruction.type == Type::kS32;
      const bool part = sources[0].type == Type::kU8 || sources[0].type == Type::kS8 ||
                        sources[0].type == Type::kU16 || sources[0].type == Type::kS16;
      return word && part ? extended(unknown(0), sources[0].type) : kAll;
    }
    case Operation::kShiftLeft: {
      const unsigned by = distance(sources[1]);
      return by < 32 ? unknown(0) << by : kAll;
    }
    case Operation::kShiftRight: {
      const unsigned by = distance(sources[1]);
      const bool sign = instruction.type == Type::kS32;
      return by < 32 ? shifted_right(unknown(0), by, sign) : kAll;
    }
    case Operation::kMove:
    case Operation::kLoadConstant:
      return unknown(0);
    case Operation::kStoreShared:
    case Operation::kStoreGlobal:
      return sources[0].words > 1 ? kAll : unknown(0) & low_bits(instruction.destination.bytes());
    default:
      return kAll;
  }
}

void Checker::note_unknown_bits(WarpRegisters& registers, const Operand& destination) {
  for (unsigned number = destination.index;
       number < destination.index + unsigned{destination.words} && number < registers_; ++number) {
    const bool whole = destination.kind == Kind::kRegister && destination.words == 1;
    const auto found = registers.unknown.find(number);
    if (found == registers.unknown.end() && !whole) continue;  // nothing is known of it
    auto& bits = found != registers.unknown.end() ? found->second : registers.unknown[number];
    if (found == registers.unknown.end()) bits.fill(kAll);
    for (Mask rest = doubt_.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = gpgpu::simt::first_lane(rest);
      bits[lane] = whole ? unknown_[lane] : kAll;
    }
  }
}

}  // namespace gvp::tools
