// SPDX-License-Identifier: Apache-2.0
// 64-bit integers in CUDA C, against the host's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/tools/kcc/cuda_text.h"

namespace gvp::kcc {
namespace {

using U = unsigned long long;
using S = long long;

// What kernels and this test compute of two numbers: one expression a line.
#define KCC_WIDE_EXPRESSIONS(E)     \
  E(a + b)                          \
  E(a - b)                          \
  E(a* b)                           \
  E(a / (b | 1))                    \
  E(a % (b | 1))                    \
  E((U)((S)a / ((S)b | 1)))         \
  E((U)((S)a % ((S)b | 1)))         \
  E(a& b)                           \
  E(a | ~b)                         \
  E(a ^ b)                          \
  E(0 - a)                          \
  E(a << (b & 63))                  \
  E(a >> (b & 63))                  \
  E((U)((S)a >> (b & 63)))          \
  E(a << 5)                         \
  E(a << 40)                        \
  E(a >> 32)                        \
  E(a >> 7)                         \
  E((U)((S)a >> 33))                \
  E((U)((S)a >> 31))                \
  E(a < b ? 1 : 2)                  \
  E((S)a < (S)b ? 1 : 2)            \
  E(a <= b ? a : b)                 \
  E((S)a > (S)b ? a : b)            \
  E((S)a >= (S)b ? 3 : 4)           \
  E(a == b ? 5 : 6)                 \
  E(a != b ? 7 : 8)                 \
  E((U)(S)(int)a)                   \
  E((U)(unsigned)b)                 \
  E((U)(S)(short)a)                 \
  E((U)(S)(signed char)b)           \
  E((U)(unsigned char)a)            \
  E((U)((S)(int)a * (S)(int)b))     \
  E((U)(unsigned)a*(unsigned)b + a) \
  E(a * 10 + b / 10)                \
  E(a % 1000)                       \
  E((a >> 33) & 0x7ff)              \
  E((U)((S)(a << 11) >> 40))        \
  E((U)((S)a / -7))                 \
  E((U)(a != 0 && (b & 1) != 0))

std::string kernel_of(const std::string& expressions) {
  return "typedef unsigned long long U;\ntypedef long long S;\n"
         "__device__ __noinline__ void compute(U a, U b, U* out) {\nint i = 0;\n" +
         expressions +
         "}\nextern \"C\" __global__ void k(const U* in, U* out, int n) {\n"
         "  const int t = threadIdx.x;\n"
         "  compute(in[2 * t], in[2 * t + 1], out + n * t);\n}\n";
}

#define KCC_AS_TEXT(expression) text += "out[i++] = " #expression ";\n";
#define KCC_AS_VALUE(expression) values.push_back(static_cast<U>(expression));

std::vector<U> expected(U a, U b) {
  std::vector<U> values;
  KCC_WIDE_EXPRESSIONS(KCC_AS_VALUE)
  return values;
}

std::vector<U> numbers(size_t count) {
  std::vector<U> result{0,
                        1,
                        ~U{0},
                        U{1} << 63,
                        (U{1} << 63) - 1,
                        0xffffffff,
                        U{1} << 32,
                        0xdeadbeef12345678,
                        7,
                        0x100000001};
  std::mt19937_64 random(7);
  while (result.size() < count) result.push_back(random() >> (random() % 64));
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

std::vector<uint32_t> words(const std::vector<U>& from) {
  std::vector<uint32_t> to(2 * from.size());
  std::memcpy(to.data(), from.data(), 8 * from.size());
  return to;
}
std::vector<U> numbers_of(const std::vector<uint32_t>& from) {
  std::vector<U> to(from.size() / 2);
  std::memcpy(to.data(), from.data(), 8 * to.size());
  return to;
}

TEST(WideIntegers, ComputeAsOnTheHost) {
  std::string text;
  KCC_WIDE_EXPRESSIONS(KCC_AS_TEXT)
  constexpr uint32_t kThreads = 64;
  const auto count = static_cast<uint32_t>(expected(0, 0).size());
  auto in = numbers(size_t{2} * kThreads);
  in.resize(size_t{kThreads} * count);
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto out =
        numbers_of(results(compiled(kernel_of(text), level), kThreads, words(in), count));
    for (uint32_t t = 0; t < kThreads; ++t) {
      const auto should = expected(in[2 * t], in[2 * t + 1]);
      for (uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(out[t * count + i], should[i]) << "-O" << level << ", expression " << i << " of "
                                                 << in[2 * t] << ", " << in[2 * t + 1];
    }
  }
}

// LLVM writes these as bit fields, which have zeros where the sign belongs.
TEST(WideIntegers, ShiftedSignsFillTheMask) {
  constexpr int kShifts[] = {5, 31, 33, 43, 57, 63};
  constexpr int kBits[] = {8, 22, 31, 32, 33, 48, 63};
  std::string text =
      "extern \"C\" __global__ void k(const long long* in, unsigned long long* out, "
      "int) {\n  const long long x = in[threadIdx.x];\n";
  size_t count = 0;
  for (const int shift : kShifts) {
    for (const int bits : kBits) {
      for (const char* type : {"", "(unsigned long long)"}) {
        text += "  out[threadIdx.x + " + std::to_string(32 * count++) +
                "] = (unsigned long long)(" + type + "x >> " + std::to_string(shift) + ") & " +
                std::to_string((U{1} << bits) - 1) + "ull;\n";
      }
    }
  }
  std::vector<uint32_t> in(2 * 32 * count);
  std::mt19937 random(11);
  for (uint32_t& each : in) each = static_cast<uint32_t>(random());
  for (const unsigned level : {0u, 2u}) {
    const auto out = numbers_of(results(compiled(text + "}\n", level), 32, in, 0));
    for (size_t t = 0; t < 32; ++t) {
      const U x = numbers_of(in)[t];
      const U ones = x >> 63 != 0 ? ~U{0} : 0;
      size_t at = t;
      for (const int shift : kShifts) {
        for (const int bits : kBits) {
          const U mask = (U{1} << bits) - 1;
          const U zeros = x >> shift;
          EXPECT_EQ(out[at], (zeros | (ones & ~(~U{0} >> shift))) & mask)
              << x << " >> " << shift << ", " << bits << " bits, -O" << level;
          EXPECT_EQ(out[at + 32], zeros & mask) << x << ", " << shift << ", " << bits;
          at += 64;
        }
      }
    }
  }
}

// Of 32-bit numbers that are made wider: clang writes these as products.
TEST(WideIntegers, ShiftsOfNarrowNumbersKeepTheUpperHalf) {
  const std::string text = R"(extern "C" __global__ void k(const int* in, long long* out, int) {
    const int x = in[threadIdx.x];
    out[threadIdx.x] = (long long)x * 2147483648LL - ((long long)(x ^ 5) << 30);
    out[threadIdx.x + 32] = in[threadIdx.x + 1] + (long long)x * (-2147483647LL - 1);
    out[threadIdx.x + 64] = (unsigned long long)(unsigned)x << 31;
  })";
  std::vector<uint32_t> in(6 * 32);
  std::mt19937 random(9);
  for (uint32_t& each : in) each = static_cast<uint32_t>(random());
  in[0] = 0x80000000;
  for (const unsigned level : {0u, 1u, 2u}) {
    const auto out = numbers_of(results(compiled(text, level), 32, in, 0));
    for (size_t t = 0; t < 32; ++t) {
      const auto x = static_cast<int32_t>(in[t]);
      const auto next = static_cast<int32_t>(in[t + 1]);
      EXPECT_EQ(static_cast<S>(out[t]), (S{x} * (S{1} << 31)) - S{x ^ 5} * (S{1} << 30)) << x;
      EXPECT_EQ(static_cast<S>(out[t + 32]), next - S{x} * (S{1} << 31)) << "-O" << level << x;
      EXPECT_EQ(out[t + 64], U{in[t]} << 31) << "-O" << level << ", " << x;
    }
  }
}

TEST(WideIntegers, BitFunctionsAndUpperHalves) {
  const std::string text = kernel_of(
      "out[i++] = __popcll(a); out[i++] = __clzll(a); out[i++] = __ffsll(a);\n"
      "out[i++] = __brevll(a); out[i++] = __umul64hi(a, b); out[i++] = __mul64hi(a, b);\n"
      "out[i++] = min((S)a, (S)b); out[i++] = max(a, b); out[i++] = abs((S)a);\n");
  constexpr uint32_t kThreads = 32;
  constexpr uint32_t kCount = 9;
  auto in = numbers(size_t{2} * kThreads);
  in.resize(size_t{kThreads} * kCount);
  for (const unsigned level : {0u, 2u}) {
    const auto out = numbers_of(results(compiled(text, level), kThreads, words(in), kCount));
    for (uint32_t t = 0; t < kThreads; ++t) {
      const U a = in[2 * t];
      const U b = in[2 * t + 1];
      U reversed = 0;
      for (unsigned n = 0; n < 64; ++n) reversed |= (a >> n & 1) << (63 - n);
      __extension__ using Wide = unsigned __int128;
      __extension__ using SignedWide = __int128;
      const auto sa = static_cast<S>(a);
      const auto sb = static_cast<S>(b);
      const U should[] = {static_cast<U>(__builtin_popcountll(a)),
                          static_cast<U>(a == 0 ? 64 : __builtin_clzll(a)),
                          static_cast<U>(__builtin_ffsll(sa)),
                          reversed,
                          static_cast<U>(static_cast<Wide>(a) * b >> 64),
                          static_cast<U>(static_cast<SignedWide>(sa) * sb >> 64),
                          static_cast<U>(std::min(sa, sb)),
                          std::max(a, b),
                          sa < 0 ? 0 - a : a};
      for (uint32_t i = 0; i < kCount; ++i)
        ASSERT_EQ(out[t * kCount + i], should[i]) << "-O" << level << ", " << i << " of " << a;
    }
  }
}

// Rounded once, to nearest; towards zero the other way, and clamped.
TEST(WideIntegers, ConvertFromAndToFloats) {
  const std::string text =
      "typedef unsigned long long U;\ntypedef long long S;\n"
      "extern \"C\" __global__ void k(const U* in, U* out, int) {\n"
      "  const int t = threadIdx.x;\n"
      "  const float f = __int_as_float((int)(in[t] >> 32));\n"
      "  out[4 * t] = __float_as_uint((float)in[t]);\n"
      "  out[4 * t + 1] = __float_as_uint((float)(S)in[t]);\n"
      "  out[4 * t + 2] = (U)f;\n"
      "  out[4 * t + 3] = (S)f;\n}\n";
  constexpr uint32_t kThreads = 256;
  auto in = numbers(kThreads);
  for (uint32_t t = 100; t < 160; ++t) {  // floats around the limits, of both signs
    const float f = std::ldexp(t % 2 != 0 ? -1.25F : 1.0F, static_cast<int>(t) - 95);
    uint32_t bits = 0;
    std::memcpy(&bits, &f, 4);
    in[t] = static_cast<U>(bits) << 32 | t;
  }
  in[99] = U{0x7fc00000} << 32;
  for (uint32_t t = 0; t < 20; ++t) in[t] = (U{1} << 40) + (U{1} << 16) + t - 10;  // halfway
  auto sized = in;
  sized.resize(size_t{4} * kThreads);
  for (const unsigned level : {0u, 2u}) {
    const auto out = numbers_of(results(compiled(text, level), kThreads, words(sized), 0));
    for (uint32_t t = 0; t < kThreads; ++t) {
      const auto bits = [](float f) {
        uint32_t result = 0;
        std::memcpy(&result, &f, 4);
        return result;
      };
      const auto upper = static_cast<uint32_t>(in[t] >> 32);
      float f = 0;
      std::memcpy(&f, &upper, 4);
      EXPECT_EQ(out[4 * t], bits(static_cast<float>(in[t]))) << "-O" << level << ", " << in[t];
      EXPECT_EQ(out[4 * t + 1], bits(static_cast<float>(static_cast<S>(in[t])))) << in[t];
      const U whole = !(f > 0) ? 0 : f >= 0x1p64F ? ~U{0} : static_cast<U>(f);
      const S part = std::isnan(f)   ? 0
                     : f >= 0x1p63F  ? LLONG_MAX
                     : f <= -0x1p63F ? LLONG_MIN
                                     : static_cast<S>(f);
      EXPECT_EQ(out[4 * t + 2], whole) << "-O" << level << ", " << f;
      EXPECT_EQ(out[4 * t + 3], static_cast<U>(part)) << "-O" << level << ", " << f;
    }
  }
}

// As parameters, in structures, shared memory, loops and arrays of the thread's own.
TEST(WideIntegers, LieInEveryMemory) {
  const std::string text = R"(
    struct Pair { long long sum; int count; };
    __constant__ unsigned long long c_table[3] = {1, 0x123456789abcdefULL, 3};
    __device__ __noinline__ Pair add(Pair p, long long x) { p.sum += x; ++p.count; return p; }
    extern "C" __global__ void k(const longlong2* in, longlong2* out, unsigned long long n) {
      __shared__ long long tile[32];
      long long own[4];
      const int t = threadIdx.x;
      const longlong2 v = in[t];
      tile[t] = v.x - v.y;
      for (int i = 0; i < 4; ++i) own[(i + t) & 3] = v.x >> i;
      __syncthreads();
      Pair p = {(long long)n, 0};
      for (long long i = 0; i < (v.x & 15); ++i) p = add(p, tile[(t + i) & 31] + c_table[i % 3]);
      out[t] = make_longlong2(p.sum + own[t & 3], (long long)p.count << 33);
    })";
  constexpr uint32_t kThreads = 32;
  const auto in = numbers(size_t{2} * kThreads);
  const U table[3] = {1, 0x123456789abcdefULL, 3};
  for (const unsigned level : {0u, 1u, 2u}) {
    // n takes two words.
    const auto out = numbers_of(results_with(compiled(text, level), kThreads, words(in), {77, 0}));
    for (uint32_t t = 0; t < kThreads; ++t) {
      U sum = 77;
      const U rounds = in[2 * t] & 15;
      for (U i = 0; i < rounds; ++i) {
        const U other = (t + i) & 31;
        sum += in[2 * other] - in[2 * other + 1] + table[i % 3];
      }
      sum += static_cast<U>(static_cast<S>(in[2 * t]));
      EXPECT_EQ(out[2 * t], sum) << "-O" << level << ", " << t;
      EXPECT_EQ(out[2 * t + 1], rounds << 33) << "-O" << level << ", " << t;
    }
  }
}

}  // namespace
}  // namespace gvp::kcc
