// SPDX-License-Identifier: Apache-2.0
// Atomic operations and votes, compiled at every level: what threads get and what they leave,
// against the CUDA programming guide.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>

#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/listing.h"
#include "tests/end_to_end/program.h"
#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<uint32_t>;

CudaOptions with_extensions(unsigned optimise) {
  CudaOptions options;
  options.optimise = optimise;
  options.front_end.device_extensions = true;
  options.back_end.device_extensions = true;
  return options;
}

gpgpu::g80::Module extended(const std::string& text, unsigned optimise) {
  return compile_text(text, with_extensions(optimise)).module;
}

struct Function {
  const char* name;
  const char* type;
  std::function<uint32_t(uint32_t old, uint32_t value)> result;
};

int32_t as_signed(uint32_t word) { return static_cast<int32_t>(word); }

const std::vector<Function>& functions() {
  const auto add = [](uint32_t old, uint32_t v) { return old + v; };
  const auto subtract = [](uint32_t old, uint32_t v) { return old - v; };
  const auto exchange = [](uint32_t, uint32_t v) { return v; };
  const auto both = [](uint32_t old, uint32_t v) { return old & v; };
  const auto either = [](uint32_t old, uint32_t v) { return old | v; };
  const auto one = [](uint32_t old, uint32_t v) { return old ^ v; };
  static const std::vector<Function> all = {
      {"atomicAdd", "int", add},
      {"atomicAdd", "unsigned", add},
      {"atomicSub", "int", subtract},
      {"atomicSub", "unsigned", subtract},
      {"atomicExch", "int", exchange},
      {"atomicExch", "unsigned", exchange},
      {"atomicMin", "int",
       [](uint32_t old, uint32_t v) { return as_signed(old) < as_signed(v) ? old : v; }},
      {"atomicMin", "unsigned", [](uint32_t old, uint32_t v) { return std::min(old, v); }},
      {"atomicMax", "int",
       [](uint32_t old, uint32_t v) { return as_signed(old) > as_signed(v) ? old : v; }},
      {"atomicMax", "unsigned", [](uint32_t old, uint32_t v) { return std::max(old, v); }},
      {"atomicInc", "unsigned", [](uint32_t old, uint32_t v) { return old >= v ? 0 : old + 1; }},
      {"atomicDec", "unsigned",
       [](uint32_t old, uint32_t v) { return old == 0 || old > v ? v : old - 1; }},
      {"atomicAnd", "int", both},
      {"atomicAnd", "unsigned", both},
      {"atomicOr", "int", either},
      {"atomicOr", "unsigned", either},
      {"atomicXor", "int", one},
      {"atomicXor", "unsigned", one}};
  return all;
}

// One thread makes the calls, one after the other.
TEST(DeviceExtensions, EachFunctionReturnsWhatWasThereAndLeavesItsResult) {
  std::string text = "extern \"C\" __global__ void k(unsigned* in, unsigned* out, int n) {\n";
  const Words values{5, 3, 0x80000000, 0x7fffffff, 0, 0xfffffffe, 6, 1};
  Words in(64), expected(64);
  std::copy(values.begin(), values.end(), in.begin());
  for (size_t i = 0; i < functions().size(); ++i) {
    const Function& function = functions()[i];
    const size_t at = 8 + 2 * i;
    text += fmt::format(
        "  for (int i = 0; i < 8; ++i)\n"
        "    out[{}] = out[{}] * 31u + (unsigned){}(({}*)&in[{}], ({})in[i]);\n"
        "  out[{}] = in[{}];\n",
        at, at, function.name, function.type, at, function.type, at + 1, at);
    uint32_t word = in[at] = 77;
    for (const uint32_t value : values) {
      expected[at] = expected[at] * 31 + word;
      word = function.result(word, value);
    }
    expected[at + 1] = word;
  }
  text +=
      "  out[60] = atomicCAS(&in[0], 5u, 9u) + 10 * atomicCAS((int*)&in[0], 5, 7) + 100 * in[0];\n"
      "  out[61] = __float_as_int(atomicExch((float*)&in[1], 1.5f)) + in[1];\n}\n";
  expected[60] = 5 + 10 * 9 + 100 * 9;
  expected[61] = 3 + 0x3fc00000;
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(extended(text, level), 1, in, 0), expected) << level;
}

