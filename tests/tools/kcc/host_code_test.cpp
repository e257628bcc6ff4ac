// SPDX-License-Identifier: Apache-2.0
// Whole programs as they stand: host code is read, for its launches, and left out; what clang does
// not understand of it keeps no kernel from compiling.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/base/error.h"
#include "tests/tools/kcc/both_timings.h"
#include "tests/tools/kcc/cuda_source.h"
#include "tests/tools/kcc/machine_runner.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kProgram = GVP_SOURCE_DIR "/tests/tools/kcc/programs/saxpy.cu";

// Templates come from launches in templates, with deduced and with written arguments, and from a
// function that is not understood.
TEST(HostCode, WholeProgramGivesAllKernelsThatItLaunches) {
  for (const unsigned level : {0u, 2u}) {
    const g80::Result result = compiled(kProgram, level);
    EXPECT_THAT(kernels(result),
                ElementsAre("_ZL9block_sumIfLj32EEvPT_PKS0_j", "_ZL9block_sumIfLj64EEvPT_PKS0_j",
                            "_ZL9block_sumIiLj32EEvPT_PKS0_j", "_ZL9block_sumIiLj64EEvPT_PKS0_j",
                            "_ZL9block_sumIjLj64EEvPT_PKS0_j", "saxpy"));
    gpgpu::g80::Module module = result.module;
    ASSERT_EQ(module.constants.size(), 1U) << "a texture that nobody reads costs nothing";
    for (auto& constant : module.constants) constant.words.assign(64, 0x3f000000);  // 0.5f
    std::vector<uint8_t> before(256 + 2 * 256);
    for (uint32_t i = 0; i < 64; ++i) {
      const float x[] = {static_cast<float>(i)};
      const float y[] = {static_cast<float>(100 * i)};
      std::memcpy(&before[256 + 4 * i], x, 4);
      std::memcpy(&before[512 + 4 * i], y, 4);
    }
    std::vector<uint8_t> after = before;
    ptx::Grid grid;
    grid.block_x = 64;
    const std::vector<uint32_t> parameters{512, 256, 0x40000000, 60};
    EXPECT_EQ(run_on_machine(module, "saxpy", grid, parameters, after).fault, "");
    after.resize(before.size());
    for (uint32_t i = 0; i < 64; ++i) {
      float y = 0;
      std::memcpy(&y, &after[512 + 4 * i], 4);
      const auto number = static_cast<float>(i);
      EXPECT_EQ(y, i < 60 ? 102 * number + 0.5F : 100 * number) << "-O" << level << ", " << i;
    }
    expect_with_both_timings(module, "saxpy", grid, parameters, before, after);
  }
}

TEST(HostCode, TheStyleOfTheFirstYearsCompiles) {
  for (const unsigned level : {0u, 2u}) {
    testing::internal::CaptureStderr();
    const g80::Result result =
        compiled(GVP_SOURCE_DIR "/tests/tools/kcc/programs/old_style.cu", level);
    testing::internal::GetCapturedStderr();
    EXPECT_THAT(kernels(result),
                ElementsAre("_Z5applyIXadL_Z3addffEEEvPf", "_Z5applyIXadL_Z8multiplyffEEEvPf",
                            "everything", "products", "sort"));
    std::vector<uint8_t> memory(256 + 128);
    std::vector<int32_t> values(32);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i * 37 % 64) - 20;
    std::memcpy(&memory[256], values.data(), 128);
    ptx::Grid grid;
    grid.block_x = 32;
    grid.dynamic_shared_bytes = 128;
    EXPECT_EQ(run_on_machine(result.module, "sort", grid, {256, 32}, memory).fault, "");
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::memcmp(&memory[256], values.data(), 128), 0) << "-O" << level;
  }
}

