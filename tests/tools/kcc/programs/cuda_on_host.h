// SPDX-License-Identifier: Apache-2.0
// CUDA C for the host's compiler: a kernel becomes a function that is called for each thread, in a
// context of its own.  Between two barriers the warps run one after the other in an order drawn at
// random, and so do the threads of a warp.
#pragma once

#include <math.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __shared__ static
#define __noinline__
#define DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(host::dynamic_shared)

using std::max;
using std::min;

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
  return static_cast<unsigned>(std::abs(static_cast<long long>(a) - b)) + c;
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
inline unsigned atomicInc(unsigned* p, unsigned v) { return exchanged(p, *p >= v ? 0u : *p + 1u); }

static uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace host {

constexpr unsigned kWarp = 32;
constexpr size_t kStack = 64 * 1024;
alignas(16) inline unsigned char dynamic_shared[16384];

struct Thread {
  ucontext_t context;
  std::vector<char> stack;
  bool ended = false;
};
inline std::vector<Thread> threads;
inline ucontext_t scheduler;
inline unsigned current;
inline const std::function<void()>* body;

inline void enter() {
  (*body)();
  threads[current].ended = true;
  swapcontext(&threads[current].context, &scheduler);
}

inline void resume(unsigned thread) {
  current = thread;
  threadIdx = {thread, 0, 0};
  swapcontext(&scheduler, &threads[thread].context);
}

// One block: all threads to the next barrier, and again, until all have ended.
inline void run_block(unsigned count, std::mt19937& random) {
  threads.resize(count);
  for (Thread& thread : threads) {
    thread.ended = false;
    thread.stack.resize(kStack);
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = kStack;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, enter, 0);
  }
  for (bool more = true; more;) {
    more = false;
    std::vector<unsigned> warps((count + kWarp - 1) / kWarp);
    for (unsigned i = 0; i < warps.size(); ++i) warps[i] = i;
    std::shuffle(warps.begin(), warps.end(), random);
    for (const unsigned warp : warps) {
      std::vector<unsigned> lanes;
      for (unsigned t = warp * kWarp; t < count && t < (warp + 1) * kWarp; ++t) lanes.push_back(t);
      std::shuffle(lanes.begin(), lanes.end(), random);
      for (const unsigned thread : lanes) {
        if (threads[thread].ended) continue;
        resume(thread);
        more |= !threads[thread].ended;
      }
    }
  }
}

inline void launch(unsigned blocks, unsigned count, std::mt19937& random,
                   const std::function<void()>& kernel) {
  body = &kernel;
  blockDim = {count, 1, 1};
  gridDim = {blocks, 1, 1};
  for (unsigned block = 0; block < blocks; ++block) {
    blockIdx = {block, 0, 0};
    memset(dynamic_shared, 0xa5, sizeof dynamic_shared);
    run_block(count, random);
  }
}

}  // namespace host

inline void __syncthreads() {
  swapcontext(&host::threads[host::current].context, &host::scheduler);
}
