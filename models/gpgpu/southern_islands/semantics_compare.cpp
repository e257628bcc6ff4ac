// SPDX-License-Identifier: Apache-2.0
// Vector comparisons.  CMPS and CMPSX differ from CMP and CMPX in the exceptions they raise alone,
// and there are none.
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// What v_cmp_class tests for, as its mask numbers them.  Word: uint32_t or, of a double, uint64_t.
template <typename Word>
uint32_t class_bit(Word bits) {
  const Word magnitude = bits & ~sign_of<Word>();
  if (is_nan(bits)) return is_signalling(bits) ? 1u << 0 : 1u << 1;
  const unsigned size = magnitude == infinity_of<Word>()         ? 0
                        : (magnitude & infinity_of<Word>()) != 0 ? 1
                        : magnitude != 0                         ? 2
                                                                 : 3;
  return (bits & sign_of<Word>()) != 0 ? 1u << (2 + size) : 1u << (9 - size);
}

}  // namespace

// Every comparison of floats, for one prefix.
// clang-format off
#define FLOAT_COMPARISONS(PREFIX, SUFFIX, TYPE) \
  FUNCTION(PREFIX##F##SUFFIX, TYPE, TYPE) { return false; } \
  FUNCTION(PREFIX##Lt##SUFFIX, TYPE a, TYPE b) { return a < b; } \
  FUNCTION(PREFIX##Eq##SUFFIX, TYPE a, TYPE b) { return a == b; } \
  FUNCTION(PREFIX##Le##SUFFIX, TYPE a, TYPE b) { return a <= b; } \
  FUNCTION(PREFIX##Gt##SUFFIX, TYPE a, TYPE b) { return a > b; } \
  FUNCTION(PREFIX##Lg##SUFFIX, TYPE a, TYPE b) { return a < b || a > b; } \
  FUNCTION(PREFIX##Ge##SUFFIX, TYPE a, TYPE b) { return a >= b; } \
  FUNCTION(PREFIX##O##SUFFIX, TYPE a, TYPE b) { return a == a && b == b; } \
  FUNCTION(PREFIX##U##SUFFIX, TYPE a, TYPE b) { return a != a || b != b; } \
  FUNCTION(PREFIX##Nge##SUFFIX, TYPE a, TYPE b) { return !(a >= b); } \
  FUNCTION(PREFIX##Nlg##SUFFIX, TYPE a, TYPE b) { return !(a < b || a > b); } \
  FUNCTION(PREFIX##Ngt##SUFFIX, TYPE a, TYPE b) { return !(a > b); } \
  FUNCTION(PREFIX##Nle##SUFFIX, TYPE a, TYPE b) { return !(a <= b); } \
  FUNCTION(PREFIX##Neq##SUFFIX, TYPE a, TYPE b) { return !(a == b); } \
  FUNCTION(PREFIX##Nlt##SUFFIX, TYPE a, TYPE b) { return !(a < b); } \
  FUNCTION(PREFIX##Tru##SUFFIX, TYPE, TYPE) { return true; }
FLOAT_COMPARISONS(VCmp, F32, float)
FLOAT_COMPARISONS(VCmpx, F32, float)
FLOAT_COMPARISONS(VCmps, F32, float)
FLOAT_COMPARISONS(VCmpsx, F32, float)
FLOAT_COMPARISONS(VCmp, F64, double)
FLOAT_COMPARISONS(VCmpx, F64, double)
FLOAT_COMPARISONS(VCmps, F64, double)
FLOAT_COMPARISONS(VCmpsx, F64, double)
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
FUNCTION(VCmpClassF64, uint64_t a, uint32_t classes) { return (class_bit(a) & classes) != 0; }
FUNCTION(VCmpxClassF64, uint64_t a, uint32_t classes) { return (class_bit(a) & classes) != 0; }

Execute compare_function(Operation operation) {
  static constexpr FunctionsOf<Group::kCompare, CompareOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