// GCC's word, and what GCC says nothing about: the host's size_t fits "%ld".
TEST(HostCode, IsReadAsTheHostsCompilerOfThoseDaysReadIt) {
  const TemporaryFile source(
      "host.cu",
      "#include <stdio.h>\n"
      "#include <functional>\n"
      "struct Less : public std::binary_function<int, int, bool> {};\n"
      "__global__ void k(float* out) { typeof(*out) x = out[0]; out[1] = x + x; }\n"
      "void launch(float* out) { k<<<1, 1>>>(out); printf(\"%ld bytes\\n\", sizeof(Less)); }\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("k"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(HostCode, LaunchesInBothArmsOfABranchAreKept) {
  const TemporaryFile source(
      "host.cu",
      "#include <no_such_library.h>\n"
      "namespace n { template <bool b> __global__ void k(int* p) { p[0] = b; } }\n"
      "template <bool b> __global__ void g(int* p) { p[0] = b; }\n"
      "template <bool both> void step(const Plan* plan, bool first) {\n"
      "  if (first)\n"
      "    g<true><<<1, 2>>>(plan->p);\n"
      "  else\n"
      "    g<false><<<1, 2>>>(plan->p);\n"
      "  if (both)\n"
      "    n::k<both><<<1, 2>>>(plan->p);\n"
      "  else\n"
      "    ::n::k<!both><<<1, 2>>>(plan->p);\n"
      "}\n"
      "void f(Plan* p) { step<true>(p, false); }\n");
  testing::internal::CaptureStderr();
  const auto names = kernels(compiled(source.path()));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(names.size(), 4U);
}

// Functions without bodies ask that types have linkage.
TEST(HostCode, TypesThatNoOtherFileCanNameAreWhatTheApiIsGiven) {
  const TemporaryFile source(
      "host.cu",
      "namespace { struct P { int a; }; }\n"
      "__constant__ struct { int q[4]; } table;\n"
      "static struct { int a, b; }* pairs;\n"
      "__global__ void k(P* p) { p->a = table.q[1]; }\n"
      "void host(P* p, void* from) {\n"
      "  struct Own { int a; }* own;\n"
      "  size_t bytes;\n"
      "  cudaMalloc(&p, 4);\n  cudaMalloc(&pairs, 8);\n  cudaMallocHost(&own, 4);\n"
      "  cudaMemcpyToSymbol(table, from, 16);\n  cudaMemcpyFromSymbol(from, table, 16);\n"
      "  cudaGetSymbolAddress(&own, table);\n  cudaGetSymbolSize(&bytes, table);\n"
      "  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);\n"
      "  k<<<1, 1>>>(p);\n"
      "}\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(kernels(compiled(source.path())).size(), 1U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(HostCode, LoopsThatCannotBeUnrolledAreNothingToSpeakOf) {
  const TemporaryFile source(
      "host.cu",
      "__global__ void k(int* out, int n) {\n"
      "#pragma unroll 9\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    if (out[i] == 7) __syncthreads();\n    out[i + 1] = out[i] * n;\n  }\n}\n");
  testing::internal::CaptureStderr();
  for (const unsigned level : {0u, 2u}) compiled(source.path(), level);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// As the first compilers took them, which looked for a body alone.
TEST(HostCode, FunctionsThatTheDeviceCallsNeedNoMark) {
  const TemporaryFile source(
      "host.cu",
      "#include <stdio.h>\n"
      "inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }\n"
      "static float fourth(float x);\n"
      "template <class T> T twice(T x) { return x + x; }\n"
      "extern \"C\" float square(float x) { return x * x; }\n"
      "struct Value {\n"
      "  float x;\n"
      "  Value(float a) : x(a) {}\n"
      "  float get() const { return twice(x); }\n"
      "};\n"
      "static float fourth(float x) { return square(square(x)); }\n"
      "__device__ float each(float x) { return fourth(x) + Value(x).get(); }\n"
      "__global__ void k(float* p) {\n"
      "  float2 both = make_float2(p[threadIdx.x], 1) + make_float2(1, 2);\n"
      "  p[threadIdx.x] = each(both.x) + both.y;\n"
      "}\n"
      "int main() { printf(\"%f\\n\", fourth(2)); k<<<1, 32>>>(0); }\n");
  testing::internal::CaptureStderr();
  const g80::Result result = compiled(source.path());
  const std::string messages = testing::internal::GetCapturedStderr();
  for (const char* name :
       {":2: warning: an operator", ":11: warning: 'fourth'", ":4: warning: 'twice'",
        ":5: warning: 'square'", ":8: warning: 'Value'", ":9: warning: 'get'"})
    EXPECT_THAT(messages, HasSubstr(source.path() + name));
  EXPECT_THAT(messages, Not(HasSubstr("main")));
  std::vector<float> values(96);
  for (size_t i = 0; i < 32; ++i) values[64 + i] = static_cast<float>(i);
  std::vector<uint8_t> memory(4 * values.size());
  std::memcpy(memory.data(), values.data(), memory.size());
  ptx::Grid grid;
  grid.block_x = 32;
  EXPECT_EQ(run_on_machine(result.module, "k", grid, {256}, memory).fault, "");
  std::memcpy(values.data(), memory.data(), memory.size());
  for (size_t i = 0; i < 32; ++i) {
    const float x = static_cast<float>(i) + 1;
    EXPECT_EQ(values[64 + i], x * x * x * x + 2 * x + 3) << i;
  }
}

// The call names the declaration in front of it; the function's text stands behind.
TEST(HostCode, FunctionsThatTheDeviceCallsMayStandBehindTheirCall) {
  const TemporaryFile source(
      "host.cu",
      "static int twice(int x);\n"
      "__global__ void k(int* a) { a[threadIdx.x] = twice(a[threadIdx.x]); }\n"
      "static int twice(int x) { return 2 * x; }\n"
      "int main() { k<<<1, 32>>>(0); return twice(0); }\n");
  testing::internal::CaptureStderr();
  const g80::Result result = compiled(source.path());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(":1: warning: 'twice'"));
  EXPECT_EQ(result.module.kernels.size(), 1u);
}

// The samples' headers grew over the years: what a program defines itself is no second definition.
TEST(HostCode, OwnFunctionsTakeThePlaceOfTheSamples) {
  const TemporaryFile source("host.cu",
                             "#define min(a, b) ((a) < (b) ? (a) : (b))\n"
                             "#include <cutil_math.h>\n"
                             "inline __device__ float dot(float3 a, float3 b) { return 100.0f; }\n"
                             "inline __host__ __device__ float3 operator+(float3 a, float3 b) {\n"
                             "  return make_float3(a.x + 2 * b.x, 0, 0);\n"
                             "}\n"
                             "__device__ float clamp(float f, float a, float b) { return 7; }\n"
                             "__global__ void k(float* out) {\n"
                             "  const float3 a = make_float3(1, 2, 3);\n"
                             "  out[0] = dot(a, a);\n"
                             "  out[1] = (a + a).x;\n"
                             "  out[2] = clamp(5.0f, 0.0f, 1.0f);\n"
                             "  out[3] = dot(make_float4(1, 2, 3, 4), make_float4(2.0f));\n"
                             "  out[4] = (2.0f * a - a).z;\n"
                             "}\n");
  std::vector<uint8_t> memory(256 + 20);
  EXPECT_EQ(run_on_machine(compiled(source.path()).module, "k", {}, {256}, memory).fault, "");
  std::vector<float> out(5);
  std::memcpy(out.data(), &memory[256], 20);
  EXPECT_THAT(out, ElementsAre(100, 3, 7, 20, 3));
}

TEST(HostCode, VariablesWithTheLinkageOfCAreDefined) {
  const TemporaryFile source(
      "host.cu",
      "extern \"C\" __constant__ int factor;\n"
      "extern \"C\" __device__ int sums[2];\n"
      "__global__ void k(int* out) { sums[1] += factor; out[0] = sums[1]; }\n");
  const g80::Result result = compiled(source.path());
  ASSERT_EQ(result.module.constants.size(), 1U);
  EXPECT_EQ(result.module.constants[0].name, "factor");
}

TEST(HostCode, FunctionsOfTheHostStayWhatTheyCannotBe) {
  const TemporaryFile source("host.cu",
                             "#include <stdlib.h>\n"
                             "int lots() { return rand(); }\n"
                             "__global__ void k(int* out) { out[0] = lots(); }\n");
  testing::internal::CaptureStderr();
  EXPECT_THROW(compiled(source.path()), Error);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("rand"));
}

TEST(HostCode, ErrorsOfKernelsStayErrorsWhereTheyStand) {
  const TemporaryFile source("host.cu",
                             "#include <no_such_header.h>\n"
                             "int main() { noSuchFunction(); }\n"
                             "__global__ void k(int* out) {\n"
                             "  out[0] = no_such_variable;\n"
                             "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THROW(compile_cuda(source.path(), {}), Error);
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_THAT(messages, HasSubstr(source.path() + ":4:12: error: "));
  EXPECT_THAT(messages, HasSubstr("no_such_variable"));
  EXPECT_THAT(messages, HasSubstr("no_such_header.h\" is not there"));
  EXPECT_THAT(messages, Not(HasSubstr("noSuchFunction")));
}

// Nothing of the device is left out with the host's.
TEST(HostCode, DeviceCodeThatNeedsWhatIsLeftOutIsAnError) {
  const TemporaryFile source("host.cu",
                             "const int kSize = no_such_constant;\n"
                             "__global__ void k(int* out) { out[0] = kSize; }\n");
  testing::internal::CaptureStderr();
  EXPECT_THROW(compile_cuda(source.path(), {}), Error);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(source.path() + ":2:"));
}

// The primary template would silently take its place.
TEST(HostCode, SpecialisedClassIsNotLeftOut) {
  const TemporaryFile source("host.cu",
                             "template <class T> struct Limit { enum { value = 1 }; };\n"
                             "template <> struct Limit<int> : NoSuchBase { enum { value = 2 }; };\n"
                             "__global__ void k(int* out) { out[0] = Limit<int>::value; }\n");
  testing::internal::CaptureStderr();
  EXPECT_THROW(compile_cuda(source.path(), {}), Error);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("NoSuchBase"));
}

