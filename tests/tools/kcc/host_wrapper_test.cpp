// SPDX-License-Identifier: Apache-2.0
// kcc --host-wrapper: what it writes is C, and does what the program in CUDA C says.
#include "tools/kcc/host_wrapper.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kProgram = GVP_SOURCE_DIR "/firmware/apps/cuda.cu";

std::string error_of(const std::string& source) {
  try {
    host_wrapper("p.cu", source, "");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string wrapped(const std::string& source) { return host_wrapper("p.cu", source, ""); }

// Runs a program's main() in this process.
void expect_to_run(const std::string& program_file) {
  const std::string cubin =
      gpgpu::g80::to_text_cubin(g80::compile(program_file, compile_cuda(program_file, {})).module);
  const std::string source = test::temporary("program.c");
  const std::string library = test::temporary("program.so");
  test::write(source, host_wrapper(program_file, test::read(program_file), cubin));
  const std::string firmware = GVP_SOURCE_DIR "/firmware";
  // Device pointers are wider here than on the board.
  const std::string command =
      "gcc -std=gnu11 -O1 -Wall -Wextra -Werror -Wno-int-to-pointer-cast -shared "
      "-fPIC -I" +
      firmware + " -I" GVP_SOURCE_DIR " -o " + library + " " + source + " " + firmware +
      "/cuda/*.c";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  void* loaded = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(loaded, nullptr) << dlerror();
  const auto program = reinterpret_cast<int (*)()>(dlsym(loaded, "main"));
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program(), 0) << "number of the check that failed";
  const auto reset = reinterpret_cast<int (*)()>(dlsym(loaded, "cudaDeviceReset"));
  EXPECT_EQ(reset(), 0);
  dlclose(loaded);
  for (const std::string& file : {source, library}) std::remove(file.c_str());
}

TEST(HostWrapper, MakesAWholeProgramThatRuns) { expect_to_run(kProgram); }

TEST(HostWrapper, MakesAProgramInTheSdksStyleThatRuns) {
  expect_to_run(GVP_SOURCE_DIR "/tests/tools/kcc/programs/sdk_style.cu");
}

TEST(HostWrapper, MakesAProgramWithTexturesThatRuns) {
  expect_to_run(GVP_SOURCE_DIR "/firmware/apps/textures.cu");
}

TEST(HostWrapper, KeepsLinesAndLeavesOutTheDevice) {
  const std::string text = wrapped(
      "__device__ int f(int a) {\n  return a;\n}\n"
      "template <int n> __device__ int g() { return n; }\n"
      "__host__ __device__ int both(int a) { return a; }\n"
      "__constant__ float mask[5] = {1};\n"
      "struct Point { float x; };\n");
  EXPECT_THAT(text, Not(HasSubstr("return a;\n}")));
  EXPECT_THAT(text, HasSubstr("int both(int a) { return a; }"));
  EXPECT_THAT(text, HasSubstr("static __attribute__((unused))  float mask[5] = {1};"));
  EXPECT_THAT(text, HasSubstr("typedef struct Point Point; struct Point { float x; };"));
  const std::string before = text.substr(0, text.find("int both"));
  const std::string after_position = before.substr(before.find("#line 1 \"p.cu\"\n") + 15);
  EXPECT_EQ(std::count(after_position.begin(), after_position.end(), '\n'), 4);
}

TEST(HostWrapper, LaunchesBecomeCalls) {
  const std::string text = wrapped(
      "__global__ void k(float* a, int n);\n"
      "void f(dim3 size, float* a) {\n"
      "  dim3 b(8, 2), c;\n"
      "  k<<<dim3(n / 8, 2), b, 4 * sizeof(float), 0>>>(a, g(1, 2));\n}\n"
      "__global__ void k(float* a, int n) { a[n] = n; }\n");
  EXPECT_THAT(text, HasSubstr("dim3 b = CUDA_DIM3(8, 2), c = CUDA_DIM3();"));
  EXPECT_THAT(text, HasSubstr("void f(dim3 size, float* a)"));
  EXPECT_THAT(text, HasSubstr("k__launch(CUDA_CONFIGURATION(CUDA_DIM3(n / 8, 2), b, 4 * "
                              "sizeof(float), 0), a, g(1, 2));"));
  EXPECT_THAT(text, HasSubstr("cuda_add_pointer(&cuda_arguments, a);"));
  EXPECT_THAT(text, HasSubstr("cuda_add_argument(&cuda_arguments, &n, sizeof n);"));
}

TEST(HostWrapper, LaunchesAsFormattersWriteThemBecomeCalls) {
  const std::string text = wrapped(
      "__global__ void k(float* a) { a[0] = 1; }\n"
      "void f(float* a, int n) { k << <n >> 2, 32 >> >(a); g(1 << n); }\n");
  EXPECT_THAT(text, HasSubstr("k__launch(CUDA_CONFIGURATION(n >> 2, 32), a); g(1 << n);"));
}

TEST(HostWrapper, VariablesMayBeStatic) {
  const std::string text = wrapped(
      "static __constant__ int a[2];\n__device__ static float b;\nextern __device__ int c;\n");
  EXPECT_THAT(text, HasSubstr("\n __attribute__((unused)) static  int a[2];"));
  EXPECT_THAT(text, HasSubstr("\n __attribute__((unused))  static float b;"));
  EXPECT_THAT(text, HasSubstr("\n __attribute__((unused)) extern  int c;"));
}

TEST(HostWrapper, FunctionsWithoutParametersTakeNone) {
  const std::string text = wrapped("int f();\nint f() { return g(); }\nint h(void);\n");
  EXPECT_THAT(text, HasSubstr("int f(void);\n int f(void) { return g(); }\n int h(void);"));
}

TEST(HostWrapper, TexturesAreDescribed) {
  const std::string text = wrapped(
      "texture<float> a;\n"
      "static texture<unsigned char, 2, cudaReadModeNormalizedFloat>\n"
      "    b(1, cudaFilterModeLinear), c;\n"
      "int d = sizeof(cudaCreateChannelDesc<unsigned char>());\n");
  const std::string declare = " static __attribute__((unused)) textureReference ";
  EXPECT_THAT(text, HasSubstr(declare + "a = CUDA_TEXTURE(a, float, 0, cudaFilterModePoint, "
                                        "cudaAddressModeClamp);\n"));
  EXPECT_THAT(text, HasSubstr(declare +
                              "b = CUDA_TEXTURE(b, unsigned char, 1, "
                              "cudaFilterModeLinear, cudaAddressModeClamp);" +
                              declare +
                              "c = CUDA_TEXTURE(c, unsigned char, 0, "
                              "cudaFilterModePoint, cudaAddressModeClamp);\n\n int d"));
  EXPECT_THAT(text, HasSubstr("sizeof(CUDA_CHANNEL_OF(unsigned char));"));
  EXPECT_THAT(error_of("texture<float, 3> a;"), HasSubstr("three dimensions"));
  for (const std::string broken :
       {"texture<float a;", "texture<> a;", "texture<float> a = 3;", "texture<float> (a);",
        "texture<float> 3;", "texture<,> a;", "texture<(float> a)> b;"})
    EXPECT_THAT(error_of(broken), HasSubstr("texture")) << broken;
}

TEST(HostWrapper, RefusesWhatIsNotC) {
  EXPECT_THAT(error_of("\nint main() { int* p = new int[4]; }"),
              HasSubstr("p.cu:2: --host-wrapper: \"new\""));
  EXPECT_THAT(error_of("#include <iostream>\n"), HasSubstr("a header of C++, <iostream>"));
  EXPECT_THAT(error_of("#include \"k_kernel.cu\"\n"), HasSubstr("put them into this one"));
  EXPECT_THAT(error_of("template <typename T> __global__ void k(T* a) {}"),
              HasSubstr("a template"));
  EXPECT_THAT(error_of("void f() { k<<<1, 2>>>(); }"), HasSubstr("\"k\", which is no kernel"));
  EXPECT_THAT(error_of("__global__ void k(int& a) {}"), HasSubstr("a reference"));
  EXPECT_THAT(error_of("__global__ void k(int a = 4) {}"), HasSubstr("a default"));
  EXPECT_THAT(error_of("__global__ void k(int) {}"), HasSubstr("without a name"));
  EXPECT_THAT(error_of("__global__ void k() {} void f() { k<<<1, 2; }"), HasSubstr("name<<<grid"));
  EXPECT_THAT(error_of("void f() { g(1; }"), HasSubstr("bracket"));
  EXPECT_THAT(error_of("extern \"C\" { int a; }"), HasSubstr("block"));
  EXPECT_THAT(error_of("\n#define RUN k<<<1, 2>>>()\n"),
              HasSubstr("p.cu:2: --host-wrapper: a launch in a macro"));
  EXPECT_THAT(error_of("int f() { g(cudaCreateChannelDesc<float>); }"), HasSubstr("a format is"));
}

// Whatever is cut off, there is an answer.
TEST(HostWrapper, TakesAnyPartOfAProgram) {
  const std::string source = test::read(kProgram);
  for (size_t bytes = 0; bytes < source.size(); bytes += 7) {
    try {
      host_wrapper("p.cu", source.substr(0, bytes), "");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  }
}

}  // namespace
}  // namespace gvp::kcc
