// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/values.h"

#include <algorithm>

namespace gvp::ptx {
namespace {

constexpr Range kUnknown{};
constexpr int64_t kMostThreads = 1024;  // in one dimension of a block
constexpr int64_t kMostBlocks = 65535;  // in one dimension of a grid
// Rounds after which a range that still grows is taken for unknown (counters of loops).
constexpr unsigned kMostRounds = 6;

Range exactly(uint32_t value) {
  const int64_t number = static_cast<int32_t>(value);
  return {number, number};
}

Range fit(int64_t low, int64_t high) {
  if (low < INT32_MIN || high > INT32_MAX) return kUnknown;
  return {low, high};
}

Range loaded(Type type) {
  switch (type) {
    case Type::kU8:
    case Type::kB8:
      return {0, 255};
    case Type::kS8:
      return {-128, 127};
    case Type::kU16:
    case Type::kB16:
      return {0, 65535};
    case Type::kS16:
      return {-32768, 32767};
    default:
      return kUnknown;
  }
}

Range special(Special which) {
  switch (which) {
    case Special::kTid:
      return {0, kMostThreads - 1};
    case Special::kNtid:
      return {0, kMostThreads};
    case Special::kCtaid:
    case Special::kNctaid:
      return {0, kMostBlocks};
    case Special::kLaneId:
      return {0, 31};
    case Special::kWarpSize:
      return {32, 32};
    case Special::kWarpId:
    case Special::kNwarpId:
      return {0, kMostThreads};
    case Special::kClock:
      break;
  }
  return kUnknown;
}

unsigned bit(Space space) { return 1U << static_cast<unsigned>(space); }
constexpr unsigned kPointers =
    1U << static_cast<unsigned>(Space::kGlobal) | 1U << static_cast<unsigned>(Space::kShared) |
    1U << static_cast<unsigned>(Space::kLocal) | 1U << static_cast<unsigned>(Space::kConstant);
// Loaded or computed: an index or a pointer, there is no telling.
constexpr unsigned kAnything = 1U << 31;

}  // namespace

Values::Values(const Module& module, const Function& function,
               const std::vector<uint32_t>& address_of)
    : module_(module),
      function_(function),
      address_of_(address_of),
      constants_(function.registers.size()),
      ranges_(function.registers.size(), Range{1, 0}),
      spaces_(function.registers.size(), 0) {
  find_constants();
  find_ranges();
  find_spaces();
}

// The parameters of a kernel are in memory, those of a function that is called are registers.
std::vector<uint32_t> Values::parameters() const {
  std::vector<uint32_t> result;
  for (const Operand& parameter : function_.parameters)
    if (parameter.is_register()) result.push_back(parameter.index);
  return result;
}

std::optional<uint32_t> Values::constant(const Operand& operand) const {
  if (operand.is_immediate()) return static_cast<uint32_t>(operand.value);
  if (operand.is_register()) return constants_[operand.index];
  // The addresses of variables in global memory are known to the loader only.
  if (operand.is_symbol() && module_.symbols[operand.index].space != Space::kGlobal) {
    return address_of_[operand.index] + static_cast<uint32_t>(operand.value);
  }
  return std::nullopt;
}

// A register is a constant when each of its definitions moves the same constant.
void Values::find_constants() {
  std::vector<bool> varies(function_.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& instruction : function_.body) {
      for_each_register(
          instruction, [](uint32_t) {},
          [&](uint32_t v) {
            if (varies[v]) return;
            std::optional<uint32_t> value;
            const bool copies =
                instruction.opcode == Opcode::kMov || instruction.opcode == Opcode::kCvta;
            if (copies && instruction.operands[1].kind != Operand::Kind::kVector &&
                instruction.operands[0].is_register()) {
              value = constant(instruction.operands[1]);
            }
            if (value && (!constants_[v] || constants_[v] == value)) {
              changed |= !constants_[v].has_value();
              constants_[v] = value;
            } else {
              // A copy of something that may turn out a constant in a later round waits for it.
              const bool waits = copies && !value && instruction.operands[1].is_register() &&
                                 !varies[instruction.operands[1].index] && !constants_[v];
              if (waits) return;
              varies[v] = true;
              constants_[v].reset();
              changed = true;
            }
          });
    }
  }
}

