// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA C that are not to be inlined: called at every level, with the results of those
// that are inlined, loosely and approximately timed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/gpgpu/g80/listing.h"
#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

size_t calls_in(const gpgpu::g80::Module& module) {
  const std::string code = gpgpu::g80::to_listing(module);
  size_t found = 0;
  for (size_t at = code.find("CAL."); at != std::string::npos; at = code.find("CAL.", at + 1))
    ++found;
  return found;
}

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> in;
  for (uint32_t i = 0; i < count; ++i) in.push_back(i * 2654435761U >> 7);
  return in;
}

// The same text with functions that clang may inline.
std::string inlined(std::string text) {
  for (const std::string word : {"__noinline__", "__attribute__((noinline))"})
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word))
      text.erase(at, word.size());
  return text;
}

void expect_same(const std::string& text, size_t calls, uint32_t threads = 64) {
  const std::vector<uint32_t> in = numbers(threads);
  const auto expected = results(compiled(inlined(text), 2), threads, in, 5);
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto module = compiled(text, level);
    EXPECT_EQ(calls_in(module), calls) << "-O" << level;
    EXPECT_EQ(results(module, threads, in, 5), expected) << "-O" << level;
  }
}

TEST(Calls, OfDivergedThreadsAndOfFunctionsThatCall) {
  expect_same(R"(
  __device__ __noinline__ unsigned fold(unsigned a, unsigned b) {
    for (unsigned i = 0; i < (b & 7); ++i) {
      if (a & 1 << i) return a * 31 + i;
      a = a >> 1 ^ b;
    }
    return a + b;
  }
  static __device__ __attribute__((noinline)) unsigned both(unsigned a, unsigned b) {
    if (a & 1) return fold(a, b) - 1;
    return fold(b, a ^ threadIdx.x) + 2;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    unsigned sum = in[threadIdx.x];
    for (int i = 0; i < n; ++i) {
      if (sum % 3 == 0) sum = both(sum, i);
      else if (sum % 3 == 1) sum += both(i, sum) * fold(sum, 7);
    }
    out[threadIdx.x] = sum;
  })",
              5);
}

TEST(Calls, WithStructuresAndWideNumbers) {
  expect_same(R"(
  struct Small { short a; unsigned char b; unsigned c; };
  struct Large { unsigned words[9]; unsigned long long wide; };
  __device__ __noinline__ Small next(Small s, unsigned long long w) {
    s.a += (short)(w >> 33);
    s.b ^= (unsigned char)s.c;
    s.c = s.c * 3 + (unsigned)w;
    return s;
  }
  __device__ __noinline__ Large spread(Small s, unsigned by) {
    Large result;
    for (unsigned i = 0; i < 9; ++i) result.words[i] = s.c >> i ^ by;
    result.wide = (unsigned long long)s.c * s.c + s.a;
    return result;
  }
  __device__ __noinline__ void mix(Large& l, const Small* s) {
    l.words[s->c % 9] += s->b;
    l.wide = l.wide << 5 | l.words[2];
  }
  __device__ __noinline__ bool is_odd(Large l, int at) { return l.words[at] & 1; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    Small s = {(short)threadIdx.x, 7, in[threadIdx.x]};
    Large l = spread(s, n);
    for (int i = 0; i < n; ++i) {
      s = next(s, l.wide);
      if (is_odd(l, i)) l = spread(s, i);
      mix(l, &s);
    }
    unsigned sum = s.a ^ s.b ^ s.c ^ (unsigned)(l.wide >> 20);
    for (int i = 0; i < 9; ++i) sum = sum * 5 + l.words[i];
    out[threadIdx.x] = sum;
  })",
              5);
}

// What is called uses all registers that there are, and what is kept meanwhile is wanted on one way
// only.
TEST(Calls, KeepParametersThatOneWayReadsAfterwards) {
  const std::string text = R"(
  __device__ __noinline__ unsigned busy(unsigned a) {
    unsigned v[8];
    for (int i = 0; i < 8; ++i) v[i] = a * (i * 2 + 3) ^ a >> i;
    for (int n = 0; n < 3; ++n)
      for (int i = 0; i < 8; ++i) v[i] = v[i] * v[(i + 1) & 7] + v[(i + 3) & 7];
    return v[0] ^ v[1] ^ v[2] ^ v[3] ^ v[4] ^ v[5] ^ v[6] ^ v[7];
  }
  __device__ __noinline__ unsigned later(unsigned a, unsigned b, unsigned c) {
    unsigned v = busy(b);
    if (v & 1) v = busy(v + a) + a * c;
    return v;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    out[threadIdx.x] = later(in[threadIdx.x], in[threadIdx.x] >> 3, n);
  })";
  const std::vector<uint32_t> in = numbers(32);
  const auto expected = results(compiled(text, 0), 32, in, 5);
  CudaOptions options;
  for (const uint32_t registers : {8U, 10U, 12U}) {
    options.back_end.max_registers = registers;
    EXPECT_EQ(results(compile_text(text, options).module, 32, in, 5), expected) << registers;
  }
}

