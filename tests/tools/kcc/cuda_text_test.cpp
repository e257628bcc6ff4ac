// SPDX-License-Identifier: Apache-2.0
// Programs in CUDA C that are written here, compiled at every level and run on the machine, loosely
// and approximately timed: memory that other threads and the host write.
#include "tests/tools/kcc/cuda_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"
#include "tests/tools/kcc/barrier_kernel.h"
#include "tests/tools/kcc/machine_runner.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {
namespace {

TEST(CudaText, BarrierOrdersAFlagThatSomeThreadRaises) {
  const std::string text = R"(extern "C" __global__ void k(const int* a, int* out, int) {
    __shared__ int any;
    any = 0;
    __syncthreads();
    if (a[threadIdx.x]) any = 1;
    __syncthreads();
    out[threadIdx.x] = any;
  })";
  std::vector<uint32_t> in(64);
  in[17] = 1;
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 64, in, 0), std::vector<uint32_t>(64, 1))
        << "-O" << level;
}

// Where the function is not inlined, what it does between its barriers is known of it.
TEST(CudaText, BarrierInAFunctionOrdersMemoryOfItsCaller) {
  const std::string text = R"(__device__ __noinline__ void meet() { __syncthreads(); }
  extern "C" __global__ void k(const int* a, int* out, int) {
    __shared__ int value;
    if (threadIdx.x == 0) value = a[5];
    meet();
    const int first = value;
    meet();
    if (threadIdx.x == 63) value = first + 1;
    meet();
    out[threadIdx.x] = 1000 * first + value;
  })";
  std::vector<uint32_t> in(64);
  in[5] = 7;
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 64, in, 0), std::vector<uint32_t>(64, 7008))
        << "-O" << level;
}

// Arms and loops that threads of a warp take apart, in which they may end, and do or do not: all
// that go on meet before the next barrier.
TEST(CudaText, ThreadsThatMayEndMeetTheOthersBeforeBarriers) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = 0;
    for (int round = 0; round < 2; ++round) {
      __syncthreads();
      if (t & 1) {
        int parts[2] = {in[t], t};
        for (int i = 0; i < (t >= 32 ? 40 : 2); ++i) {
          if ((r & 255) == n) { out[t] = 77; return; }
          r = r * 3 + parts[i & 1];
          if (t == 5) break;
        }
      }
      switch (r & 3) {  // both go back to one place
        case 0: if (r == n) return; break;
        case 2: if (r == n) return; r += 5; break;
        default: r += 1;
      }
      s[t] = r;
      __syncthreads();
      r += s[t ^ 32];
      __syncthreads();
    }
    out[t] = r;
  })";
  std::vector<uint32_t> in(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;
  for (const uint32_t n : {1000u, 31u, 66u, 73u, 45u, 52u}) {
    std::vector<uint32_t> expected(kThreads, 0), r = in, s(kThreads, 0);
    std::vector<bool> ended(kThreads, false);
    for (int round = 0; round < 2; ++round) {
      for (uint32_t t = 0; t < kThreads; ++t) {
        for (uint32_t i = 0; !ended[t] && t % 2 == 1 && i < (t >= 32 ? 40u : 2u); ++i) {
          if ((r[t] & 255) == n) {
            ended[t] = true;
            expected[t] = 77;
            break;
          }
          r[t] = r[t] * 3 + (i % 2 == 0 ? in[t] : t);
          if (t == 5) break;
        }
        const bool back = r[t] % 2 == 0 && r[t] == n;
        ended[t] = ended[t] || back;
        if (ended[t]) continue;
        r[t] += r[t] % 4 == 2 ? 5 : r[t] % 4 == 0 ? 0 : 1;
        s[t] = r[t];
      }
      for (uint32_t t = 0; t < kThreads; ++t) r[t] += s[t ^ 32];
    }
    for (uint32_t t = 0; t < kThreads; ++t)
      if (!ended[t]) expected[t] = r[t];
    EXPECT_EQ(std::count(ended.begin(), ended.end(), true) == 0, n == 1000) << n;
    for (const unsigned level : {0u, 1u, 2u})
      EXPECT_EQ(results(compiled(text, level), kThreads, in, n), expected) << "-O" << level << n;
  }
}