// The same on words of shared memory, through an address that is known and through one that is not.
TEST(DeviceExtensions, EachFunctionWorksOnSharedMemory) {
  const Words values{5, 3, 0x80000000, 0x7fffffff, 0, 0xfffffffe, 6, 1};
  std::string text =
      "extern \"C\" __global__ void k(unsigned* in, unsigned* out, int n) {\n"
      "  __shared__ unsigned fixed[3];\n  extern __shared__ unsigned more[];\n";
  Words in(64), expected(64);
  std::copy(values.begin(), values.end(), in.begin());
  for (size_t i = 0; i < functions().size(); ++i) {
    const Function& function = functions()[i];
    const char* place = i % 2 == 0 ? "fixed[1]" : "more[n]";
    text += fmt::format(
        "  {0} = 77u;\n"
        "  for (int i = 0; i < 8; ++i)\n"
        "    out[{1}] = out[{1}] * 31u + (unsigned){2}(({3}*)&{0}, ({3})in[i]);\n"
        "  out[{4}] = {0};\n",
        place, 8 + 2 * i, function.name, function.type, 9 + 2 * i);
    uint32_t word = 77;
    for (const uint32_t value : values) {
      expected[8 + 2 * i] = expected[8 + 2 * i] * 31 + word;
      word = function.result(word, value);
    }
    expected[9 + 2 * i] = word;
  }
  text +=
      "  fixed[0] = 5; fixed[2] = 3;\n"
      "  out[60] = atomicCAS(&fixed[0], 5u, 9u) + 10 * atomicCAS((int*)&fixed[0], 5, 7) +\n"
      "            100 * fixed[0];\n"
      "  out[61] = __float_as_int(atomicExch((float*)&fixed[2], 1.5f)) + fixed[2];\n"
      "  atomicAdd(n > 4 ? &fixed[0] : in, 3u);\n"
      "  unsigned* either = n > 2 ? &fixed[0] : in;\n"
      "  out[62] = atomicAdd(either, 4u) + fixed[0];\n}\n";
  expected[60] = 5 + 10 * 9 + 100 * 9;
  expected[61] = 3 + 0x3fc00000;
  expected[62] = 9 + 13;
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(extended(text, level), 1, in, 3, 64), expected) << level;
}

// Counts that threads of several warps change, some of them in a branch, some of them not at all.
TEST(DeviceExtensions, ThreadsOfAllWarpsCountInSharedMemory) {
  const std::string text =
      "extern \"C\" __global__ void k(const unsigned* in, unsigned* out, int n) {\n"
      "  __shared__ unsigned bins[8], taken[96], ticket;\n"
      "  const unsigned t = threadIdx.x;\n"
      "  if (t < 8) bins[t] = 0;\n"
      "  if (t == 0) ticket = 0;\n"
      "  taken[t] = 0;\n"
      "  __syncthreads();\n"
      "  for (unsigned i = 0; i < t % 5; ++i) atomicAdd(&bins[in[t] + i & 7], 1u);\n"
      "  if (t & 4) taken[atomicInc(&ticket, 1000u)] += 1;\n"
      "  else atomicMax(&bins[in[t]], 0u);\n"
      "  __syncthreads();\n"
      "  out[t] = taken[t];\n"
      "  if (t < 8) out[96 + t] = bins[t];\n}\n";
  Words in(104), expected(104);
  for (unsigned t = 0; t < 96; ++t) in[t] = t * t % 7;
  for (unsigned t = 0; t < 96; ++t) {
    for (unsigned i = 0; i < t % 5; ++i) ++expected[96 + (in[t] + i) % 8];
    expected[t] = t < 48 ? 1 : 0;  // each ticket once
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(extended(text, level), 96, in, 0), expected) << level;
}