const char* const kBitFields = R"(
  struct Thing { unsigned char first; unsigned middle : 12; unsigned last; };
  __device__ __noinline__ Thing made(unsigned a) {
    Thing t;
    t.first = a;
    t.middle = a * 3;
    t.last = ~a;
    return t;
  }
  __device__ __noinline__ Thing changed(Thing t, unsigned by) {
    t.last ^= by;
    return t;
  })";

// Thread t makes `thing` from in[t].
void expect_bit_fields(const std::string& thing, uint32_t by) {
  const std::string text =
      std::string(kBitFields) +
      "extern \"C\" __global__ void k(const unsigned* in, unsigned* out, int n) "
      "{\n  ((Thing*)out)[threadIdx.x] = " +
      thing + ";\n}";
  std::vector<uint32_t> in(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = i * 0x1234567;
  for (const unsigned level : {0U, 1U, 2U}) {
    const auto out = results(compiled(text, level), 32, in, 9);
    for (uint32_t t = 0; t < 32; ++t) {
      EXPECT_EQ(out[2 * t] & 0xfffffU, (in[t] & 0xffU) | (in[t] * 3 & 0xfffU) << 8U)
          << "-O" << level << ", " << t;
      EXPECT_EQ(out[2 * t + 1], ~in[t] ^ by) << "-O" << level << ", " << t;
    }
  }
}

// Nobody writes what is between their members, and gpgpu-run --check does not mind.
TEST(Calls, MayCopyHolesOfStructures) { expect_bit_fields("made(in[threadIdx.x])", 0); }

// Their bytes are passed in pieces that do not lie where the machine could access them.
TEST(Calls, MayTakeAndGiveBitFields) { expect_bit_fields("changed(made(in[threadIdx.x]), n)", 9); }

TEST(Calls, MayTakeAndGivePackedStructures) {
  const std::string text = R"(
  struct __attribute__((packed)) Packed { unsigned char a; float b; short c; unsigned d; };
  __device__ __noinline__ Packed made(unsigned a) {
    Packed p = {(unsigned char)a, a * 0.5f, (short)(a >> 3), a * 7};
    return p;
  }
  __device__ __noinline__ Packed changed(Packed p, unsigned by) {
    p.b *= by;
    p.d ^= by;
    return p;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const Packed p = changed(made(in[threadIdx.x]), n);
    out[threadIdx.x] = p.a + (int)p.b * 3 + p.c * 5 + p.d;
  })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    in[t] = t * 54321;
    const auto c = static_cast<int16_t>(in[t] >> 3);
    const auto b = static_cast<int32_t>(static_cast<float>(in[t]) * 0.5F * 6);
    expected[t] = (in[t] & 0xffU) + static_cast<uint32_t>(b * 3 + c * 5) + (in[t] * 7 ^ 6U);
  }
  for (const unsigned level : {0U, 1U, 2U})
    EXPECT_EQ(results(compiled(text, level), 32, in, 6), expected) << "-O" << level;
}

// Also eight bytes, of numbers and of doubles.
TEST(Calls, MayTakeAndGivePackedStructuresWithWideNumbers) {
  for (const std::string packing : {"1", "2", "4"}) {
    const std::string text = "#pragma pack(push, " + packing + R"()
  struct Packed { unsigned char a; unsigned long long b; short c; double d; };
#pragma pack(pop)
  __device__ __noinline__ Packed made(unsigned a) {
    Packed p = {(unsigned char)a, a * 0x123456789ull, (short)(a >> 3), a * 0.5f};
    return p;
  }
  __device__ __noinline__ Packed changed(Packed p, unsigned by) {
    p.b ^= (unsigned long long)by << 35 | by;
    p.d *= by;
    return p;
  }
  __device__ __noinline__ unsigned sum(Packed p) {
    return p.a + (unsigned)p.b * 3 + (unsigned)(p.b >> 32) * 5 + p.c * 7 + (unsigned)p.d;
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const Packed p = changed(made(in[threadIdx.x]), n);
    out[threadIdx.x] = sum(p) + (unsigned)(p.b >> 16);
  })";
    std::vector<uint32_t> in(32), expected(32);
    for (uint32_t t = 0; t < 32; ++t) {
      in[t] = t * 54321;
      const auto c = static_cast<int16_t>(in[t] >> 3);
      const uint64_t b = in[t] * uint64_t{0x123456789} ^ (uint64_t{6} << 35U | 6U);
      const auto d = static_cast<uint32_t>(static_cast<float>(in[t]) * 0.5F * 6);
      expected[t] = (in[t] & 0xffU) + static_cast<uint32_t>(b) * 3 +
                    static_cast<uint32_t>(b >> 32U) * 5 + static_cast<uint32_t>(c * 7) + d +
                    static_cast<uint32_t>(b >> 16U);
    }
    for (const unsigned level : {0U, 1U, 2U})
      EXPECT_EQ(results(compiled(text, level), 32, in, 6), expected)
          << "-O" << level << ", packed to " << packing;
  }
}