// The same before a loop whose last barrier is where threads leave it for the end of the kernel:
// that is another way past all barriers, and the one that they all take.
TEST(CudaText, ThreadsThatMayEndMeetTheOthersBeforeLoopsThatLeadToTheEnd) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    s[t] = 0;
    if (t & 1) {
      r = r * 3 + 1;
      if (r == n) { out[t] = 77; return; }
      for (int i = 0; i < (t & 7); ++i) r ^= in[i] << i;
    }
    s[t] = r;
    for (int round = 0;; ++round) {
      __syncthreads();
      const int other = s[(t + 2 * round + 1) & 63];
      __syncthreads();
      if (round == 2) break;
      s[t] = r += other;
    }
    out[t] = r;
  })";
  std::vector<uint32_t> in(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;
  for (const uint32_t n : {0u, in[13] * 3 + 1}) {
    std::vector<uint32_t> expected(kThreads), r = in, s(kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      if (t % 2 == 1) r[t] = r[t] * 3 + 1;
      if (t % 2 == 1 && r[t] == n) {
        expected[t] = 77;
        continue;
      }
      for (uint32_t i = 0; t % 2 == 1 && i < t % 8; ++i) r[t] ^= in[i] << i;
      s[t] = r[t];
    }
    for (uint32_t round = 0; round < 2; ++round) {
      const std::vector<uint32_t> before = s;
      for (uint32_t t = 0; t < kThreads; ++t)
        if (expected[t] == 0) s[t] = r[t] += before[(t + 2 * round + 1) % kThreads];
    }
    for (uint32_t t = 0; t < kThreads; ++t)
      if (expected[t] == 0) expected[t] = r[t];
    for (const unsigned level : {0u, 1u, 2u}) {
      EXPECT_EQ(results(compiled(text, level), kThreads, in, n), expected)
          << "-O" << level << ", " << n;
    }
  }
}

// One side of a branch that all take alike may end threads, the other holds the barriers; the end
// of the kernel, which both come to, is taken apart for those that have no barrier behind them.
TEST(CudaText, ThreadsMayEndOnOneSideOfABranchAndMeetOnTheOther) {
  constexpr uint32_t kThreads = 32;
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    int r = in[t];
    if (n) {
      if (r & 4) { out[t] = 7; return; }
    } else {
      for (int i = 0; i < in[40]; ++i) {
        s[t] = r; __syncthreads();
        r += s[31 - t]; __syncthreads();
      }
    }
    out[t] = r; out[t + 32] = -r;
  })";
  std::vector<uint32_t> in(2 * kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;
  in[40] = 2;
  for (const uint32_t n : {0u, 1u}) {
    std::vector<uint32_t> expected(2 * kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      const bool ends = n != 0 && (in[t] & 4) != 0;
      expected[t] = ends ? 7 : n != 0 ? in[t] : 2 * (in[t] + in[31 - t]);
      expected[t + kThreads] = ends ? 0 : 0 - expected[t];
    }
    for (const unsigned level : {0u, 1u, 2u})
      EXPECT_EQ(results(compiled(text, level), kThreads, in, n), expected)
          << "-O" << level << ", " << n;
  }
}

// The last warp, of one thread, ends where the other waits for it; --check knows that its read came
// before what is behind the barrier.
TEST(CudaText, AWarpMayEndWhereOthersWaitForIt) {
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[33];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t == 32) {
      int x = s[0];
      for (int i = 0; i < n; ++i) x += s[i & 3];
      out[t] = x;
      return;
    }
    __syncthreads();
    s[t] = 5;
    __syncthreads();
    out[t] = s[31 - t];
  })";
  std::vector<uint32_t> in(33), expected(33, 5);
  for (uint32_t t = 0; t < 33; ++t) in[t] = t + 1;
  expected[32] = 1 + 5 * (1 + 2 + 3 + 4);
  for (const unsigned level : {0u, 2u})
    EXPECT_EQ(results(compiled(text, level), 33, in, 20), expected) << "-O" << level;
}