// All threads of a block add to one word: each old value is seen once, whatever the order.
TEST(DeviceExtensions, TicketsOfOneWordAreAllDifferent) {
  const std::string text =
      "extern \"C\" __global__ void k(unsigned* in, unsigned* out, int n) {\n"
      "  const unsigned t = threadIdx.x;\n"
      "  out[t] = 0;\n  __syncthreads();\n"
      "  if (t % 3 != 1) out[atomicAdd(&in[1], 1u)] += 1;\n"
      "  __syncthreads();\n"
      "  if (t == 0) in[1] = 32;\n"
      "  __syncthreads();\n"
      "  if (t % 3 == 1) out[atomicAdd(&in[1], 2u)] += 100;\n"
      "  else atomicMax(&in[2], t);\n"
      "  __syncthreads();\n"
      "  if (t == 0) out[100] = in[2];\n}\n";
  for (const unsigned level : {0u, 1u, 2u}) {
    Words out = results(extended(text, level), 96, Words(128), 0);
    EXPECT_EQ(out[100], 95u);
    // 64 threads took 0 to 63; 32 threads 32, 34... 94.
    for (unsigned i = 0; i < 96; ++i) {
      const unsigned expected = (i < 64 ? 1u : 0u) + (i >= 32 && i % 2 == 0 ? 100u : 0u);
      EXPECT_EQ(out[i], expected) << i;
    }
  }
}

// The others of its warp try to take it until the thread that has it gives it back, in the loop.
TEST(DeviceExtensions, LocksAreGivenBackInTheLoopThatTakesThem) {
  const std::string begin =
      "__device__ bool take(int* lock) { return atomicExch(lock, 1) == 0; }\n"
      "__device__ void give(int* lock) { atomicExch(lock, 0); }\n"
      "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n  int* lock = out + 1;\n";
  const std::string change = "out[0] += threadIdx.x + n; __threadfence(); ";
  const std::string flag =
      "  bool done = false;\n  while (!done)\n    if (atomicCAS(lock, 0, 1) == 0) {\n      " +
      change + "done = true; atomicExch(lock, 0);\n    }\n}";
  const std::string number = "  int left = 1;\n  do {\n    if (!atomicExch(lock, 1)) { " + change +
                             "atomicExch(lock, 0); --left; }\n  } while (left);\n}";
  const std::string call = "  for (bool done = false; !done;)\n    if (take(lock)) { " + change +
                           "done = true; give(lock); }\n}\n";
  for (const std::string& loop : {flag, number, call})
    for (const unsigned level : {0U, 1U, 2U})
      EXPECT_THAT(results(extended(begin + loop, level), 40, {0, 0}, 5),
                  testing::ElementsAre(40 * 5 + 39 * 20, 0))
          << loop << " -O" << level;
}

// Sums of whole numbers, which are exact in any order; one word begins with another value than
// zero.
TEST(DeviceExtensions, FloatsAreAddedInGlobalAndSharedMemory) {
  const std::string text =
      "extern \"C\" __global__ void k(float* in, float* out, int n) {\n"
      "  __shared__ float sums[3];\n"
      "  const unsigned t = threadIdx.x;\n"
      "  if (t < 3) sums[t] = -0.5f * t;\n"
      "  out[t] = 0;\n  __syncthreads();\n"
      "  atomicAdd(&sums[t % 3], (float)t);\n"
      "  if (t % 3 != 1) atomicAdd(t & 4 ? &in[1] : &sums[1], 0.25f);\n"
      "  out[(int)atomicAdd(&in[0], 1.0f) - 7] += 1;\n"
      "  __syncthreads();\n"
      "  if (t < 3) out[100 + t] = sums[t];\n"
      "  if (t == 3) out[103] = in[1];\n}\n";
  Words in(128);
  in[0] = 0x40e00000;  // 7
  const auto bits = [](float value) {
    uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
  };
  std::vector<float> sums{0, -0.5f, -1};
  float global = 0;
  Words expected(128);
  for (unsigned t = 0; t < 96; ++t) {
    expected[t] = bits(1);  // each sum once
    sums[t % 3] += static_cast<float>(t);
    if (t % 3 != 1) ((t & 4) != 0 ? global : sums[1]) += 0.25f;
  }
  for (unsigned i = 0; i < 3; ++i) expected[100 + i] = bits(sums[i]);
  expected[103] = bits(global);
  for (const unsigned level : {0u, 1u, 2u}) {
    Words out = results(extended(text, level), 96, in, 0);
    out.resize(expected.size());
    EXPECT_EQ(out, expected) << level;
  }
}