Range Values::range(const Operand& operand) const {
  if (const auto value = constant(operand)) return exactly(*value);
  if (operand.kind == Operand::Kind::kSpecial) {
    if (operand.special == Special::kCtaid && operand.dimension == 2) return {0, 0};
    return special(operand.special);
  }
  return operand.is_register() ? ranges_[operand.index] : kUnknown;
}

void Values::find_ranges() {
  for (const uint32_t parameter : parameters()) ranges_[parameter] = kUnknown;
  for (unsigned round = 0;; ++round) {
    bool changed = false;
    for (const auto& instruction : function_.body) {
      for_each_register(
          instruction, [](uint32_t) {},
          [&](uint32_t v) {
            const bool single =
                instruction.operands.size() > 1 && instruction.operands[0].is_register();
            Range found = single ? result_range(instruction) : kUnknown;
            if (instruction.opcode == Opcode::kLd) found = loaded(instruction.type);
            if (found.empty()) return;  // depends on what has not been seen yet
            Range& known = ranges_[v];
            Range merged = found;
            if (!known.empty()) {
              merged = {std::min(known.low, found.low), std::max(known.high, found.high)};
            }
            if (merged.low == known.low && merged.high == known.high) return;
            known = round >= kMostRounds ? kUnknown : merged;
            changed = true;
          });
    }
    if (!changed) break;
  }
  for (Range& range : ranges_) {
    if (range.empty()) range = kUnknown;
  }
}

// The result as the generated code leaves it in 32 bits; 16-bit operations compute on whole
// registers whose upper halves are arbitrary.
Range Values::result_range(const Instruction& instruction) const {
  const auto& operands = instruction.operands;
  const auto a = range(operands[1]);
  const auto b = operands.size() > 2 ? range(operands[2]) : kUnknown;
  const bool narrow = bytes(instruction.type) < 4;
  if (a.empty() || b.empty()) return {1, 0};
  // The bits of a float are a number too, but sums of floats are not sums of their bits.
  const bool copies = instruction.opcode == Opcode::kMov || instruction.opcode == Opcode::kSelp ||
                      instruction.opcode == Opcode::kCvt;
  if (is_float(instruction.type) && !copies) return kUnknown;
  switch (instruction.opcode) {
    case Opcode::kMov:
      return operands[1].kind == Operand::Kind::kVector ? kUnknown : a;
    case Opcode::kAdd:
      return fit(a.low + b.low, a.high + b.high);
    case Opcode::kSub:
      return fit(a.low - b.high, a.high - b.low);
    case Opcode::kAnd:
      if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
      if (a.low >= 0) return {0, a.high};
      if (b.low >= 0) return {0, b.high};
      return kUnknown;
    case Opcode::kOr:
    case Opcode::kXor: {
      if (a.low < 0 || b.low < 0) return kUnknown;
      int64_t mask = 1;
      while (mask - 1 < a.high || mask - 1 < b.high) mask *= 2;
      return {0, mask - 1};
    }
    case Opcode::kShl: {
      const auto count = constant(operands[2]);
      if (!count || *count > 31) return kUnknown;
      return fit(a.low * (int64_t{1} << *count), a.high * (int64_t{1} << *count));
    }
    case Opcode::kShr: {
      const auto count = constant(operands[2]);
      if (!count || narrow) return kUnknown;
      if (*count > 31) return a.low >= 0 ? Range{0, 0} : kUnknown;
      if (a.low >= 0 || is_signed(instruction.type)) return {a.low >> *count, a.high >> *count};
      return *count == 0 ? kUnknown : Range{0, int64_t{0xffffffff} >> *count};
    }
    case Opcode::kMul:
    case Opcode::kMad: {
      if (narrow || instruction.half != Half::kLow) return kUnknown;
      const int64_t products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
      Range product{*std::min_element(products, products + 4),
                    *std::max_element(products, products + 4)};
      if (instruction.opcode == Opcode::kMul) return fit(product.low, product.high);
      const Range c = range(operands[3]);
      if (c.empty()) return c;
      return fit(product.low + c.low, product.high + c.high);
    }
    case Opcode::kRem: {
      const auto divisor = constant(operands[2]);
      if (narrow || !divisor || static_cast<int32_t>(*divisor) <= 0) return kUnknown;
      if (a.low >= 0) return {0, static_cast<int64_t>(*divisor) - 1};
      return kUnknown;
    }
    case Opcode::kMin:
    case Opcode::kMax:
      if (narrow || (!is_signed(instruction.type) && (a.low < 0 || b.low < 0))) return kUnknown;
      if (instruction.opcode == Opcode::kMin) {
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      }
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Opcode::kSelp:
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    case Opcode::kCvt: {
      if (is_float(instruction.type) || is_float(instruction.source_type)) return kUnknown;
      if (instruction.saturate) return loaded(instruction.type);
      // Narrowing to 16 bits leaves the register as it is; to 8 bits it is extended.
      if (bytes(instruction.source_type) >= 4) {
        return bytes(instruction.type) == 1 ? loaded(instruction.type) : a;
      }
      const Range source = loaded(instruction.source_type);
      if (a.within(source.low, source.high)) return a;
      return bytes(instruction.type) == 1 ? loaded(instruction.type) : source;
    }
    default:
      return kUnknown;
  }
}