TEST(HostCode, VariablesWithoutTheirValuesKeepTheLaunches) {
  const TemporaryFile source("host.cu",
                             "template <class T> __global__ void k(T* out) { out[0] = 1; }\n"
                             "void host(int a, char** words) {\n"
                             "  int n = 4, *whole = take_from(a, 2), m = 3;\n"
                             "  float* part = no_such_library().part;\n"
                             "  short* mine = (short*)malloc(atoi(words[1]));\n"
                             "  k<<<n, m>>>(whole);\n"
                             "  k<<<n, m>>>(part);\n"
                             "  k<<<n, m>>>(mine);\n"
                             "  free(mine);\n"
                             "  exit(strcmp(words[1], \"x\") == 0 ? rand() : 1);\n"
                             "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())),
              ElementsAre("_Z1kIfEvPT_", "_Z1kIiEvPT_", "_Z1kIsEvPT_"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// The types of arguments choose the instances, whatever the program includes and defines itself.
TEST(HostCode, FunctionsOfTheMathematicalLibraryNeedNoHeader) {
  const std::string text =
      "template <class T> __global__ void k(int* out, T) { out[0] = sizeof(T); }\n"
      "struct A {}; A taken(float); struct B {}; B taken(double);\n"
      "void host(int* out, float x, double d, int n) {\n"
      "  k<<<1, 1>>>(out, taken(sqrt(x) + exp(x) + pow(x, x) + rsqrt(x) + abs(x) + expf(d)));\n"
      "  k<<<1, 1>>>(out, taken(ceil(n / 3) + cos(d) + pow(d, 2) + fmax(x, d) + rsqrtf(n)));\n"
      "  k<<<1, 1>>>(out, taken(max(x, 1.0f) + min(x, x)));\n"
      "  k<<<1, 1>>>(out, taken(max(x, 1.0) + min(d, d)));\n"
      "  k<<<1, 1>>>(out, max(abs(n), 3));\n"
      "  k<<<1, 1>>>(out, isnan(x) || isinf(d) ? (char)printf(\"%f\\n\", frexp(d, &n)) : 'a');\n"
      "  memcpy(out, memset(out, 0, 4), 4);\n"
      "  exit(EXIT_FAILURE);\n"
      "}\n";
  for (const char* before :
       {"", "#include <math.h>\n", "#include <cmath>\n", "#include <cmath>\nusing namespace std;\n",
        "#include <algorithm>\n#include <stdlib.h>\nusing namespace std;\n",
        "template <class T> T exp(T a) { return a; }\ntemplate <class T> T rsqrt(T a) { return a; "
        "}\n"
        "static float rsqrtf(float a) { return a; }\nfloat sqrt(float a) { return a; }\n"
        "template <class T> T max(T a, T b) { return a; }\nfloat min(float a, float) { return a; "
        "}\n"}) {
    const TemporaryFile source("host.cu", before + text);
    testing::internal::CaptureStderr();
    EXPECT_THAT(kernels(compiled(source.path())),
                ElementsAre("_Z1kI1AEvPiT_", "_Z1kI1BEvPiT_", "_Z1kIcEvPiT_", "_Z1kIiEvPiT_"))
        << before;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << before;
  }
}

// As the C of the runtime's interface has it, beside that of C++.
TEST(HostCode, TexturesMayBeBoundThroughPointers) {
  const TemporaryFile source(
      "host.cu",
      "texture<float, 1> t;\n"
      "texture<float, 2> u;\n"
      "template <class T> __global__ void k(T* out) { out[0] = tex1Dfetch(t, 1); }\n"
      "void host(float* p, cudaArray* a) {\n"
      "  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();\n"
      "  const textureReference* r;\n"
      "  cudaGetTextureReference(&r, \"t\");\n"
      "  if (cudaBindTexture(NULL, r, p, &f, 4) == cudaSuccess) k<<<1, 1>>>(p);\n"
      "  if (cudaBindTexture(0, &t, p, &f, 4) == cudaSuccess) k<<<1, 1>>>((int*)p);\n"
      "  if (cudaBindTexture2D(0, &u, p, &f, 4, 4, 16) == cudaSuccess) k<<<1, 1>>>((char*)p);\n"
      "  if (cudaBindTextureToArray(&u, a, &f) == cudaSuccess) k<<<1, 1>>>((short*)p);\n"
      "  if (cudaBindTexture(0, t, p, f, 4) == cudaUnbindTexture(&t)) k<<<1, 1>>>((long*)p);\n"
      "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(
      kernels(compiled(source.path())),
      ElementsAre("_Z1kIcEvPT_", "_Z1kIfEvPT_", "_Z1kIiEvPT_", "_Z1kIlEvPT_", "_Z1kIsEvPT_"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// What the first argument of a launch points to is mapped memory of a graphics library's.
TEST(HostCode, MappedMemoryOfGraphicsMayBeLaunchedWith) {
  const TemporaryFile source(
      "host.cu",
      "#include <cuda_gl_interop.h>\n"
      "template <class T> __global__ void k(T* out) { out[0] = 1; }\n"
      "void draw(unsigned buffer, cudaGraphicsResource* resource) {\n"
      "  int* p;\n  float* q;\n  size_t bytes;\n"
      "  cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsMapFlagsWriteDiscard);\n"
      "  if (cudaGraphicsMapResources(1, &resource, 0) == cudaSuccess &&\n"
      "      cudaGraphicsResourceGetMappedPointer((void**)&p, &bytes, resource) == cudaSuccess)\n"
      "    k<<<1, 1>>>(p);\n"
      "  cudaGraphicsUnmapResources(1, &resource);\n"
      "  if (cudaGLMapBufferObject((void**)&q, buffer) == cudaSuccess) k<<<1, 1>>>(q);\n"
      "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("_Z1kIfEvPT_", "_Z1kIiEvPT_"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Nothing is made of it, so nothing is wrong with it; as it stands and with something taken out.
TEST(HostCode, IsNotWarnedOf) {
  const std::string device =
      "#define COUNT 4\n"
      "__global__ void k(int* out, int n) {\n"
      "#pragma unroll COUNT\n"
      "  for (int i = 0; i < n; ++i) out[i] = i;\n"
      "  if (n = 2) out[0] = n;\n"
      "}\n";
  const std::string host =
      "#define CHECK(call) if ((call) != 0) return 1\n"
      "int host(int n, int* p) {\n"
      "  if (n = 3) return 1;\n"
      "  CHECK(\n      n << 40);\n"
      "  k<<<1, 32>>>(p, n);\n"
      "}\n";
  for (const char* before : {"", "texture<float> t;\n", "#include <no_such_header.h>\n"}) {
    const TemporaryFile clean("host.cu",
                              before + std::string("__global__ void k(int*, int) {}\n") + host);
    testing::internal::CaptureStderr();
    compiled(clean.path());
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("generated"))) << before;
    const TemporaryFile source("host.cu", device + before + host);
    testing::internal::CaptureStderr();
    compiled(source.path());
    const std::string messages = testing::internal::GetCapturedStderr();
    EXPECT_THAT(messages, HasSubstr(source.path() + ":5:9: warning: using the result")) << before;
    EXPECT_THAT(messages, HasSubstr("1 warning generated")) << before;
    EXPECT_THAT(messages, Not(HasSubstr("-Wreturn-type"))) << before;
    EXPECT_THAT(messages, Not(HasSubstr("-Wshift"))) << before;
  }
}

TEST(HostCode, FileOfTheHostAloneHasNoKernels) {
  const TemporaryFile source("host.cu",
                             "#include <no_such_library.h>\n"
                             "__global__ void of_another_file(int* out);\n"
                             "int main() { no_such_function(); of_another_file<<<1, 1>>>(0); }\n");
  testing::internal::CaptureStderr();
  const g80::Result result = compiled(source.path());
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(result.kernels.empty());
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_THAT(result.warnings[0], HasSubstr("there is no kernel in this file"));
}

// What they stand before would be the host's otherwise, and missing without a word.
TEST(HostCode, WordsOfCudaThatAreMisspelledAreErrors) {
  for (const std::string word : {"__globl__", "__global", "_device__"}) {
    const TemporaryFile source("typing.cu", "__global__ void other(int* out) { out[0] = 2; }\n\n" +
                                                word + " void k(int* out) { out[0] = 1; }\n");
    testing::internal::CaptureStderr();
    EXPECT_THROW(compiled(source.path()), Error) << word;
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr(":3: error: unknown type name '" + word + "'; did you mean '__"));
  }
  const TemporaryFile other("other.cu",
                            "__global__ void k(int* out) { out[0] = 2; }\n"
                            "__export__ void host() {}\n");
  EXPECT_THAT(kernels(compiled(other.path())), ElementsAre("k"));
}

TEST(HostCode, LaunchWhoseTemplateArgumentsAreLostIsNamed) {
  const TemporaryFile source("host.cu",
                             "template <class T> __global__ void k(T* out) { out[0] = 1; }\n"
                             "__global__ void other(int* out) { out[0] = 2; }\n"
                             "void host() {\n"
                             "  k<<<1, 1>>>(no_such_pointer);\n"
                             "  other<<<1, 1>>>(no_such_pointer);\n"
                             "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("other"));
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_THAT(messages, HasSubstr(":4: warning: this launch is not understood"));
  EXPECT_THAT(messages, Not(HasSubstr(":5: warning")));
}

TEST(HostCode, KernelsWithoutErrorsCompileWhenAsked) {
  const TemporaryFile source("host.cu",
                             "__device__ int broken_helper(int x) { return x + no_such; }\n"
                             "__global__ void good(int* out) { out[0] = 1; }\n"
                             "__global__ void broken(int* out) { out[0] = no_such_either; }\n"
                             "__global__ void calls(int* out) { out[0] = broken_helper(2); }\n");
  FrontEndOptions front_end;
  front_end.keep_going = true;
  testing::internal::CaptureStderr();
  const FrontEndResult front = compile_cuda_file(source.path(), front_end);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no_such_either"));
  EXPECT_THAT(front.refused_kernels, ElementsAre("broken"));
  g80::Options options;
  options.generated = true;
  EXPECT_THROW(g80::compile(source.path(), front.ptx, options), Error);
  options.keep_going = true;
  const g80::Result result = g80::compile(source.path(), front.ptx, options);
  EXPECT_THAT(kernels(result), ElementsAre("good"));
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_THAT(result.errors[0], HasSubstr("broken_helper"));
}

// What the machine lacks keeps one kernel from compiling, at the line that asks for it.
TEST(HostCode, RefusalsNameTheKernelsLine) {
  const TemporaryFile source("host.cu",
                             "#include <assert.h>\n"
                             "#include <stdio.h>\n"
                             "__global__ void a(int* out) {\n"
                             "  atomicAdd(out, 1);\n"
                             "}\n"
                             "__global__ void p(int* out) {\n"
                             "  printf(\"%d\", out[0]);\n"
                             "}\n"
                             "__global__ void s(int* out) {\n"
                             "  assert(out[0] == 3);\n"
                             "}\n"
                             "__global__ void good(int* out) { *out = 1; }\n");
  for (const unsigned level : {0u, 1u, 2u}) {
    FrontEndOptions front_end;
    front_end.optimise = level;
    g80::Options options;
    options.optimise = level;
    options.generated = true;
    options.keep_going = true;
    const g80::Result result =
        g80::compile(source.path(), compile_cuda(source.path(), front_end), options);
    EXPECT_THAT(kernels(result), ElementsAre("good"));
    ASSERT_EQ(result.errors.size(), 3U);
    EXPECT_THAT(result.errors[0], HasSubstr(":4:3: atomic operations need compute capability 1.1"));
    EXPECT_THAT(result.errors[1], HasSubstr(":7:3: printf() needs compute capability 2.0"));
    EXPECT_THAT(result.errors[2], HasSubstr(":10:3: assert() needs compute capability 2.0"));
  }
}

}  // namespace
}  // namespace gvp::kcc
