// SPDX-License-Identifier: Apache-2.0
// CUDA C for the host's compiler: a kernel becomes a function that is called for each thread, in a
// context of its own.  Between two barriers the warps run one after the other in an order drawn at
// random, and so do the threads of a warp.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __shared__ static
#define __noinline__
#define DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(host::dynamic_shared)

template <typename Type>
Type max(Type a, Type b) {
  return a < b ? b : a;
}
template <typename Type>
Type min(Type a, Type b) {
  return b < a ? b : a;
}

struct uint3 {
  unsigned x, y, z;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return {x, y, z, w};
}
inline float2 make_float2(float x, float y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

inline int low_24(unsigned a) { return static_cast<int>(a << 8) >> 8; }
inline int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(low_24(static_cast<unsigned>(a))) *
                          static_cast<unsigned>(low_24(static_cast<unsigned>(b))));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned __sad(int a, int b, unsigned c) {
  return static_cast<unsigned>(llabs(static_cast<long long>(a) - b)) + c;
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return max(a, b) - min(a, b) + c; }
inline int __popc(unsigned a) { return __builtin_popcount(a); }
inline int __clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
inline int __ffs(int a) { return __builtin_ffs(a); }
inline unsigned __brev(unsigned a) {
  unsigned result = 0;
  for (unsigned n = 0; n < 32; ++n) result |= (a >> n & 1u) << (31 - n);
  return result;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned n = 0; n < 4; ++n)
    result |= static_cast<unsigned>(both >> (8 * (selector >> (4 * n) & 7u)) & 0xffu) << (8 * n);
  return result;
}
inline float __saturatef(float a) { return a > 0 ? (a < 1 ? a : 1) : 0; }
inline int __float2int_rn(float a) { return static_cast<int>(rintf(a)); }
inline int __float2int_rd(float a) { return static_cast<int>(floorf(a)); }
inline unsigned __float_as_uint(float a) {
  unsigned bits;
  memcpy(&bits, &a, 4);
  return bits;
}
inline float __uint_as_float(unsigned a) {
  float value;
  memcpy(&value, &a, 4);
  return value;
}

template <typename Type>
Type exchanged(Type* place, Type now) {
  const Type old = *place;
  *place = now;
  return old;
}
inline unsigned atomicAdd(unsigned* p, unsigned v) { return exchanged(p, *p + v); }
inline unsigned atomicSub(unsigned* p, unsigned v) { return exchanged(p, *p - v); }
inline unsigned atomicXor(unsigned* p, unsigned v) { return exchanged(p, *p ^ v); }
inline int atomicOr(int* p, int v) { return exchanged(p, *p | v); }
inline unsigned atomicAnd(unsigned* p, unsigned v) { return exchanged(p, *p & v); }
inline unsigned atomicMax(unsigned* p, unsigned v) { return exchanged(p, max(*p, v)); }
inline int atomicMin(int* p, int v) { return exchanged(p, min(*p, v)); }
inline unsigned atomicExch(unsigned* p, unsigned v) { return exchanged(p, v); }
inline unsigned atomicCAS(unsigned* p, unsigned is, unsigned v) {
  return exchanged(p, *p == is ? v : *p);
}
inline unsigned atomicInc(unsigned* p, unsigned v) { return exchanged(p, *p >= v ? 0u : *p + 1u); }

static uint3 threadIdx, blockIdx, blockDim, gridDim;

// Textures of points, clamped, with coordinates that count elements.
enum { cudaReadModeElementType };
template <typename Type, int dimensions, int mode>
struct texture {
  const Type* elements;
  int columns, rows;
  void bind(const void* memory, int columns_of_it, int rows_of_it) {
    elements = static_cast<const Type*>(memory);
    columns = columns_of_it;
    rows = rows_of_it;
  }
};
template <typename Type>
Type tex1Dfetch(const texture<Type, 1, cudaReadModeElementType>& from, int index) {
  return index >= 0 && index < from.columns ? from.elements[index] : 0;
}
template <typename Type>
Type tex2D(const texture<Type, 2, cudaReadModeElementType>& from, float x, float y) {
  const int column = min(max(static_cast<int>(floorf(x)), 0), from.columns - 1);
  const int row = min(max(static_cast<int>(floorf(y)), 0), from.rows - 1);
  return from.elements[row * from.columns + column];
}

