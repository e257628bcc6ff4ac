// SPDX-License-Identifier: Apache-2.0
// What later compute capabilities have: its use is an error that says so.
#pragma once

#define KCC_SINCE(capability, what) \
  __device__ __attribute__((        \
      unavailable(what " need compute capability " capability "; this machine has 1.0")))
#define KCC_ATOMIC(name)                   \
  template <typename Type, typename Value> \
  KCC_SINCE("1.1", "atomic operations")    \
  Type name(Type*, Value);

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
template <typename Type, typename Compare, typename Value>
KCC_SINCE("1.1", "atomic operations")
Type atomicCAS(Type*, Compare, Value);

KCC_SINCE("1.2", "votes") int __any(int);
KCC_SINCE("1.2", "votes") int __all(int);
KCC_SINCE("2.0", "votes") unsigned __ballot(int);
KCC_SINCE("2.0", "barriers that count") int __syncthreads_count(int);
KCC_SINCE("2.0", "barriers that vote") int __syncthreads_and(int);
KCC_SINCE("2.0", "barriers that vote") int __syncthreads_or(int);
KCC_SINCE("2.0", "system-wide fences") void __threadfence_system();
template <typename... Values>
KCC_SINCE("2.0", "calls of printf()")
int printf(const char*, Values...);
template <typename Type>
KCC_SINCE("3.0", "shuffles")
Type __shfl(Type, int, int = 32);

enum { cudaReadModeElementType, cudaReadModeNormalizedFloat };
template <typename Type, int Dimensions = 1, int Mode = 0>
struct __attribute__((device_builtin_texture_type)) texture {};
#define KCC_TEXTURE(name)                                                                          \
  template <typename... Values>                                                                    \
  __device__ __attribute__((unavailable("this machine has no textures; use global memory"))) float \
  name(Values...);

KCC_TEXTURE(tex1Dfetch)
KCC_TEXTURE(tex1D)
KCC_TEXTURE(tex2D)
KCC_TEXTURE(tex3D)

#undef KCC_TEXTURE
#undef KCC_ATOMIC
#undef KCC_SINCE