// A piece of a parameter has less bits than the register that it comes in.
TEST(Calls, MayTakeNegativeShortNumbersInPackedStructures) {
  const std::string text = R"(
#pragma pack(push, 4)
  struct Packed { short a; signed char b; unsigned long long c; };
#pragma pack(pop)
  __device__ __noinline__ int sum(Packed p) { return p.a + p.b * 3; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    const Packed p = {(short)in[threadIdx.x], (signed char)(in[threadIdx.x] >> 3), 0};
    out[threadIdx.x] = sum(p);
  })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    in[t] = t * 54321;
    expected[t] =
        static_cast<uint32_t>(static_cast<int16_t>(in[t]) + static_cast<int8_t>(in[t] >> 3) * 3);
  }
  for (const unsigned level : {0U, 1U, 2U})
    EXPECT_EQ(results(compiled(text, level), 32, in, 6), expected) << "-O" << level;
}

// All threads of a block wait in it, also where only some blocks, or all rounds of a loop, call.
TEST(Calls, OfFunctionsWithBarriers) {
  expect_same(R"(
  __device__ __noinline__ void rotate(unsigned* cells, unsigned by) {
    const unsigned value = cells[(threadIdx.x + by) % blockDim.x];
    __syncthreads();
    cells[threadIdx.x] = value + by;
    __syncthreads();
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned cells[64];
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int i = 1; i <= n; ++i) {
      if (threadIdx.x & i) cells[threadIdx.x] += 3;
      __syncthreads();
      rotate(cells, i);
    }
    rotate(cells, 17);
    out[threadIdx.x] = cells[threadIdx.x];
  })",
              2);
}

TEST(Calls, OfFunctionsThatAskOrWriteTogether) {
  const std::string text = R"(
  __device__ __noinline__ int vote_and_count(unsigned* counts, int value) {
    if (__any(value == 3)) atomicAdd(&counts[value & 3], 1);
    return __all(value > 0);
  }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned counts[4];
    if (threadIdx.x < 4) counts[threadIdx.x] = 0;
    __syncthreads();
    int sum = vote_and_count(counts, threadIdx.x);
    if (threadIdx.x & 8) sum += 2 * vote_and_count(counts, threadIdx.x & 6);
    __syncthreads();
    out[threadIdx.x] = sum + 10 * counts[threadIdx.x & 3];
  })";
  for (const unsigned level : {0u, 1u, 2u}) {
    CudaOptions options;
    options.optimise = level;
    options.front_end.device_extensions = true;
    options.back_end.device_extensions = true;
    const auto module = compile_text(text, options).module;
    EXPECT_EQ(calls_in(module), 2u);
    const auto found = results(module, 64, numbers(64), 5);
    // The first warp has threads 0 and 3; of the threads of 8 to 15 none asks for 3.
    for (uint32_t t = 0; t < 64; ++t) {
      const uint32_t all = t >= 32 ? 1 : 0;
      EXPECT_EQ(found[t], all + 80) << t;
    }
  }
}

// Doubles in memory need to be known for what they are.
TEST(Calls, OfFunctionsThatReachDoublesInMemoryAreInlined) {
  expect_same(R"(
  __device__ __noinline__ void add(double* to, double by) { *to += by; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    double sum = n;
    add(&sum, threadIdx.x);
    out[threadIdx.x] = (unsigned)sum;
  })",
              0);
}

// A fault in a function names its line.
TEST(Calls, LinesOfFunctionsAreTheirOwn) {
  CudaOptions options;
  options.back_end.lines = true;
  const auto module =
      compile_text(
          "__device__ __noinline__ unsigned twice(unsigned a) {\n"
          "  return a * a * 2;\n"
          "}\n"
          "extern \"C\" __global__ void k(const unsigned* in, unsigned* out, int n) {\n"
          "  out[threadIdx.x] = twice(in[0]);\n"
          "}\n",
          options)
          .module;
  const std::string code = gpgpu::g80::to_listing(module);
  const size_t call = code.find("CAL.");
  ASSERT_NE(call, std::string::npos);
  EXPECT_THAT(code.substr(0, call), HasSubstr("line 5\n"));
  EXPECT_THAT(code.substr(call), HasSubstr("line 2\n"));
}

TEST(Calls, OfFunctionsOfTwoKernelsAreInBoth) {
  const auto module = compiled(R"(
  __device__ __noinline__ unsigned square(unsigned a) { return a * a; }
  extern "C" __global__ void k(const unsigned* in, unsigned* out, int n) {
    out[threadIdx.x] = square(in[threadIdx.x]);
  }
  extern "C" __global__ void other(unsigned* out) { out[0] = square(out[1]) + square(out[2]); }
  )",
                               2);
  EXPECT_EQ(calls_in(module), 3u);
  const auto found = results(module, 32, numbers(32), 0);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(found[t], numbers(32)[t] * numbers(32)[t]);
}

}  // namespace
}  // namespace gvp::kcc
