// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/types.h"

#include <array>
#include <cstring>
#include <utility>

namespace gvp::ptx {
namespace {

constexpr std::array<std::pair<Type, std::string_view>, 17> kTypes{{
    {Type::kNone, "none"},
    {Type::kPredicate, "pred"},
    {Type::kB8, "b8"},
    {Type::kB16, "b16"},
    {Type::kB32, "b32"},
    {Type::kB64, "b64"},
    {Type::kU8, "u8"},
    {Type::kU16, "u16"},
    {Type::kU32, "u32"},
    {Type::kU64, "u64"},
    {Type::kS8, "s8"},
    {Type::kS16, "s16"},
    {Type::kS32, "s32"},
    {Type::kS64, "s64"},
    {Type::kF16, "f16"},
    {Type::kF32, "f32"},
    {Type::kF64, "f64"},
}};

constexpr std::array<std::pair<Space, std::string_view>, 7> kSpaces{{
    {Space::kGeneric, "generic"},
    {Space::kRegister, "reg"},
    {Space::kParameter, "param"},
    {Space::kConstant, "const"},
    {Space::kShared, "shared"},
    {Space::kGlobal, "global"},
    {Space::kLocal, "local"},
}};

}  // namespace

std::string_view name(Type type) { return kTypes[static_cast<size_t>(type)].second; }
std::string_view name(Space space) { return kSpaces[static_cast<size_t>(space)].second; }

std::optional<Type> type_from_name(std::string_view text) {
  for (const auto& [type, type_name] : kTypes) {
    if (type != Type::kNone && type_name == text) return type;
  }
  return std::nullopt;
}

std::optional<Space> space_from_name(std::string_view text) {
  for (const auto& [space, space_name] : kSpaces) {
    if (space != Space::kGeneric && space_name == text) return space;
  }
  return std::nullopt;
}

uint32_t float_bits(uint64_t double_bits) {
  double wide = 0;
  std::memcpy(&wide, &double_bits, sizeof wide);
  const auto narrow = static_cast<float>(wide);
  uint32_t result = 0;
  std::memcpy(&result, &narrow, sizeof result);
  return result;
}

}  // namespace gvp::ptx
