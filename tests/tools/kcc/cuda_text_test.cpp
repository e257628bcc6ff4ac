// SPDX-License-Identifier: Apache-2.0
// Programs in CUDA C that are written here, compiled at every level and run on the machine, loosely
// and approximately timed: memory that other threads and the host write.
#include "tests/tools/kcc/cuda_text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"
#include "tests/tools/kcc/barrier_kernel.h"
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

// Cubins as text have constants in whole words.
TEST(CudaText, ConstantsOfBytesLieInWords) {
  const gpgpu::g80::Module module = compiled(
      "__constant__ char a = 1;\n__constant__ char b[5] = {2, 3, 4, 5, 6};\n"
      "__constant__ short c = 7;\n"
      "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n"
      "  out[threadIdx.x] = a * 100000 + b[threadIdx.x] * 100 + c + in[threadIdx.x]; }",
      2);
  const std::vector<uint32_t> in{0, 10, 20, 30};
  EXPECT_EQ(
      results(gpgpu::g80::parse_text_cubin(gpgpu::g80::to_text_cubin(module), "k.cubin"), 4, in, 0),
      (std::vector<uint32_t>{100207, 100317, 100427, 100537}));
}

TEST(CudaText, AveragesOfIntegersDoNotOverflow) {
  const std::string text = R"(extern "C" __global__ void k(const int* in, int* out, int n) {
    const int t = threadIdx.x, a = in[t];
    out[t] = t < 2 ? __hadd(a, n) : t < 4 ? __rhadd(a, n) : t < 6 ? __uhadd(a, n) : __urhadd(a, n);
  })";
  const std::vector<uint32_t> in{0x7fffffff, ~5U, 0x7fffffff, ~5U, ~0U, 4, ~0U, 4};
  EXPECT_EQ(results(compiled(text, 2), 8, in, 0x7ffffffb),
            (std::vector<uint32_t>{0x7ffffffd, 0x3ffffffa, 0x7ffffffd, 0x3ffffffb, 0xbffffffd,
                                   0x3fffffff, 0xbffffffd, 0x40000000}));
}

}  // namespace
}  // namespace gvp::kcc