namespace host {

constexpr unsigned kWarp = 32;
constexpr unsigned kMostThreads = 512;
constexpr size_t kStack = 64 * 1024;
alignas(16) inline unsigned char dynamic_shared[16384];

struct Thread {
  ucontext_t context;
  char stack[kStack];
  bool ended;
  bool vote;
};
inline Thread threads[kMostThreads];
inline ucontext_t scheduler;
inline unsigned current, count, columns;
inline void (*body)();

// Numbers below one, in an order that the seed says: xorshift by Marsaglia, of 32 bits.
inline unsigned random_state;
inline unsigned pick(unsigned below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state % below;
}

// The numbers from `first` on, in any order.
inline void shuffle(unsigned* list, unsigned size, unsigned first) {
  for (unsigned i = 0; i < size; ++i) {
    const unsigned other = pick(i + 1);
    list[i] = list[other];
    list[other] = first + i;
  }
}

inline void pause() { swapcontext(&threads[current].context, &scheduler); }

inline void enter() {
  body();
  threads[current].ended = true;
  pause();
}

inline void resume(unsigned thread) {
  current = thread;
  threadIdx = {thread % columns, thread / columns, 0};
  swapcontext(&scheduler, &threads[thread].context);
}

// One block: all threads to the next barrier, and again, until all have ended.
inline void run_block() {
  for (unsigned i = 0; i < count; ++i) {
    Thread& thread = threads[i];
    thread.ended = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack;
    thread.context.uc_stack.ss_size = kStack;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, enter, 0);
  }
  const unsigned warps = (count + kWarp - 1) / kWarp;
  for (bool more = true; more;) {
    more = false;
    unsigned order[kMostThreads / kWarp];
    shuffle(order, warps, 0);
    for (unsigned w = 0; w < warps; ++w) {
      const unsigned first = order[w] * kWarp;
      unsigned lanes[kWarp];
      const unsigned size = min(kWarp, count - first);
      shuffle(lanes, size, first);
      for (unsigned i = 0; i < size; ++i) {
        if (threads[lanes[i]].ended) continue;
        resume(lanes[i]);
        more |= !threads[lanes[i]].ended;
      }
    }
  }
}

inline void launch(unsigned blocks, unsigned threads_of_block, unsigned columns_of_block,
                   void (*kernel)()) {
  body = kernel;
  count = threads_of_block;
  columns = columns_of_block;
  blockDim = {columns, count / columns, 1};
  gridDim = {blocks, 1, 1};
  for (unsigned block = 0; block < blocks; ++block) {
    blockIdx = {block, 0, 0};
    memset(dynamic_shared, 0xa5, sizeof dynamic_shared);
    run_block();
  }
}

// How many of the warp's threads that have not ended say yes.  They wait for each other before and
// after, so that none has said anything else yet.
inline void votes(bool mine, unsigned& yes, unsigned& all) {
  threads[current].vote = mine;
  pause();
  const unsigned first = current / kWarp * kWarp;
  yes = all = 0;
  for (unsigned i = first; i < min(first + kWarp, count); ++i) {
    if (threads[i].ended) continue;
    ++all;
    if (threads[i].vote) ++yes;
  }
  pause();
}

}  // namespace host

inline void __syncthreads() { host::pause(); }
inline int __any(int predicate) {
  unsigned yes, all;
  host::votes(predicate != 0, yes, all);
  return yes != 0;
}
inline int __all(int predicate) {
  unsigned yes, all;
  host::votes(predicate != 0, yes, all);
  return yes == all;
}

#define double float  // as the machine has it
