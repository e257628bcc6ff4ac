// SPDX-License-Identifier: Apache-2.0
// Scalar operations, but those of control.  A Function takes the sources in order; SOPK the
// constant, its sign extended; then, as the traits say, the old destination and SCC.  SCC becomes
// what WithScc says, or whether the result is not zero.
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

template <typename Value>
struct WithScc {
  using Type = Value;
  Value value;
  bool scc;
};
template <typename>
struct IsWithScc : std::false_type {};
template <typename Value>
struct IsWithScc<WithScc<Value>> : std::true_type {};

template <Operation kOperation>
struct ScalarOperation {
  static constexpr const OperationInfo& kRow = kOperations[static_cast<std::size_t>(kOperation)];
  using Parameters = typename SignatureOf<kOperation>::Parameters;
  using Result = typename SignatureOf<kOperation>::Result;
  static constexpr unsigned kSources =
      kRow.format == Format::kSopk
          ? 1
          : (kRow.source[0] != Type::kNone ? 1 : 0) + (kRow.source[1] != Type::kNone ? 1 : 0);

  template <unsigned kIndex>
  static auto argument(const Wavefront& wavefront, const Instruction& instruction) {
    using Value = std::tuple_element_t<kIndex, Parameters>;
    constexpr bool kOld = kRow.is(Trait::kReadsDestination | Trait::kOnlyReadsDestination);
    if constexpr (kIndex < kSources && kRow.format == Format::kSopk) {
      // Unsigned comparisons take the constant as it is.
      if constexpr (std::is_same_v<Value, uint32_t>)
        return static_cast<Value>(instruction.immediate);
      else
        return static_cast<Value>(static_cast<int16_t>(instruction.immediate));
    } else if constexpr (kIndex < kSources) {
      const Code number = instruction.source[kIndex];
      if constexpr (sizeof(Value) == 8)
        return static_cast<Value>(
            scalar_double_word(wavefront, instruction, number, kRow.source[kIndex]));
      else
        return static_cast<Value>(scalar_word(wavefront, instruction, number));
    } else if constexpr (kIndex == kSources && kOld) {
      if constexpr (sizeof(Value) == 8)
        return static_cast<Value>(wavefront.pair(instruction.destination));
      else
        return static_cast<Value>(wavefront.scalar[instruction.destination]);
    } else {
      return wavefront.scc;
    }
  }
  template <std::size_t... kIndices>
  static Result call(const Wavefront& wavefront, const Instruction& instruction,
                     std::index_sequence<kIndices...>) {
    return Function<kOperation>::of(argument<kIndices>(wavefront, instruction)...);
  }
  template <typename Value>
  static void store(Wavefront& wavefront, const Instruction& instruction, Value value) {
    if constexpr (sizeof(Value) == 8)
      wavefront.set_pair(instruction.destination, static_cast<uint64_t>(value));
    else
      wavefront.scalar[instruction.destination] = static_cast<uint32_t>(value);
  }

  static void execute(Machine&, Wavefront& wavefront, const Op& op) {
    const Instruction& instruction = op.instruction;
    const Result result =
        call(wavefront, instruction, std::make_index_sequence<std::tuple_size_v<Parameters>>());
    if constexpr (std::is_same_v<Result, bool>) {
      wavefront.scc = result;
    } else if constexpr (IsWithScc<Result>::value) {
      store(wavefront, instruction, result.value);
      wavefront.scc = result.scc;
    } else {
      store(wavefront, instruction, result);
      if constexpr (kRow.is(Trait::kWritesScc)) wavefront.scc = result != 0;
    }
  }
};

using Word = WithScc<uint32_t>;

inline Word signed_sum(int64_t sum) {
  return {static_cast<uint32_t>(sum), sum > INT32_MAX || sum < INT32_MIN};
}
inline Word unsigned_sum(uint64_t sum) { return {static_cast<uint32_t>(sum), sum >> 32 != 0}; }
template <typename Value>
inline Word chosen(bool first, Value a, Value b) {
  return {static_cast<uint32_t>(first ? a : b), first};
}

