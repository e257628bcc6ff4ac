// SPDX-License-Identifier: Apache-2.0
// What later compute capabilities have.  Each is a call of a function that exists nowhere, whose
// name the code generator knows (refusals.h): a kernel that uses it is refused, with a sentence,
// where it stands; the other kernels of the file are not.
#pragma once

extern "C" {
__device__ void kcc_refuse_atomic();
__device__ void kcc_refuse_wide_atomic();
__device__ void kcc_refuse_vote();
__device__ void kcc_refuse_ballot();
__device__ void kcc_refuse_counting_barrier();
__device__ void kcc_refuse_system_fence();
__device__ void kcc_refuse_printf();
__device__ void kcc_refuse_assert();
__device__ void kcc_refuse_shuffle();
__device__ void kcc_refuse_texture_object();
__device__ void kcc_refuse_texture_kind();
__device__ void kcc_refuse_surface();
__device__ void kcc_refuse_memory_allocation();
__device__ void kcc_refuse_rounding();
__device__ void kcc_refuse_unknown_name();
}

#ifdef KCC_DEVICE_EXTENSIONS
#include "kcc_device_extensions.h"
#else
#define KCC_ATOMIC(name)                       \
  template <typename Type, typename Value>     \
  KCC_DEVICE Type name(Type* address, Value) { \
    kcc_refuse_atomic();                       \
    return *address;                           \
  }
KCC_ATOMIC(atomicAdd)
KCC_ATOMIC(atomicSub)
KCC_ATOMIC(atomicExch)
KCC_ATOMIC(atomicMin)
KCC_ATOMIC(atomicMax)
KCC_ATOMIC(atomicInc)
KCC_ATOMIC(atomicDec)
KCC_ATOMIC(atomicAnd)
KCC_ATOMIC(atomicOr)
KCC_ATOMIC(atomicXor)
#undef KCC_ATOMIC
template <typename Type, typename Compare, typename Value>
KCC_DEVICE Type atomicCAS(Type* address, Compare, Value) {
  kcc_refuse_atomic();
  return *address;
}
#endif

#define KCC_REFUSED(reason, type, name, ...) \
  KCC_DEVICE type name(__VA_ARGS__) {        \
    kcc_refuse_##reason();                   \
    return (type)0;                          \
  }
#ifndef KCC_DEVICE_EXTENSIONS
KCC_REFUSED(vote, int, __any, int)
KCC_REFUSED(vote, int, __all, int)
#endif
// Their names until toolkit 4, in a namespace, so that a program may give them to something else.
namespace kcc_old_names {
template <int kAfterFunctionsOfPrograms = 0>
KCC_DEVICE bool any(bool predicate) {
  return __any(predicate) != 0;
}
template <int kAfterFunctionsOfPrograms = 0>
KCC_DEVICE bool all(bool predicate) {
  return __all(predicate) != 0;
}
}  // namespace kcc_old_names
using namespace kcc_old_names;
KCC_REFUSED(ballot, unsigned, __ballot, int)
KCC_REFUSED(counting_barrier, int, __syncthreads_count, int)
KCC_REFUSED(counting_barrier, int, __syncthreads_and, int)
KCC_REFUSED(counting_barrier, int, __syncthreads_or, int)
KCC_REFUSED(system_fence, void, __threadfence_system)
KCC_REFUSED(memory_allocation, void*, malloc, size_t)
KCC_REFUSED(memory_allocation, void, free, void*)
KCC_REFUSED(assert, void, __assert_fail, const char*, const char*, unsigned, const char*)
KCC_REFUSED(rounding, float, __fadd_rd, float, float)
KCC_REFUSED(rounding, float, __fadd_ru, float, float)
KCC_REFUSED(rounding, float, __fmul_rd, float, float)
KCC_REFUSED(rounding, float, __fmul_ru, float, float)
KCC_REFUSED(rounding, float, __fmaf_rd, float, float, float)
KCC_REFUSED(rounding, float, __fmaf_ru, float, float, float)
#define KCC_ROUNDED(ending)                                   \
  KCC_REFUSED(rounding, float, __fdiv_##ending, float, float) \
  KCC_REFUSED(rounding, float, __frcp_##ending, float)        \
  KCC_REFUSED(rounding, float, __fsqrt_##ending, float)
KCC_ROUNDED(rz)
KCC_ROUNDED(rd)
KCC_ROUNDED(ru)
#undef KCC_ROUNDED
#undef KCC_REFUSED
KCC_DEVICE void __trap() { asm volatile("trap;"); }
KCC_DEVICE void __brkpt(int = 0) { __trap(); }
// There is no profiler that would count.
KCC_DEVICE void __prof_trigger(int) {}
template <typename... Values>
KCC_DEVICE int printf(const char*, Values...) {
  kcc_refuse_printf();
  return 0;
}
template <typename Type>
KCC_DEVICE Type __shfl(Type value, int, int = 32) {
  kcc_refuse_shuffle();
  return value;
}

typedef unsigned long long cudaTextureObject_t;
#define KCC_TEXTURE_OBJECT(name, ...)                      \
  template <typename Type>                                 \
  KCC_DEVICE Type name(cudaTextureObject_t, __VA_ARGS__) { \
    kcc_refuse_texture_object();                           \
    return Type();                                         \
  }
KCC_TEXTURE_OBJECT(tex1Dfetch, int)
KCC_TEXTURE_OBJECT(tex1D, float)
KCC_TEXTURE_OBJECT(tex2D, float, float)
KCC_TEXTURE_OBJECT(tex3D, float, float, float)
#undef KCC_TEXTURE_OBJECT
