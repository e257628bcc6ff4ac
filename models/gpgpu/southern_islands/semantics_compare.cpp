// SPDX-License-Identifier: Apache-2.0
// Vector comparisons.  CMPS and CMPSX differ from CMP and CMPX in the exceptions they raise alone,
// and there are none.
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// What v_cmp_class tests for, as its mask numbers them.
inline uint32_t class_bit(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSignBit;
  if (is_nan(bits)) return is_signalling(bits) ? 1u << 0 : 1u << 1;
  const unsigned size = magnitude == kInfinity    ? 0
                        : magnitude >= 0x00800000 ? 1
                        : magnitude != 0          ? 2
                                                  : 3;
  return (bits & kSignBit) != 0 ? 1u << (2 + size) : 1u << (9 - size);
}

}  // namespace

// Every comparison of floats, for one prefix.
// clang-format off
#define FLOAT_COMPARISONS(PREFIX) \
  FUNCTION(PREFIX##FF32, float, float) { return false; } \
  FUNCTION(PREFIX##LtF32, float a, float b) { return a < b; } \
  FUNCTION(PREFIX##EqF32, float a, float b) { return a == b; } \
  FUNCTION(PREFIX##LeF32, float a, float b) { return a <= b; } \
  FUNCTION(PREFIX##GtF32, float a, float b) { return a > b; } \
  FUNCTION(PREFIX##LgF32, float a, float b) { return a < b || a > b; } \
  FUNCTION(PREFIX##GeF32, float a, float b) { return a >= b; } \
  FUNCTION(PREFIX##OF32, float a, float b) { return a == a && b == b; } \
  FUNCTION(PREFIX##UF32, float a, float b) { return a != a || b != b; } \
  FUNCTION(PREFIX##NgeF32, float a, float b) { return !(a >= b); } \
  FUNCTION(PREFIX##NlgF32, float a, float b) { return !(a < b || a > b); } \
  FUNCTION(PREFIX##NgtF32, float a, float b) { return !(a > b); } \
  FUNCTION(PREFIX##NleF32, float a, float b) { return !(a <= b); } \
  FUNCTION(PREFIX##NeqF32, float a, float b) { return !(a == b); } \
  FUNCTION(PREFIX##NltF32, float a, float b) { return !(a < b); } \
  FUNCTION(PREFIX##TruF32, float, float) { return true; }
FLOAT_COMPARISONS(VCmp)
FLOAT_COMPARISONS(VCmpx)
FLOAT_COMPARISONS(VCmps)
FLOAT_COMPARISONS(VCmpsx)
#undef FLOAT_COMPARISONS

#define INTEGER_COMPARISONS(PREFIX, SUFFIX, TYPE) \
  FUNCTION(PREFIX##F##SUFFIX, TYPE, TYPE) { return false; } \
  FUNCTION(PREFIX##Lt##SUFFIX, TYPE a, TYPE b) { return a < b; } \
  FUNCTION(PREFIX##Eq##SUFFIX, TYPE a, TYPE b) { return a == b; } \
  FUNCTION(PREFIX##Le##SUFFIX, TYPE a, TYPE b) { return a <= b; } \
  FUNCTION(PREFIX##Gt##SUFFIX, TYPE a, TYPE b) { return a > b; } \
  FUNCTION(PREFIX##Ne##SUFFIX, TYPE a, TYPE b) { return a != b; } \
  FUNCTION(PREFIX##Ge##SUFFIX, TYPE a, TYPE b) { return a >= b; } \
  FUNCTION(PREFIX##T##SUFFIX, TYPE, TYPE) { return true; }
INTEGER_COMPARISONS(VCmp, I32, int32_t)
INTEGER_COMPARISONS(VCmpx, I32, int32_t)
INTEGER_COMPARISONS(VCmp, U32, uint32_t)
INTEGER_COMPARISONS(VCmpx, U32, uint32_t)
INTEGER_COMPARISONS(VCmp, I64, int64_t)
INTEGER_COMPARISONS(VCmpx, I64, int64_t)
INTEGER_COMPARISONS(VCmp, U64, uint64_t)
INTEGER_COMPARISONS(VCmpx, U64, uint64_t)
#undef INTEGER_COMPARISONS
// clang-format on

FUNCTION(VCmpClassF32, uint32_t a, uint32_t classes) { return (class_bit(a) & classes) != 0; }
FUNCTION(VCmpxClassF32, uint32_t a, uint32_t classes) { return (class_bit(a) & classes) != 0; }

Execute compare_function(Operation operation) {
  static constexpr FunctionsOf<Group::kCompare, CompareOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