// Threads that end are not waited for at a barrier, but what they do until then comes before what
// others do behind it, also of the same warp; whichever side of a branch it is on, and although
// LLVM puts the stores before both ends together.
TEST(CudaText, WhatThreadsDoBeforeTheyEndComesBeforeTheNextBarrierOfOthers) {
  constexpr uint32_t kThreads = 32;
  const std::string begin = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
  )";
  const std::string end =
      "int x = s[31 - t]; for (int i = 0; i < (t & 3); ++i) x += s[i];\n"
      "if (x & 4) { out[t] = x; return; }\n out[t] = x + n; return;\n";
  const std::string go_on = "__syncthreads(); s[t] = 1000; out[t] = out[t ^ 1] * 3 + n;\n";
  std::vector<uint32_t> in(kThreads), expected(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;  // odd where t is even
  for (uint32_t t = 0; t < kThreads; t += 2) {
    uint32_t x = in[31 - t];
    for (uint32_t i = 0; i < t % 4; ++i) x += in[i];
    expected[t] = (x & 4) != 0 ? x : x + 5;
    expected[t + 1] = expected[t] * 3 + 5;
  }
  for (const std::string& rest : {"if (in[t] & 1) {" + end + "}" + go_on,
                                  "if (!(in[t] & 1)) {" + go_on + "} else {" + end + "}"}) {
    for (const unsigned level : {0u, 1u, 2u})
      EXPECT_EQ(results(compiled(begin + rest + "}", level), kThreads, in, 5), expected)
          << "-O" << level << ": " << rest;
  }
}

// As clang writes it unless told otherwise, the return leads to where the outer loop is left, with
// a note that it is a return.
TEST(CudaText, ThreadsThatMayEndInABlockWithVariablesMeetTheOthersBeforeBarriers) {
  constexpr uint32_t kThreads = 64;
  const std::string text = R"(__device__ __noinline__ void meet() { __syncthreads(); }
  extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    int r = in[t];
    for (int round = 0; round < in[0]; ++round) {
      MEET();
      { int rest = t & 3; do {
        r = r * 5 + round;
        if (t == 30) break;
        if (r == n) return;
        if (r == n + 1) { s[t] = 1; return; }
      } while (rest-- > 0); }
      MEET();
      s[t] = r;
      MEET();
      r ^= s[t ^ 33];
    }
    MEET();
    out[t] = r;
  })";
  std::vector<uint32_t> in(kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) in[t] = t * 7 + 3;
  std::vector<uint32_t> expected = in;
  for (uint32_t round = 0; round < in[0]; ++round) {
    for (uint32_t t = 0; t < kThreads; ++t)
      for (uint32_t i = 0; i <= (t == 30 ? 0 : t & 3); ++i) expected[t] = expected[t] * 5 + round;
    const std::vector<uint32_t> s = expected;
    for (uint32_t t = 0; t < kThreads; ++t) expected[t] ^= s[t ^ 33];
  }
  for (const std::string barrier : {"__syncthreads", "meet"}) {
    for (const unsigned level : {0u, 1u, 2u}) {
      const auto module = compiled("#define MEET " + barrier + "\n" + text, level);
      EXPECT_EQ(results(module, kThreads, in, 1), expected) << "-O" << level << barrier;
    }
  }
}

TEST(CudaText, RandomKernelsWithBarriersAreRightInAnyOrderOfTheWarps) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const BarrierKernel kernel(seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> in(kernel.threads() * BarrierKernel::kVariables);
    for (uint32_t& word : in) word = static_cast<uint32_t>(random());
    const std::vector<uint32_t> expected = kernel.results(in, random);
    for (unsigned again = 0; again < 3; ++again)
      ASSERT_EQ(kernel.results(in, random), expected) << "a race, seed " << seed;
    for (const unsigned level : {0u, 1u, 2u})
      ASSERT_EQ(results(compiled(kernel.text(), level), kernel.threads(), in, kernel.rounds()),
                expected)
          << "-O" << level << ", seed " << seed << "\n"
          << kernel.text();
  }
}