TEST(DeviceExtensions, OldNamesOfVotesMayBeGivenToSomethingElse) {
  const std::string text =
      "__device__ int any[2] = {3, 5};\n"
      "__device__ bool all(bool a) { return !a; }\n"
      "extern \"C\" __global__ void k(const int* in, unsigned* out, int n) {\n"
      "  const unsigned t = threadIdx.x;\n"
      "  out[t] = any[t & 1] + (all(in[t] > n) ? 8 : 0);\n}\n";
  Words in(32, 1), expected(32);
  for (unsigned t = 0; t < 32; ++t) {
    in[t] = t;
    expected[t] = 3 + t % 2 * 2 + (t > 3 ? 0 : 8);
  }
  Words out = results(extended(text, 2), 32, in, 3);
  out.resize(expected.size());
  EXPECT_EQ(out, expected);
}

TEST(DeviceExtensions, VotesAreOfTheActiveThreadsOfAWarp) {
  const std::string text =
      "extern \"C\" __global__ void k(const int* in, unsigned* out, int n) {\n"
      "  const unsigned t = threadIdx.x;\n"
      "  unsigned r = __any(in[t] > n) | __all(in[t] > n) << 1 | __any(in[t]) << 2;\n"
      "  if (t & 1) {\n"
      "    r |= all(in[t] == 9) << 3;\n"
      "    if (__any(in[t] == 4)) r |= 16;\n"
      "  } else {\n"
      "    r |= any(in[t] == 9) << 5;\n"
      "    for (unsigned i = 0; !__all(i >= (t & 6)); ++i) r += 64;\n"
      "  }\n"
      "  const bool both = in[t] != 9 && t != 40;\n"
      "  r |= __all(both && n < 100) << 12;\n"
      "  out[t] = r;\n}\n";
  Words in(80, 1);
  for (unsigned t = 0; t < 80; ++t)
    in[t] = t < 32 ? (t % 2 == 1 ? 9 : 2) : t < 64 ? (t == 41 ? 4 : 0) : 30;
  Words expected(80);
  for (unsigned t = 0; t < 80; ++t) {
    const unsigned begin = t / 32 * 32, end = std::min(begin + 32, 80u);
    const auto any = [&](const std::function<bool(unsigned)>& holds) {
      for (unsigned i = begin; i < end; ++i)
        if (holds(i)) return 1u;
      return 0u;
    };
    const auto all = [&](const std::function<bool(unsigned)>& holds) {
      return 1u - any([&](unsigned i) { return !holds(i); });
    };
    unsigned r = any([&](unsigned i) { return in[i] > 3; }) |
                 all([&](unsigned i) { return in[i] > 3; }) << 1 |
                 any([&](unsigned i) { return in[i] != 0; }) << 2;
    if (t % 2 == 1) {
      r |= all([&](unsigned i) { return i % 2 == 0 || in[i] == 9; }) << 3;
      r |= any([&](unsigned i) { return i % 2 == 1 && in[i] == 4; }) << 4;
    } else {
      r |= any([&](unsigned i) { return i % 2 == 0 && in[i] == 9; }) << 5;
      r += 64 * 6;
    }
    r |= all([&](unsigned i) { return in[i] != 9 && i != 40; }) << 12;
    expected[t] = r;
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(extended(text, level), 80, in, 3), expected) << level;
}

