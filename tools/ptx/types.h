// SPDX-License-Identifier: Apache-2.0
// The scalar types and state spaces of PTX (PTX ISA, "State Spaces, Types, and Variables"), with
// the few questions everybody asks about them.  Sizes are in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gvp::ptx {

enum class Type : uint8_t {
  kNone,
  kPredicate,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF32,
  kF64,
};

enum class Space : uint8_t {
  kGeneric,  // no space named: could be any of shared, global, local
  kRegister,
  kParameter,
  kConstant,
  kShared,
  kGlobal,
  kLocal,
};

constexpr unsigned bytes(Type type) {
  switch (type) {
    case Type::kB8:
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kB16:
    case Type::kU16:
    case Type::kS16:
    case Type::kF16:
      return 2;
    case Type::kB32:
    case Type::kU32:
    case Type::kS32:
    case Type::kF32:
      return 4;
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return 8;
    case Type::kNone:
    case Type::kPredicate:
      break;
  }
  return 0;
}
constexpr unsigned bits(Type type) { return 8 * bytes(type); }
constexpr bool is_signed(Type type) { return type >= Type::kS8 && type <= Type::kS64; }
constexpr bool is_float(Type type) { return type >= Type::kF16; }
constexpr bool is_integer(Type type) { return type >= Type::kB8 && type <= Type::kS64; }

// The text after the dot: "u32", "shared".
std::string_view name(Type type);
std::string_view name(Space space);
std::optional<Type> type_from_name(std::string_view text);
std::optional<Space> space_from_name(std::string_view text);
// The bits of the float nearest to the double with these bits.
uint32_t float_bits(uint64_t double_bits);

}  // namespace gvp::ptx