unsigned Values::spaces_of(const Operand& operand) const {
  if (operand.is_register()) return spaces_[operand.index];
  if (operand.is_symbol()) return bit(module_.symbols[operand.index].space) & kPointers;
  return 0;
}

// What a result may point to.  In a sum of an address and anything else that is an index, whether
// a parameter or computed; but an operand that is either of two pointers stays that.
unsigned Values::spaces_of(const Instruction& instruction) const {
  const auto& operands = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::kCvta:
      return bit(instruction.space);
    case Opcode::kLd:
      return instruction.space == Space::kParameter ? bit(Space::kParameter) : kAnything;
    case Opcode::kMov:
      return spaces_of(operands[1]);
    case Opcode::kSelp:
      return spaces_of(operands[1]) | spaces_of(operands[2]);
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kMad:
      break;
    default:
      return kAnything;
  }
  unsigned pointers = 0;
  unsigned others = 0;
  for (size_t i = 1; i < operands.size(); ++i) {
    const bool factor = instruction.opcode == Opcode::kMad && i < 3;
    const unsigned spaces = factor ? kAnything : spaces_of(operands[i]);
    ((spaces & kPointers) != 0 ? pointers : others) |= spaces;
  }
  return pointers != 0 ? pointers : others;
}

// First what variables and conversions say, which decides what in a sum is the pointer; then
// parameters.
void Values::find_spaces() {
  const std::vector<uint32_t> given = parameters();
  for (const unsigned wanted : {kPointers, ~0U}) {
    for (size_t i = 0; i < given.size() && i < function_.parameter_spaces.size(); ++i)
      spaces_[given[i]] |= function_.parameter_spaces[i] & wanted;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& instruction : function_.body) {
        for (const Operand& result : instruction.call_results)
          if (result.is_register()) spaces_[result.index] |= kAnything & wanted;
        if (!writes_first_operand(instruction)) continue;
        if (!instruction.operands[0].is_register()) continue;
        unsigned& known = spaces_[instruction.operands[0].index];
        const unsigned found = known | (spaces_of(instruction) & wanted);
        changed |= found != known;
        known = found;
      }
    }
  }
}

unsigned Values::pointers(const Operand& operand) const { return spaces_of(operand); }

Values::Target Values::target(const Operand& memory) const {
  unsigned found = 0;
  if (memory.symbol != kNoIndex) found = bit(module_.symbols[memory.symbol].space);
  if (memory.index != kNoIndex) found |= spaces_[memory.index];
  // A pointer that was passed to the kernel can only be one to global memory.
  if ((found & bit(Space::kParameter)) != 0) found |= bit(Space::kGlobal);
  // A parameter and something computed: their sum.  A known pointer and something computed: a
  // choice between the two.
  if ((found & bit(Space::kParameter)) != 0) found &= ~kAnything;
  return {found & kPointers, (found & kAnything) != 0};
}

Space Values::space(const Instruction& access, const Operand& memory) const {
  if (access.space != Space::kGeneric) return access.space;
  const Target found = target(memory);
  for (const Space space : {Space::kGlobal, Space::kShared, Space::kLocal, Space::kConstant}) {
    if (found.spaces == bit(space) && !found.anything) return space;
  }
  fail(module_, access, "cannot tell which memory this address points to");
}

}  // namespace gvp::ptx