// Blocks on two SMs, by both timings.
// LLVM changes the order in which such votes are used, and must not keep it for the next step.
TEST(DeviceExtensions, ThreadsThatMayEndMeetTheOthersBeforeVotes) {
  for (const char* barrier : {"", "__syncthreads();"}) {
    const std::string text =
        "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
        "  const unsigned t = threadIdx.x;\n"
        "  int r = 5;\n" +
        std::string(barrier) +
        "  if (t & 1) {\n"
        "    if (in[t] == n) { out[t] = 77; return; }\n"
        "    r = in[t] * 3;\n"
        "  }\n"
        "  r = r * 2 + __any(t == 0);\n"
        "  out[t] = r;\n}\n";
    Words in(32, 0);
    for (unsigned t = 0; t < 32; ++t) in[t] = 100 + t;
    for (const uint32_t n : {9u, 107u}) {
      Words expected(32);
      for (unsigned t = 0; t < 32; ++t)
        expected[t] = in[t] == n && t % 2 == 1 ? 77 : 2 * (t % 2 == 1 ? in[t] * 3 : 5) + 1;
      for (const unsigned level : {0u, 1u, 2u}) {
        Words out = results(extended(text, level), 32, in, n);
        out.resize(expected.size());
        EXPECT_EQ(out, expected) << "-O" << level << barrier;
      }
    }
  }
}

TEST(DeviceExtensions, VotesThatOptimisationMovesCompile) {
  const char* text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    int s = 0;
#pragma unroll
    for (int i = 0; i < 3; ++i) s += in[i] ? __all(in[i + s]) : __any(i + s);
    switch (n & 3) {
      case 0: s += __all(s); break;
      case 1: s -= __all(s + 1);
      case 2: s += __any(s);
      default: s ^= __all(in[s & 7]);
    }
    out[threadIdx.x] = s;
  })";
  for (const unsigned level : {0u, 1u, 2u}) EXPECT_EQ(extended(text, level).kernels.size(), 1u);
}