// Bits [shift, shift + length) of a word or a double word.
template <typename Value>
inline Value bit_field(Value a, uint32_t b) {
  constexpr uint32_t kBits = sizeof(Value) * 8;
  const uint32_t shift = b & (kBits - 1);
  const uint32_t length = b >> 16 & 0x7f;
  if (length == 0) return 0;
  const uint32_t above = shift + length < kBits ? kBits - shift - length : 0;
  using Unsigned = std::make_unsigned_t<Value>;
  return static_cast<Value>(static_cast<Unsigned>(a) << above) >> (shift + above);
}

inline uint32_t reversed(uint32_t value) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= (value >> i & 1u) << (31 - i);
  return result;
}
inline uint32_t population(uint64_t value) {
  return static_cast<uint32_t>(__builtin_popcountll(value));
}
inline uint32_t lowest_bit(uint64_t value) {
  return value == 0 ? ~0u : static_cast<uint32_t>(__builtin_ctzll(value));
}
inline uint32_t highest_bit(uint64_t value, unsigned bits) {
  return value == 0 ? ~0u : static_cast<uint32_t>(__builtin_clzll(value)) - (64 - bits);
}
// Each group of four bits: whether one is set.
inline uint64_t quads(uint64_t value) {
  value |= value >> 1;
  value |= value >> 2;
  return value & 0x1111111111111111;
}
inline uint64_t quad_mask(uint64_t value) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < 16; ++i) mask |= (quads(value) >> 4 * i & 1u) << i;
  return mask;
}

}  // namespace