// What one warp stores and loads again needs no barrier, as long as no other loads it.
TEST(CudaText, LoadsInABranchAreMadeByThreadsInTheBranchAlone) {
  const std::string text = R"(__device__ int last;
  extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ int sums[128], own[32], one;
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t < 32) sums[t] += sums[t + 32] + sums[t + 64] + sums[t + 96];
    if (t < 32) own[t] = in[t];
    if (t == 0) one = last = n;
    int found = t == 0 ? sums[0] : 0;
    if (t < 32) found += own[5];
    found += t == 0 ? one : 3;
    out[t] = found + (t == 0 ? last : 1);
  })";
  const std::string cubin = test::temporary("loads.cubin");
  for (const unsigned level : {0u, 1u, 2u}) {
    test::write(cubin, gpgpu::g80::to_text_cubin(compiled(text, level)));
    const test::Result run = test::run(
        "gpgpu-run", {"--cubin", cubin, "--grid", "1", "--block", "128", "--param", "0x1000",
                      "--param", "0x2000", "--param", "7", "--check", "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << "-O" << level << ": " << run.err;
  }
  std::remove(cubin.c_str());
}

// What such a function gives nobody may use, but what the kernel does behind it counts.
TEST(CudaText, FunctionsMayEndWithoutTheValueThatTheyOwe) {
  const std::string text = R"(
    __device__ int put(int* out, int value) { out[threadIdx.x] = value; }
    template <int kind> __device__ int sign(int x) {
      switch (kind) { case 0: if (x > 3) return 1; if (x < 3) return -1; }
    }
    extern "C" __global__ void k(const int* in, int* out, int n) {
      const int t = threadIdx.x;
      put(out, in[t] + n);
      if (in[t] != 3) out[t] += 10 * sign<0>(in[t]);
    })";
  // Host code that is not understood takes another way through the front end.
  for (const std::string& host : {std::string(), std::string("int f() { return missing(2); }\n")})
    for (const unsigned level : {0u, 1u, 2u})
      EXPECT_EQ(results(compiled(host + text, level), 5, {1, 2, 3, 4, 5}, 100),
                (std::vector<uint32_t>{91, 92, 103, 114, 115}))
          << "-O" << level;
}

// Without a barrier, which would order them anyway.
TEST(CudaText, WhatIsStoredMayBeReadAsAnotherType) {
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    __shared__ short halves[64];
    const int t = threadIdx.x;
    float* same = (float*)(out + n);
    out[t] = in[t];
    same[t] = same[t] + 1.0f;
    ((int*)halves)[t] = out[t];
    halves[2 * t] = halves[2 * t + 1] + 1;
    out[t + 32] = ((int*)halves)[t];
  })";
  std::vector<uint32_t> in(64);
  std::vector<uint32_t> expected(64);
  for (uint32_t t = 0; t < 32; ++t) {
    const auto before = static_cast<float>(t * t) + 0.25F;
    const float after = before + 1.0F;
    std::memcpy(&in[t], &before, 4);
    std::memcpy(&expected[t], &after, 4);
    const uint32_t high = expected[t] >> 16;
    expected[t + 32] = high << 16 | (high + 1);
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 32, in, 0), expected) << "-O" << level;
}

TEST(CudaText, StaticVariablesAreThereForTheHostToWrite) {
  const std::string text = R"(static __constant__ unsigned table[4];
  static __device__ unsigned counter = 5;
  extern "C" __global__ void k(const int*, unsigned* out, int) {
    out[threadIdx.x] = table[threadIdx.x & 3] + counter;
  })";
  for (const unsigned level : {0u, 1u, 2u}) {
    gpgpu::g80::Module module = compiled(text, level);
    ASSERT_EQ(module.constants.size(), 1u) << "-O" << level;
    ASSERT_EQ(module.relocations.size(), 1u) << "-O" << level;
    EXPECT_EQ(module.constants[0].name, "table");
    EXPECT_EQ(module.relocations[0].name, "counter");
    module.constants[0].words = {10, 20, 30, 40};
    EXPECT_EQ(results(module, 4, std::vector<uint32_t>(4), 0),
              (std::vector<uint32_t>{15, 25, 35, 45}));
  }
}

// Halves of R32 and beyond cannot stand in every form of a multiplication.
TEST(CudaText, KernelsThatNeedManyRegistersMultiplyByConstants) {
  constexpr unsigned kValues = 50;
  std::string text = "extern \"C\" __global__ void k(const unsigned* a, unsigned* out, int) {\n";
  std::vector<uint32_t> values(kValues);
  for (unsigned i = 0; i < kValues; ++i) {
    text += "unsigned v" + std::to_string(i) + " = a[" + std::to_string(i) + "];\n";
    values[i] = 1000003 * i + 17;
  }
  const std::vector<uint32_t> in = values;
  std::mt19937 random(1);
  for (unsigned n = 0; n < 4 * kValues; ++n) {
    const auto x = random() % kValues;
    const auto y = random() % kValues;
    const auto z = random() % kValues;
    const auto factor = static_cast<uint32_t>(3 + random() % 100000);
    text += "v" + std::to_string(x) + " = v" + std::to_string(y) + " * " + std::to_string(factor) +
            "u + v" + std::to_string(z) + ";\n";
    values[x] = values[y] * factor + values[z];
  }
  for (unsigned i = 0; i < kValues; ++i)
    text += "out[" + std::to_string(i) + "] = v" + std::to_string(i) + ";\n";
  text += "}\n";
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 1, in, 0), values) << "-O" << level;
}

