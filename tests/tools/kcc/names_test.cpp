// SPDX-License-Identifier: Apache-2.0
// Names that compilers of CUDA's first years found and today's standard looks for elsewhere, or
// finds twice.
#include <gtest/gtest.h>

#include "tests/tools/kcc/cuda_text.h"
#include "tools/kcc/front_end/diagnostics.h"

namespace gvp::kcc {
namespace {

gpgpu::g80::Module extended(const std::string& text, unsigned optimise) {
  CudaOptions options;
  options.optimise = optimise;
  options.front_end.device_extensions = true;
  options.back_end.device_extensions = true;
  return compile_text(text, options).module;
}

// As compilers had it that parsed templates where they were instantiated.  Where all is declared
// before, the standard's choice stays: the function that a template's own call sees.
TEST(Names, TemplatesMayNameWhatStandsBehindThem) {
  const std::string late = R"(
    #include <math.h>
    template <class T> struct Base { T v; __device__ T get() { return v; } };
    template <class T> struct Sum : Base<T> { __device__ T with(T x) { return get() + scaled(x); } };
    template <class T> __device__ T both(T a, T b) { return scaled(a) + times<3>(b); }
    __device__ int scaled(int x) { return 2 * x; }
    template <int N, class T> __device__ T times(T x) { return N * x; }
    extern "C" __global__ void k(const int* in, int* out, int n) {
      Sum<int> sum;
      sum.v = n;
      out[threadIdx.x] = both(in[threadIdx.x], 5) + 1000 * sum.with(1);
    })";
  const std::string plain = R"(
    __device__ int kind(double) { return 1; }
    template <class T> __device__ int chosen(T) { return kind(1); }
    __device__ int kind(int) { return 2; }
    extern "C" __global__ void k(const int*, int* out, int) { out[threadIdx.x] = chosen('a'); })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    in[t] = 7 * t;
    expected[t] = 14 * t + 15 + 9000;
  }
  for (const unsigned level : {0u, 1u, 2u}) {
    EXPECT_EQ(results(compiled(late, level), 32, in, 7), expected) << "-O" << level;
    EXPECT_EQ(results(compiled(plain, level), 32, in, 7), std::vector<uint32_t>(32, 1));
  }
}

// Class templates and functions that namespace std has since.
TEST(Names, OfTheProgramGoBeforeThoseOfTheStandard) {
  const std::string text = R"(
    #include <functional>
    #include <iterator>
    #include <vector>
    using namespace std;
    __constant__ int hash[4] = {5, 6, 7, 8};
    __device__ int next[4] = {1, 2, 3, 0};
    struct function { int of; };
    extern "C" __global__ void k(const int* in, int* out, int n) {
      function f = {hash[in[threadIdx.x]]};
      out[threadIdx.x] = f.of * 10 + ::next[n] + next[in[threadIdx.x]];
    }
    void run(int* data) { vector<int> v(4); function f = {4}; k<<<1, f.of>>>(data, data, 1); })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    in[t] = t % 4;
    expected[t] = (5 + t % 4) * 10 + 3 + (t + 1) % 4;
  }
  for (const unsigned level : {0u, 1u, 2u})
    EXPECT_EQ(results(compiled(text, level), 32, in, 2), expected) << "-O" << level;
}

// Functions that toolkits had until 4, and that programs for later ones have themselves; and what
// speaks to a profiler, which there is not.
TEST(Names, OfFunctionsThatToolkitsHadOnceMayBeTheProgramsOwn) {
  const std::string own = "__device__ float saturate(float x) { return x < 0 ? 0 : x; }\n";
  const std::string call = R"(
    extern "C" __global__ void k(const int* in, int* out, int n) {
      __prof_trigger(1);
      out[threadIdx.x] = saturate(in[threadIdx.x]) * n;
    })";
  for (const unsigned level : {0u, 2u}) {
    EXPECT_EQ(results(compiled(call, level), 3, {0, 1, 4}, 5), (std::vector<uint32_t>{0, 5, 5}));
    EXPECT_EQ(results(compiled(own + call, level), 3, {0, 1, 4}, 5),
              (std::vector<uint32_t>{0, 5, 20}));
  }
}

TEST(Names, OfWhatStopsTheDeviceAreRefusedWithASentence) {
  for (const char* stop : {"__trap()", "__brkpt()"})
    EXPECT_NE(refusal(std::string("extern \"C\" __global__ void k(int* out) { if (*out) ") + stop +
                      "; *out = 1; }")
                  .find("trap is not supported"),
              std::string::npos)
        << stop;
}