FUNCTION(SAddU32, uint32_t a, uint32_t b) { return unsigned_sum(uint64_t{a} + b); }
FUNCTION(SSubU32, uint32_t a, uint32_t b) { return unsigned_sum(uint64_t{a} - b); }
FUNCTION(SAddI32, int32_t a, int32_t b) { return signed_sum(int64_t{a} + b); }
FUNCTION(SSubI32, int32_t a, int32_t b) { return signed_sum(int64_t{a} - b); }
FUNCTION(SAddcU32, uint32_t a, uint32_t b, bool scc) {
  return unsigned_sum(uint64_t{a} + b + (scc ? 1 : 0));
}
FUNCTION(SSubbU32, uint32_t a, uint32_t b, bool scc) {
  return unsigned_sum(uint64_t{a} - b - (scc ? 1 : 0));
}
FUNCTION(SMinI32, int32_t a, int32_t b) { return chosen(a < b, a, b); }
FUNCTION(SMinU32, uint32_t a, uint32_t b) { return chosen(a < b, a, b); }
FUNCTION(SMaxI32, int32_t a, int32_t b) { return chosen(a > b, a, b); }
FUNCTION(SMaxU32, uint32_t a, uint32_t b) { return chosen(a > b, a, b); }
FUNCTION(SCselectB32, uint32_t a, uint32_t b, bool scc) { return scc ? a : b; }
FUNCTION(SCselectB64, uint64_t a, uint64_t b, bool scc) { return scc ? a : b; }
#define LOGICAL(NAME, EXPRESSION)                                       \
  FUNCTION(S##NAME##B32, uint32_t a, uint32_t b) { return EXPRESSION; } \
  FUNCTION(S##NAME##B64, uint64_t a, uint64_t b) { return EXPRESSION; }
LOGICAL(And, a& b)
LOGICAL(Or, a | b)
LOGICAL(Xor, a ^ b)
LOGICAL(Andn2, a & ~b)
LOGICAL(Orn2, a | ~b)
LOGICAL(Nand, ~(a& b))
LOGICAL(Nor, ~(a | b))
LOGICAL(Xnor, ~(a ^ b))
#undef LOGICAL
FUNCTION(SLshlB32, uint32_t a, uint32_t b) { return a << (b & 31); }
FUNCTION(SLshlB64, uint64_t a, uint32_t b) { return a << (b & 63); }
FUNCTION(SLshrB32, uint32_t a, uint32_t b) { return a >> (b & 31); }
FUNCTION(SLshrB64, uint64_t a, uint32_t b) { return a >> (b & 63); }
FUNCTION(SAshrI32, int32_t a, uint32_t b) { return a >> (b & 31); }
FUNCTION(SAshrI64, int64_t a, uint32_t b) { return a >> (b & 63); }
FUNCTION(SBfmB32, uint32_t a, uint32_t b) { return ((1u << (a & 31)) - 1) << (b & 31); }
FUNCTION(SBfmB64, uint32_t a, uint32_t b) { return ((uint64_t{1} << (a & 63)) - 1) << (b & 63); }
FUNCTION(SMulI32, uint32_t a, uint32_t b) { return a * b; }
FUNCTION(SBfeU32, uint32_t a, uint32_t b) { return bit_field(a, b); }
FUNCTION(SBfeI32, int32_t a, uint32_t b) { return bit_field(a, b); }
FUNCTION(SBfeU64, uint64_t a, uint32_t b) { return bit_field(a, b); }
FUNCTION(SBfeI64, int64_t a, uint32_t b) { return bit_field(a, b); }
FUNCTION(SAbsdiffI32, uint32_t a, uint32_t b) {
  const uint32_t difference = a - b;
  return (difference & 0x80000000) != 0 ? 0 - difference : difference;
}

FUNCTION(SMovkI32, int32_t k) { return k; }
FUNCTION(SCmovkI32, int32_t k, int32_t old, bool scc) { return scc ? k : old; }
FUNCTION(SCmpkEqI32, int32_t k, int32_t a) { return a == k; }
FUNCTION(SCmpkLgI32, int32_t k, int32_t a) { return a != k; }
FUNCTION(SCmpkGtI32, int32_t k, int32_t a) { return a > k; }
FUNCTION(SCmpkGeI32, int32_t k, int32_t a) { return a >= k; }
FUNCTION(SCmpkLtI32, int32_t k, int32_t a) { return a < k; }
FUNCTION(SCmpkLeI32, int32_t k, int32_t a) { return a <= k; }
FUNCTION(SCmpkEqU32, uint32_t k, uint32_t a) { return a == k; }
FUNCTION(SCmpkLgU32, uint32_t k, uint32_t a) { return a != k; }
FUNCTION(SCmpkGtU32, uint32_t k, uint32_t a) { return a > k; }
FUNCTION(SCmpkGeU32, uint32_t k, uint32_t a) { return a >= k; }
FUNCTION(SCmpkLtU32, uint32_t k, uint32_t a) { return a < k; }
FUNCTION(SCmpkLeU32, uint32_t k, uint32_t a) { return a <= k; }
FUNCTION(SAddkI32, int32_t k, int32_t old) { return signed_sum(int64_t{old} + k); }
FUNCTION(SMulkI32, int32_t k, uint32_t old) { return old * static_cast<uint32_t>(k); }

FUNCTION(SMovB32, uint32_t a) { return a; }
FUNCTION(SMovB64, uint64_t a) { return a; }
FUNCTION(SCmovB32, uint32_t a, uint32_t old, bool scc) { return scc ? a : old; }
FUNCTION(SCmovB64, uint64_t a, uint64_t old, bool scc) { return scc ? a : old; }
FUNCTION(SNotB32, uint32_t a) { return ~a; }
FUNCTION(SNotB64, uint64_t a) { return ~a; }
FUNCTION(SWqmB32, uint32_t a) { return static_cast<uint32_t>(quads(a) * 0xf); }
FUNCTION(SWqmB64, uint64_t a) { return quads(a) * 0xf; }
FUNCTION(SBrevB32, uint32_t a) { return reversed(a); }
FUNCTION(SBrevB64, uint64_t a) {
  return uint64_t{reversed(static_cast<uint32_t>(a))} << 32 |
         reversed(static_cast<uint32_t>(a >> 32));
}
FUNCTION(SBcnt0I32B32, uint32_t a) { return population(~a); }
FUNCTION(SBcnt0I32B64, uint64_t a) { return population(~a); }
FUNCTION(SBcnt1I32B32, uint32_t a) { return population(a); }
FUNCTION(SBcnt1I32B64, uint64_t a) { return population(a); }
FUNCTION(SFf0I32B32, uint32_t a) { return lowest_bit(~a); }
FUNCTION(SFf0I32B64, uint64_t a) { return lowest_bit(~a); }
FUNCTION(SFf1I32B32, uint32_t a) { return lowest_bit(a); }
FUNCTION(SFf1I32B64, uint64_t a) { return lowest_bit(a); }
FUNCTION(SFlbitI32B32, uint32_t a) { return highest_bit(a, 32); }
FUNCTION(SFlbitI32B64, uint64_t a) { return highest_bit(a, 64); }
FUNCTION(SFlbitI32, int32_t a) { return highest_bit(static_cast<uint32_t>(a < 0 ? ~a : a), 32); }
FUNCTION(SFlbitI32I64, int64_t a) { return highest_bit(static_cast<uint64_t>(a < 0 ? ~a : a), 64); }
FUNCTION(SSextI32I8, int32_t a) { return static_cast<int32_t>(static_cast<int8_t>(a)); }
FUNCTION(SSextI32I16, int32_t a) { return static_cast<int32_t>(static_cast<int16_t>(a)); }
FUNCTION(SBitset0B32, uint32_t a, uint32_t old) { return old & ~(1u << (a & 31)); }
FUNCTION(SBitset0B64, uint32_t a, uint64_t old) { return old & ~(uint64_t{1} << (a & 63)); }
FUNCTION(SBitset1B32, uint32_t a, uint32_t old) { return old | 1u << (a & 31); }
FUNCTION(SBitset1B64, uint32_t a, uint64_t old) { return old | uint64_t{1} << (a & 63); }
FUNCTION(SQuadmaskB32, uint32_t a) { return static_cast<uint32_t>(quad_mask(a)); }
FUNCTION(SQuadmaskB64, uint64_t a) { return quad_mask(a); }
FUNCTION(SAbsI32, uint32_t a) { return (a & 0x80000000) != 0 ? 0 - a : a; }

FUNCTION(SCmpEqI32, int32_t a, int32_t b) { return a == b; }
FUNCTION(SCmpLgI32, int32_t a, int32_t b) { return a != b; }
FUNCTION(SCmpGtI32, int32_t a, int32_t b) { return a > b; }
FUNCTION(SCmpGeI32, int32_t a, int32_t b) { return a >= b; }
FUNCTION(SCmpLtI32, int32_t a, int32_t b) { return a < b; }
FUNCTION(SCmpLeI32, int32_t a, int32_t b) { return a <= b; }
FUNCTION(SCmpEqU32, uint32_t a, uint32_t b) { return a == b; }
FUNCTION(SCmpLgU32, uint32_t a, uint32_t b) { return a != b; }
FUNCTION(SCmpGtU32, uint32_t a, uint32_t b) { return a > b; }
FUNCTION(SCmpGeU32, uint32_t a, uint32_t b) { return a >= b; }
FUNCTION(SCmpLtU32, uint32_t a, uint32_t b) { return a < b; }
FUNCTION(SCmpLeU32, uint32_t a, uint32_t b) { return a <= b; }
FUNCTION(SBitcmp0B32, uint32_t a, uint32_t b) { return (a >> (b & 31) & 1u) == 0; }
FUNCTION(SBitcmp1B32, uint32_t a, uint32_t b) { return (a >> (b & 31) & 1u) != 0; }
FUNCTION(SBitcmp0B64, uint64_t a, uint32_t b) { return (a >> (b & 63) & 1u) == 0; }
FUNCTION(SBitcmp1B64, uint64_t a, uint32_t b) { return (a >> (b & 63) & 1u) != 0; }

Execute scalar_function(Operation operation) {
  static constexpr FunctionsOf<Group::kScalar, ScalarOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