// With a block of 256 threads, 8192 registers are 32 a thread, 16 where two blocks shall fit; what
// does not fit goes to local memory.
TEST(CudaText, LaunchBoundsLimitRegisters) {
  const auto text = [](const std::string& bounds) {
    std::string body = "extern \"C\" __global__ void " + bounds +
                       " k(const unsigned* in, unsigned* out, int) {\nunsigned s = 0;\n";
    for (int i = 0; i < 40; ++i) {
      const std::string n = std::to_string(i);
      body += "const unsigned v" + n + " = in[(threadIdx.x + " + n + ") % 64] * (" + n + " + 3);\n";
    }
    body += "__syncthreads();\n";
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 40; ++i)
        body += "s = s * 3 ^ v" + std::to_string(round == 0 ? i : 39 - i) + ";\n";
    }
    return body + "out[threadIdx.x] = s;\n}\n";
  };
  std::vector<uint32_t> in(64);
  std::vector<uint32_t> expected(64);
  for (uint32_t t = 0; t < 64; ++t) in[t] = t * 2654435761U;
  for (uint32_t t = 0; t < 64; ++t) {
    for (uint32_t n = 0; n < 80; ++n) {
      const uint32_t i = n < 40 ? n : 79 - n;
      expected[t] = expected[t] * 3 ^ in[(t + i) % 64] * (i + 3);
    }
  }
  const std::pair<const char*, uint32_t> bounds[] = {{"", 32},
                                                     {"__launch_bounds__(128)", 64},
                                                     {"__launch_bounds__(256)", 32},
                                                     {"__launch_bounds__(256, 2)", 16},
                                                     {"__launch_bounds__(200, 4)", 9}};
  for (const auto& [bound, limit] : bounds) {
    for (const unsigned level : {0u, 2u}) {
      CudaOptions options;
      options.optimise = level;
      const g80::Result result = compile_text(text(bound), options);
      EXPECT_LE(result.kernels[0].registers, limit) << bound << " -O" << level;
      EXPECT_EQ(result.kernels[0].spilled != 0, limit < 40) << bound << " -O" << level;
      EXPECT_EQ(results(result.module, 64, in, 0), expected) << bound << " -O" << level;
    }
  }
}

TEST(CudaText, MessagesPointIntoTheSource) {
  const std::string file = test::temporary("position.cu");
  test::write(file,
              "// x in a comment: big\n"
              "extern \"C\" __global__ void k(int* out) { __shared__ int big[9000]; "
              "big[threadIdx.x] = 1; __syncthreads(); out[threadIdx.x] = big[5]; }\n");
  g80::Options options;
  options.generated = true;
  std::string message;
  try {
    g80::compile(file, compile_cuda(file, {}), options);
  } catch (const Error& error) {
    message = error.what();
  }
  std::remove(file.c_str());
  EXPECT_NE(message.find(file + ":2:57:"), std::string::npos) << message;
  EXPECT_NE(message.find("does not fit"), std::string::npos) << message;
}

// Host code that is not understood makes the text go through the preprocessor first.
TEST(CudaText, CountsOfUnrolledLoopsMayBeMacros) {
  const auto module = compiled(R"(
#define COUNT 4
#define TWICE (COUNT * 2)
    GLuint buffer;
    extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
      unsigned sum = n;
#pragma unroll TWICE
      for (int i = 0; i < 16; i++) sum += in[i] * i;
      out[threadIdx.x] = sum;
    })",
                               2);
  std::vector<uint32_t> in(32);
  uint32_t sum = 5;
  for (uint32_t i = 0; i < 16; ++i) {
    in[i] = i * 7;
    sum += in[i] * i;
  }
  EXPECT_EQ(results(module, 32, in, 5)[31], sum);
}