TEST(DeviceExtensions, TwoSmsShareTheWord) {
  const std::string text =
      "__device__ unsigned count;\n"
      "extern \"C\" __global__ void k(unsigned* out, unsigned* seen) {\n"
      "  const unsigned ticket = atomicAdd(&count, 1u);\n"
      "  seen[ticket] = blockIdx.x * blockDim.x + threadIdx.x + 1;\n"
      "  atomicXor(&out[1], ticket);\n"
      "  if (threadIdx.x == 0) atomicInc(&out[0], 2u);\n"
      "  out[2] = 5;\n}\n";
  constexpr uint32_t kThreads = 7 * 64;
  for (const unsigned level : {0u, 2u}) {
    const std::string cubin = test::temporary("extensions.cubin");
    const std::string dump = test::temporary("extensions.bin");
    test::write(cubin, gpgpu::g80::to_text_cubin(extended(text, level)));
    for (const char* timing : {"lt", "at"}) {
      const test::Result run = test::run(
          "gpgpu-run",
          {"--quiet", "--cubin", cubin, "--grid", "7,1", "--block", "64,1,1", "--timing", timing,
           "--set", "gpgpu.sms=2", "--set", "gpgpu.device_extensions=true", "--param", "4096",
           "--param", "4352", "--dump", fmt::format("4096:{}={}", 256 + 4 * kThreads, dump)});
      ASSERT_EQ(run.exit_code, 0) << timing << run.err;
      const std::string bytes = test::read(dump);
      Words words(bytes.size() / 4);
      std::memcpy(words.data(), bytes.data(), 4 * words.size());
      ASSERT_EQ(words.size(), 64 + kThreads);
      EXPECT_EQ(words[0], 7u % 3) << timing;  // 1 2 0 1 2 0 1
      uint32_t all = 0;
      for (uint32_t i = 0; i < kThreads; ++i) all ^= i;
      EXPECT_EQ(words[1], all) << timing;
      Words seen(words.begin() + 64, words.end());
      std::sort(seen.begin(), seen.end());
      for (uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(seen[i], i + 1) << timing;
    }
    std::remove(cubin.c_str());
    std::remove(dump.c_str());
  }
}

TEST(DeviceExtensions, ResultsThatNobodyReadsAreNotFetched) {
  const std::string text =
      "extern \"C\" __global__ void k(unsigned* in, unsigned* out, int n) {\n"
      "  atomicAdd(in, 1u); atomicXor(in + 1, 3u); out[0] = atomicOr(in + 2, 4u);\n}\n";
  for (const unsigned level : {0u, 2u}) {
    const std::string listing = gpgpu::g80::to_listing(extended(text, level));
    EXPECT_THAT(listing, HasSubstr("GRED.IADD"));
    EXPECT_THAT(listing, HasSubstr("GRED.XOR"));
    EXPECT_THAT(listing, HasSubstr("GATOM.OR"));
    EXPECT_THAT(listing, Not(HasSubstr("GATOM.IADD")));
  }
}

TEST(DeviceExtensions, WhatTheyDoNotHaveIsRefused) {
  const auto refused = [](const std::string& call) {
    return refusal(
        "extern \"C\" __global__ void k(unsigned long long* l) {\n"
        "  __shared__ int s[4];\n  s[threadIdx.x & 3] = 0;\n  " +
            call + ";\n}\n",
        with_extensions(2));
  };
  for (const char* call :
       {"atomicAdd(l, 1ull)", "atomicAdd(l, 1)", "atomicAdd((double*)l, 1.0)",
        "atomicExch(l, 1ull)", "atomicMax((long long*)l, 1ll)", "atomicCAS(l, 1ull, 2ull)"})
    EXPECT_THAT(refused(call), HasSubstr("kernel.cu:4:3: atomic operations on 64 bits")) << call;
  const std::string plain =
      "extern \"C\" __global__ void k(int* p) { p[1] = __any(atomicAdd(p, 1)); }\n";
  EXPECT_THAT(refusal(plain), HasSubstr("--device-extensions"));
  EXPECT_EQ(refusal(plain, with_extensions(2)), "");
}

// LLVM writes in which order empty text of an assembler is used, which it cannot read: the text
// that holds exchanges in their loops, in a kernel whose stores to shared memory are held as well.
TEST(DeviceExtensions, ExchangesStayInLoopsBesideStoresThatAreHeld) {
  const std::string text = R"(
struct Pair { unsigned first, second; };
__device__ unsigned table[8] = {9, 8, 7, 6, 5, 4, 3, 2};
static __device__ __noinline__ void put(unsigned* to, unsigned value) {
  unsigned old = *to;
  if ((value & 8) == 0) *to = value;
  else *to += old;
}
static __device__ Pair unset() { Pair p; }
extern "C" __global__ void k(const unsigned* in, unsigned* out, float* floats, uint4* quads, int n, float scale) {
  __shared__ unsigned words[32];
  __shared__ unsigned others[32];
  __shared__ float sums[32];
  const unsigned own = threadIdx.x;
  unsigned a = in[own], b = in[own + 1], c = in[own + 2];
  float f = floats[own], g = scale;
  Pair pair = unset();
  unsigned local[8];
  for (int i = 6; i-- > 0 && b != __umulhi(a, c);) {
    for (int j = 6; j-- > 0 && 37.2f > g;)
      if ((table[b & 7] & 4) == 0) continue;
    switch (__usad(pair.first, b, local[(a + 4) & 7]) % 7) {
      case 0:
        if (own > 21) {}
      case 1:
        switch ((table[a & 7] * 441) % 5) {
          case 0: a ^= atomicExch(&quads[own].z, others[own] - b);
        }
    }
  }
  for (unsigned i = b & 127; i >= 1; i >>= 2) {
    sums[own] = f + g;
    put(&words[own], n);
  }
}
)";
  for (const unsigned level : {0u, 1u, 2u}) EXPECT_NO_THROW(extended(text, level)) << level;
}

}  // namespace
}  // namespace gvp::kcc
