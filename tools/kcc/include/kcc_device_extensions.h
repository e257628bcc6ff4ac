// SPDX-License-Identifier: Apache-2.0
// What devices with extensions have of compute capability 1.1 and 1.2: atomic operations on words
// in global and shared memory, votes; and what can be made of these.
#pragma once

#define KCC_ATOMIC(name, type, builtin) \
  KCC_DEVICE type name(type* address, type value) { return (type)builtin; }
#define KCC_ATOMIC_INTEGERS(name, operation)                             \
  KCC_ATOMIC(name, int, __nvvm_atom_##operation##_gen_i(address, value)) \
  KCC_ATOMIC(name, unsigned int, __nvvm_atom_##operation##_gen_i((int*)address, (int)value))
KCC_ATOMIC_INTEGERS(atomicAdd, add)
KCC_ATOMIC_INTEGERS(atomicExch, xchg)
KCC_ATOMIC_INTEGERS(atomicAnd, and)
KCC_ATOMIC_INTEGERS(atomicOr, or)
KCC_ATOMIC_INTEGERS(atomicXor, xor)
#undef KCC_ATOMIC_INTEGERS
KCC_ATOMIC(atomicSub, int, __nvvm_atom_add_gen_i(address, (int)(0u - (unsigned)value)))
KCC_ATOMIC(atomicSub, unsigned int, __nvvm_atom_add_gen_i((int*)address, (int)(0u - value)))
KCC_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i(address, value))
KCC_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui(address, value))
KCC_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i(address, value))
KCC_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui(address, value))
KCC_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(address, value))
KCC_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(address, value))
#undef KCC_ATOMIC
KCC_DEVICE float atomicExch(float* address, float value) {
  return __builtin_bit_cast(float,
                            __nvvm_atom_xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));
}
KCC_DEVICE int atomicCAS(int* address, int compare, int value) {
  return __nvvm_atom_cas_gen_i(address, compare, value);
}
KCC_DEVICE unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value) {
  return (unsigned)__nvvm_atom_cas_gen_i((int*)address, (int)compare, (int)value);
}

// Sums of floats came with compute capability 2.0.  Programs that had made one before and called it
// the same call theirs.  The first comparison, with zero, is a guess: a load before it would be no
// atomic operation.
template <int kAfterFunctionsOfPrograms = 0>
KCC_DEVICE float atomicAdd(float* address, float value) {
  int expected, found = 0;
  do {
    expected = found;
    const float sum = __builtin_bit_cast(float, expected) + value;
    found = __nvvm_atom_cas_gen_i((int*)address, expected, __builtin_bit_cast(int, sum));
  } while (found != expected);
  return __builtin_bit_cast(float, found);
}

// Numbers of 64 bits have no compare-and-swap.
template <bool>
struct KccWideAtomic {};
template <>
struct KccWideAtomic<true> {
  typedef void type;
};
#define KCC_WIDE_ATOMIC(name)                                           \
  template <typename Type, typename... Values,                          \
            typename = typename KccWideAtomic<sizeof(Type) == 8>::type> \
  KCC_DEVICE Type name(Type* address, Values...) {                      \
    kcc_refuse_wide_atomic();                                           \
    return *address;                                                    \
  }
KCC_WIDE_ATOMIC(atomicAdd)
KCC_WIDE_ATOMIC(atomicExch)
KCC_WIDE_ATOMIC(atomicMin)
KCC_WIDE_ATOMIC(atomicMax)
KCC_WIDE_ATOMIC(atomicAnd)
KCC_WIDE_ATOMIC(atomicOr)
KCC_WIDE_ATOMIC(atomicXor)
KCC_WIDE_ATOMIC(atomicCAS)
#undef KCC_WIDE_ATOMIC

// Clang 14 has no code for its own vote functions on the target that kcc gives it.
#define KCC_VOTE(kind)                      \
  KCC_DEVICE int __##kind(int predicate) {  \
    int result;                             \
    asm volatile(                           \
        "{\n.reg .pred %%kcc_p, %%kcc_q;\n" \
        "setp.ne.s32 %%kcc_p, %1, 0;\n"     \
        "vote." #kind                       \
        ".pred %%kcc_q, %%kcc_p;\n"         \
        "selp.s32 %0, 1, 0, %%kcc_q;\n}"    \
        : "=r"(result)                      \
        : "r"(predicate));                  \
    return result;                          \
  }
KCC_VOTE(any)
KCC_VOTE(all)
#undef KCC_VOTE