// What `continue` leaves out changes what the way back works out anew, so that it leads to two
// places; all threads are to have left the loop when they come to the barrier.
TEST(CudaText, ThreadsMeetBehindLoopsWithTwoWaysBack) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned sums[5];
    const unsigned own = threadIdx.x;
    const unsigned factor = in[own], chooses = in[own + 5];
    unsigned place = in[own + 10];
    unsigned values[8];
    for (int i = 0; i < 8; ++i) values[i] = chooses * i;
    sums[own] = factor;
    __syncthreads();
    for (int i = n; i-- > 0;) {
      sums[own * 4 % 5] += values[(place + 2) & 7];
      if ((chooses & 16) == 0) continue;
      place *= factor << 29;
    }
    __syncthreads();
    out[own] = sums[own];
  }
)";
  const std::vector<uint32_t> in{1, 31, 77, 5, 9, 16, 5, 0xffffffff, 1, 0x105, 3, 0, 5, 2, 1};
  std::vector<uint32_t> sums(in.begin(), in.begin() + 5);
  for (size_t own = 0; own < 5; ++own) {
    uint32_t place = in[own + 10];
    for (int i = 0; i < 6; ++i) {
      sums[own * 4 % 5] += ((place + 2) & 7) * in[own + 5];
      if ((in[own + 5] & 16) != 0) place *= in[own] << 29;
    }
  }
  for (const unsigned level : {0u, 1u, 2u}) {
    auto found = results(compiled(text, level), 5, in, 6);
    found.resize(5);
    EXPECT_EQ(found, sums) << "-O" << level;
  }
}

// Threads leave the loop by ending, and go on with it from two places; all are to come to its
// barriers together, else some count the rounds for others.
TEST(CudaText, ThreadsMeetBeforeTheNextRoundOfLoopsThatTheyLeaveByEnding) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ int rounds;
    const unsigned own = threadIdx.x;
    unsigned sum = 0;
    if (own == 0) rounds = 0;
    while (true) {
      __syncthreads();
      if (own == 0) rounds = rounds + 1;
      __syncthreads();
      if (rounds > n) break;
      if (own & 4) {
        unsigned x = in[own];
        do {
          x >>= 1;
          ++sum;
        } while (x > 1);
        out[own] = sum;
      }
    }
  }
)";
  std::vector<uint32_t> in(64), expected(64);
  for (uint32_t own = 0; own < 64; ++own) {
    in[own] = own * own;
    if ((own & 4) == 0) continue;
    uint32_t x = in[own];
    do {
      x >>= 1;
      expected[own] += 5;
    } while (x > 1);
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 64, in, 5), expected) << "-O" << level;
}

// LLVM makes rotations of these and leaves the "& 31" out, which the machine's shifts need.
// Both halves come from one word, which LLVM shifts and masks once for both.
TEST(CudaText, HalvesOfOneWordKeepTheirSigns) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const unsigned b = in[threadIdx.x] >> 7;
    const short low = (short)b, high = (short)(0x10001u + b);
    out[threadIdx.x] = (unsigned)low * 5 + (unsigned)high;
  }
)";
  const std::vector<uint32_t> in{0, 0x7fffff, 0x3fffff, 0x400000, 0xffffffff, 0x80000000, 12345678};
  std::vector<uint32_t> expected;
  for (const uint32_t x : in) {
    const auto half = [](uint32_t y) { return (y & 0xffff) - ((y & 0x8000) << 1); };
    expected.push_back(half(x >> 7) * 5 + half(0x10001 + (x >> 7)));
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), static_cast<uint32_t>(in.size()), in, 0), expected)
        << "-O" << level;
}

TEST(CudaText, RotationsByMoreThanAWordTurnWhole) {
  const std::string text =
      R"(extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const unsigned own = threadIdx.x, x = in[own];
    const unsigned long long wide = (unsigned long long)x << 32 | own + 1;
    const unsigned long long turned = wide << (x & 63) | wide >> (-x & 63);
    unsigned sum = ~(1u << (x & 31u));
    sum ^= (own + 5) << (x & 31u) | (own + 5) >> (-x & 31u);
    out[own] = sum + (unsigned)turned * 3 + (unsigned)(turned >> 32);
  }
)";
  const std::vector<uint32_t> in{0, 1, 31, 32, 33, 63, 64, 69, 0xffffffff, 0x80000005, 1000};
  std::vector<uint32_t> expected;
  for (uint32_t own = 0; own < in.size(); ++own) {
    const uint32_t x = in[own];
    const uint64_t wide = uint64_t{x} << 32 | (own + 1);
    const uint64_t turned = wide << (x & 63) | wide >> (-x & 63);
    const uint32_t sum = ~(1u << (x & 31)) ^ ((own + 5) << (x & 31) | (own + 5) >> (-x & 31));
    expected.push_back(sum + static_cast<uint32_t>(turned) * 3 +
                       static_cast<uint32_t>(turned >> 32));
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), static_cast<uint32_t>(in.size()), in, 0), expected)
        << "-O" << level;
}

}  // namespace
}  // namespace gvp::kcc