TEST(Names, TellProgramsWhetherThereAreAtomicOperations) {
  const std::string text = R"(extern "C" __global__ void k(unsigned* in, unsigned* out, int n) {
  #ifdef CUDA_NO_SM_11_ATOMIC_INTRINSICS
    out[0] = 100 + n;
  #else
    out[0] = atomicAdd(in, 5u) + n;
  #endif
  #ifndef CUDA_NO_SM_12_ATOMIC_INTRINSICS
    __shared__ unsigned sum;
    sum = 1;
    out[1] = atomicAdd(&sum, 2u) + sum;
  #endif
  })";
  EXPECT_EQ(results(compiled(text, 2), 1, {7, 0}, 3), (std::vector<uint32_t>{103, 0}));
  EXPECT_EQ(results(extended(text, 2), 1, {7, 0}, 3), (std::vector<uint32_t>{10, 4}));
}

// As most programs ask.
TEST(Names, OfTheArchitectureTellsWhatThereIs) {
  const std::string text = R"(extern "C" __global__ void k(unsigned* in, unsigned* out, int n) {
    out[0] = __CUDA_ARCH__;
  #if __CUDA_ARCH__ >= 110
    out[1] = atomicAdd(in, 5u) + n;
  #endif
  #if __CUDA_ARCH__ >= 120
    __shared__ unsigned sum;
    sum = 1;
    out[2] = atomicAdd(&sum, 2u) + sum + __all(1);
  #endif
  #if __CUDA_ARCH__ >= 130
    out[2] = 0;
  #endif
  })";
  EXPECT_EQ(results(compiled(text, 2), 1, {7, 0, 0}, 3), (std::vector<uint32_t>{100, 0, 0}));
  EXPECT_EQ(results(extended(text, 2), 1, {7, 0, 0}, 3), (std::vector<uint32_t>{120, 10, 5}));
}

// Programs for devices of 1.1 made a sum of floats themselves, some of which give nothing back.
TEST(Names, OfAProgramsOwnSumOfFloatsGoBeforeOurs) {
  const std::string call =
      "extern \"C\" __global__ void k(float* in, unsigned* out, int n) {\n"
      "  atomicAdd(&in[1], 2);\n"
      "  out[0] = __float_as_int(in[1]);\n"
      "  out[1] = atomicAdd(&out[2], 5u) + atomicAdd((int*)&out[2], n);\n}\n";
  for (const char* type : {"void", "inline float"}) {
    const std::string own = std::string("__device__ ") + type +
                            " atomicAdd(float* address, float value) {\n"
                            "  const float old = atomicExch(address, 10 * value);\n"
                            "  return (" +
                            (type[0] == 'v' ? "void" : "float") + ")old;\n}\n";
    for (const unsigned level : {0u, 2u})
      EXPECT_EQ(results(extended(own + call, level), 1, {0, 0x40400000, 0}, 7),
                (std::vector<uint32_t>{0x41a00000, 5, 12}));
  }
  EXPECT_EQ(results(extended(call, 2), 1, {0, 0x40400000, 0}, 7),
            (std::vector<uint32_t>{0x40a00000, 5, 12}));
}

// What a name in a template is need not be said.
TEST(Names, OfTypesInTemplatesNeedNoWord) {
  const std::string text = R"(
    template <class T> struct Traits { typedef T value; typedef Traits<T> self; };
    template <class T> struct Box {
      T held;
      template <int N> __device__ T times() const { return N * held; }
    };
    template <class T> __device__ Traits<T>::value twice(Traits<T>::value x) { return 2 * x; }
    template <class T> __device__ T all(T x) {
      Traits<T>::self::value y = x + 1;
      Box<T> box = {y};
      return box.times<3>() + twice<T>(x);
    }
    extern "C" __global__ void k(const int* in, int* out, int n) {
      out[threadIdx.x] = all(in[threadIdx.x]) + n;
    })";
  std::vector<uint32_t> in(32), expected(32);
  for (uint32_t t = 0; t < 32; ++t) {
    in[t] = t;
    expected[t] = 3 * (t + 1) + 2 * t + 9;
  }
  for (const unsigned level : {0u, 2u})
    EXPECT_EQ(results(compiled(text, level), 32, in, 9), expected) << "-O" << level;
}

TEST(Names, AmbiguousOnesAreToldApartByTheirCandidates) {
  const std::string messages =
      "k.cu:7:9: error: reference to 'hash' is ambiguous\n"
      "k.cu:3:5: note: candidate found by name lookup is 'hash'\n"
      "h:1:2: note: candidate found by name lookup is 'std::hash'\n"
      "k.cu:8:4: error: reference to 'next' is ambiguous\n"
      "k.cu:3:5: note: candidate found by name lookup is 'mine::next'\n"
      "h:1:2: note: candidate found by name lookup is 'std::next'\n"
      "k.cu:9:4: error: expected ';'\n"
      "k.cu:9:5: note: candidate found by name lookup is 'hash'\n";
  const auto places = ambiguous_globals(messages);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].line, 7U);
  EXPECT_EQ(places[0].column, 9U);
}

}  // namespace
}  // namespace gvp::kcc
