// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/names.h"

#include <fmt/format.h>

#include <iterator>

#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr std::string_view kConditions[32] = {
    "FALSE",    "LT",    "EQ",    "LE",   "GT",       "NE",        "GE",        "NUM",
    "NAN",      "LTU",   "EQU",   "LEU",  "GTU",      "NEU",       "GEU",       "TRUE",
    "OVERFLOW", "CARRY", "ABOVE", "SIGN", "F14",      "F15",       "F16",       "F17",
    "F18",      "F19",   "F1A",   "F1B",  "NOT_SIGN", "NOT_ABOVE", "NOT_CARRY", "NOT_OVERFLOW"};

struct NamedType {
  Type type;
  std::string_view name;
};
// The first entry of a type is how it is written, the first of a name how it is read.
constexpr NamedType kTypes[] = {
    {Type::kU8, "U8"},   {Type::kS8, "S8"},   {Type::kU16, "U16"},   {Type::kS16, "S16"},
    {Type::kU24, "U24"}, {Type::kS24, "S24"}, {Type::kU32, "U32"},   {Type::kS32, "S32"},
    {Type::kB64, "S64"}, {Type::kB64, "U64"}, {Type::kB128, "S128"}, {Type::kB128, "U128"},
    {Type::kF16, "F16"}, {Type::kF32, "F32"}, {Type::kB16, "U16"},   {Type::kB32, "U32"},
    {Type::kB16, "B16"}, {Type::kB32, "B32"}, {Type::kB64, "B64"},   {Type::kB128, "B128"}};

bool is_float_type(Type type) { return type == Type::kF16 || type == Type::kF32; }

constexpr std::string_view kSpecial[] = {"SR_PHYSID", "SR_CLOCK", "",       "",
                                         "SR_PM0",    "SR_PM1",   "SR_PM2", "SR_PM3"};

}  // namespace

std::string condition_name(Condition condition) {
  return std::string(kConditions[static_cast<unsigned>(condition) & 31]);
}

std::optional<Condition> condition_from_name(std::string_view name) {
  const std::string wanted = upper(name);
  for (unsigned n = 0; n < std::size(kConditions); ++n)
    if (kConditions[n] == wanted) return static_cast<Condition>(n);
  return std::nullopt;
}

std::string_view type_name(Type type) {
  for (const NamedType& entry : kTypes)
    if (entry.type == type) return entry.name;
  return "";
}

std::optional<Type> type_from_name(std::string_view name) {
  for (const NamedType& entry : kTypes)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

std::string special_register_name(unsigned number) {
  if (number < std::size(kSpecial) && !kSpecial[number].empty())
    return std::string(kSpecial[number]);
  return fmt::format("SR_{}", number);
}

std::optional<unsigned> special_register_from_name(std::string_view name) {
  const std::string wanted = upper(name);
  for (unsigned n = 0; n < 16; ++n)
    if (special_register_name(n) == wanted || fmt::format("SR_{}", n) == wanted) return n;
  return std::nullopt;
}

std::string_view row_name(const Instruction& instruction) {
  for (const Row& row : rows())
    if (row.operation == instruction.operation && row.form == instruction.form) {
      // I2I, I2F, F2I and F2F are one operation.
      if (row.operation == Operation::kConvert) {
        const bool to = is_float_type(instruction.type);
        const bool from = is_float_type(instruction.sources[0].type);
        return to ? (from ? "F2F" : "I2F") : (from ? "F2I" : "I2I");
      }
      return row.name;
    }
  return "";
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

}  // namespace gvp::gpgpu::g80
