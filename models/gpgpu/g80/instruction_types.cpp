// SPDX-License-Identifier: Apache-2.0
// The types of an instruction as its text gives them, or implies them.
#include <fmt/format.h>

#include "models/gpgpu/g80/instruction_reader.h"
#include "models/gpgpu/g80/names.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;
using Kind = Operand::Kind;

}  // namespace

bool InstructionReader::any_half() const {
  return i_.destination.kind == Kind::kHalfRegister || i_.sources[0].kind == Kind::kHalfRegister ||
         i_.sources[1].kind == Kind::kHalfRegister;
}

// How many types the name of an instruction may carry.
unsigned InstructionReader::possible_types() const {
  switch (info(i_.operation).typing) {
    case Typing::kStore:
    case Typing::kFactor:
    case Typing::kFactors:
    case Typing::kConversion:
      return 2;
    case Typing::kNone:
    case Typing::kWord:
    case Typing::kHalf:
      return 0;
    default:
      return 1;
  }
}

// No modifier is ignored: what the encoding does not check is checked here.
void InstructionReader::check_modifiers() {
  if (types_.size() > possible_types())
    scanner_.fail_at(parsed_.column, fmt::format("{} has more types than there can be", name_),
                     fmt::format("the form is: {}", info(i_.operation).syntax));
  for (const Type type : types_) {
    const bool is_float_type = type == Type::kF32 || type == Type::kF16;
    const bool wrong =
        is_float(i_.operation) ? type != Type::kF32 : is_float_type && i_.operation != O::kConvert;
    if (wrong)
      scanner_.fail_at(parsed_.column, fmt::format("{} has no type {}", name_, type_name(type)),
                       fmt::format("the form is: {}", info(i_.operation).syntax));
  }
  if (byte_extract_ && i_.operation != O::kConvert)
    scanner_.fail_at(parsed_.column, ".BEXT belongs to conversions from integers");
  if (carry_ && i_.operation != O::kAdd && i_.operation != O::kMultiplyAdd)
    scanner_.fail_at(parsed_.column, ".CARRY belongs to IADD and IMAD");
  const Type stored = types_.size() == 2 ? unsigned_variant(types_[0]) : Type::kNone;
  const bool half = i_.sources[0].kind == Kind::kHalfRegister;
  if (i_.operation == O::kStoreShared && stored != Type::kNone &&
      stored != (half ? Type::kU16 : Type::kU32))
    scanner_.fail_at(parsed_.column, "the first type of R2G is that of the register",
                     half ? "U16 for a half" : "U32 for a register");
}

void InstructionReader::assign_types() {
  check_modifiers();
  const auto bits = [](Type type) {
    const Type u = unsigned_variant(type);
    return u == Type::kU16 || u == Type::kB16 ? Type::kB16 : Type::kB32;
  };
  switch (info(i_.operation).typing) {
    case Typing::kNone:
      break;
    case Typing::kBits:
      i_.type = bits(type_or(any_half() ? Type::kB16 : Type::kB32));
      break;
    case Typing::kInteger:
      i_.type = type_or(any_half() ? Type::kU16 : Type::kU32);
      break;
    case Typing::kWord:
    case Typing::kFloatBits:
      i_.type = Type::kB32;
      break;
    case Typing::kHalf:
      i_.type = Type::kB16;
      break;
    case Typing::kFloat:
      i_.type = Type::kF32;
      break;
    case Typing::kStore: {
      const bool half = i_.sources[0].kind == Kind::kHalfRegister;
      i_.type = types_.empty() ? (half ? Type::kU16 : Type::kU32) : unsigned_variant(types_.back());
      break;
    }
    case Typing::kMemory:
      if (info(i_.operation).is(Trait::kLoads)) {
        assign_memory_types(i_.sources[0], i_.destination);
      } else {
        assign_memory_types(i_.destination, i_.sources[0]);
      }
      break;
    case Typing::kFactor:
    case Typing::kFactors:
      assign_factor_types();
      break;
    case Typing::kConversion:
      assign_conversion();
      break;
  }
  if (i_.operation == O::kCall) i_.limited = !noinc_;
  std::size_t next = 0;
  const OperationInfo& s = info(i_.operation);
  if (s.destination) resolve_memory(operands_[next++], i_.destination, true);
  for (unsigned n = 0; n < s.sources; ++n) resolve_memory(operands_[next++], i_.sources[n], false);
}

void InstructionReader::assign_factor_types() {
  if (types_.empty() && !any_half())
    scanner_.fail_at(parsed_.column, fmt::format("{} multiplies 16-bit halves or 24 bits", name_),
                     fmt::format("write {}.U16 with R1L, or {}.U24", name_, name_));
  i_.type = Type::kB32;
  i_.sources[0].type = type_or(Type::kU16);
  const bool each = types_.size() > 1 || info(i_.operation).typing == Typing::kFactors;
  i_.sources[1].type = each ? (types_.empty() ? Type::kU16 : types_.back()) : i_.sources[0].type;
}

// The register or registers that the data comes from or goes to are as wide as the access.
void InstructionReader::assign_memory_types(Operand& memory, Operand& data) {
  Type type = type_or(Type::kB32);
  if (type == Type::kU32 || type == Type::kS32) type = Type::kB32;
  i_.type = memory.access = type;
  data.words = static_cast<uint8_t>(type == Type::kB128 ? 4 : type == Type::kB64 ? 2 : 1);
}

void InstructionReader::assign_conversion() {
  if (types_.size() != 2)
    scanner_.fail_at(parsed_.column, fmt::format("{} needs two types", name_.substr(0, 3)),
                     "of the result and of the source: I2F.F32.S32");
  i_.type = types_[0];
  i_.destination.type = types_[0];
  i_.sources[0].type = types_[1];
  if (byte_extract_) i_.sources[0].type = is_signed(types_[1]) ? Type::kS8 : Type::kU8;
  const auto is_float_type = [](Type type) { return type == Type::kF16 || type == Type::kF32; };
  const bool to_float = is_float_type(i_.type);
  const bool from_float = is_float_type(i_.sources[0].type);
  const std::string right = fmt::format("{}2{}", from_float ? "F" : "I", to_float ? "F" : "I");
  if (name_.compare(0, 3, right) != 0)
    scanner_.fail_at(parsed_.column, fmt::format("the types do not fit {}", name_.substr(0, 3)),
                     fmt::format("did you mean {}?", right));
}

}  // namespace gvp::gpgpu::g80
