// SPDX-License-Identifier: Apache-2.0
// Programs whose headers are not there: libraries of the host's, and files that lie elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/base/error.h"
#include "tests/tools/kcc/cuda_source.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// A library that is not there gives types to host functions that launch; one of the system's
// (GCC's) has its own use for the name of a macro of CUDA's.
TEST(MissingHeaders, TypesOfMissingHeadersKeepTheLaunches) {
  const TemporaryFile source(
      "host.cu",
      "#include <memory>\n#include <string>\n"
      "#include \"no_such_library.h\"\n"
      "template <class T, class V> __global__ void k(T* out, V v) { out[0] = v.x + v.w; }\n"
      "template <class T, class V> void run(const std::string& name, Results& results, Options& "
      "o);\n"
      "void all(Results& results, Options& options) {\n"
      "  std::shared_ptr<int> none;\n"
      "  if (options.flag(\"a\")) run<float, float4>(\"a\", results, options);\n"
      "  run<int, longlong4>(\"b\", results, options);\n"
      "}\n"
      "template <class T, class V> void run(const std::string& name, Results& results, Options& o) "
      "{\n"
      "  T* p = o.pointer();\n"
      "  for (int pass = 0; pass < o.passes(); ++pass) {\n"
      "    k<T, V><<<1, 1>>>(p, V());\n"
      "    results.add(name, pass);\n"
      "  }\n"
      "}\n"
      "__global__ void doubles(double4 d, double3 e, float* out) { out[0] = d.w + e.z; }\n");
  testing::internal::CaptureStderr();
  const auto names = kernels(compiled(source.path()));
  testing::internal::GetCapturedStderr();
  EXPECT_THAT(names, ElementsAre("_Z1kIf6float4EvPT_T0_", "_Z1kIi9longlong4EvPT_T0_", "doubles"));
}

// clang wants such a conversion defined, since no other file could.
// Names in namespaces that are not there, macros that are not: the functions' bodies stay.
TEST(MissingHeaders, FunctionsWhoseHeadsAreNotUnderstoodKeepTheirLaunches) {
  const TemporaryFile source(
      "host.cu",
      "#include \"no_such_library.h\"\n"
      "template <int N> __global__ void k(int* p) { p[0] = N; }\n"
      "__global__ void other(int* p) { p[0] = 0; }\n"
      "void process(const lib::Image& image) { k<1><<<1, 1>>>((int*)image.data); }\n"
      "lib::Status checked(lib::Vector<int>& v,\n"
      "                    int n)\n"
      "{\n  if (n > 0)\n    k<2><<<1, 1>>>(&v[0]);\n  return lib::kGood;\n}\n"
      "API\nvoid first_word_alone(int* p) { k<5><<<1, 1>>>(p); }\n"
      "int counter = 1; lib::Status behind(int* p) { k<6><<<1, 1>>>(p + counter); }\n"
      "API_EXPORT void exported(int* p) { k<3><<<1, 1>>>(p); }\n"
      "class Runner {\n public:\n"
      "  Runner(lib::Device d) : device(d) { k<4><<<1, 1>>>(p); }\n  int* p;\n};\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())),
              UnorderedElementsAre("_Z1kILi1EEvPi", "_Z1kILi2EEvPi", "_Z1kILi3EEvPi",
                                   "_Z1kILi4EEvPi", "_Z1kILi5EEvPi", "_Z1kILi6EEvPi", "other"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("launch is not understood")));
}

TEST(MissingHeaders, LaunchesThatGoWithWhatIsAroundThemAreNamedOnce) {
  const TemporaryFile source(
      "host.cu",
      "#include \"no_such_library.h\"\n"
      "template <int N> __global__ void k(int* p) { p[0] = N; }\n"
      "__global__ void other(int* p) { p[0] = 0; }\n"
      "class Runner : public lib::Base {\n"
      "  void run(int* p) { k<1><<<1, 1>>>(p); }\n"
      "};\n"
      "template <int N> void run(lib::Device d, int* p) { k<N><<<1, 1>>>(p); }\n"
      "l::X\nf()\n{ k<2><<<1, 1>>>(0); }\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("other"));
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string lost = "warning: this launch is not understood; its instance of the template ";
  for (const char* line : {":5: ", ":7: ", ":10: "}) EXPECT_THAT(said, HasSubstr(line + lost));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 4)
      << "the header, and each launch: " << said;
}

TEST(MissingHeaders, TypesOfMissingHeadersCompareWithNamelessEnumerations) {
  const TemporaryFile source("host.cu",
                             "#include \"no_such_library.h\"\n"
                             "enum { GOOD };\n"
                             "__global__ void k(float* out) { out[0] = 1; }\n"
                             "void check(Status status) { if (status != GOOD) k<<<1, 1>>>(0); }\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("k"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("error: ")));
}

// Its size would be made up.
TEST(MissingHeaders, TypesOfMissingHeadersAreNotMadeUpForTheDevice) {
  const std::string host = "#include \"no_such_library.h\"\nvoid f(real* p) { g(p); }\n";
  for (const std::string device :
       {"__global__ void k(real* p) { p[0] = p[1]; }\n",
        "struct Pair { real a, b; };\n__global__ void k(Pair* p) { p[0] = p[1]; }\n",
        "typedef real number;\n__global__ void k(number* p) { p[0] = p[1]; }\n",
        "template <class T> __global__ void k(T* p) { p[0] = p[1]; }\n"
        "__device__ void copy(real* p) { p[0] = p[1]; }\n"
        "__global__ void h(float* p) { copy(p); }\n"}) {
    const TemporaryFile source("host.cu", host + device);
    testing::internal::CaptureStderr();
    EXPECT_THROW(compile_cuda(source.path(), {}), Error) << device;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("error: "));
  }
}

// What a library of the host calls is no kernel's.
TEST(MissingHeaders, FunctionsOfTheDeviceThatNeedMissingHeadersRefuseTheirCallers) {
  const std::string text =
      "#include <no_such_library.h>\n"
      "struct Scale {\n"
      "  float by;\n"
      "  template <class T> __device__ void operator()(T pair) const {\n"
      "    library::get<0>(pair) *= by;\n  }\n};\n"
      "__device__ int chosen(float) { return library::kNumber; }\n"
      "__device__ int chosen(double) { return 1; }\n"
      "__global__ void k(float* p) { p[0] = 2; }\n";
  const TemporaryFile fine(
      "host.cu", text + "void f(float* p) { library::each(p, Scale()); k<<<1, 1>>>(p); }\n");
  testing::internal::CaptureStderr();
  for (const unsigned level : {0u, 2u})
    EXPECT_THAT(kernels(compiled(fine.path(), level)), ElementsAre("k"));
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_THAT(messages, HasSubstr(fine.path() + ":5: warning: this function of the device is not "
                                                "understood (use of undeclared identifier"));
  EXPECT_THAT(messages, HasSubstr(fine.path() + ":8: warning: this function"));
  // No other function of the name takes its place.
  for (const char* call : {"p[0] = chosen(p[1]);", "Scale s; s.by = 2; s(p);"}) {
    const TemporaryFile source("host.cu", text + "__global__ void g(float* p) { " + call + " }\n");
    testing::internal::CaptureStderr();
    for (const unsigned level : {0u, 2u}) {
      try {
        compiled(source.path(), level);
        FAIL() << call;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("a kernel calls this function, which is not understood"));
      }
    }
    testing::internal::GetCapturedStderr();
  }
}

TEST(MissingHeaders, DeclarationsThatNeedMissingHeadersAreLeftOutWhereNoKernelNamesThem) {
  const std::string text =
      "#include <no_such_library.h>\n"
      "template <class T> struct Above : public library::Function<T> {\n"
      "  __device__ bool operator()(T value) const { return value > limit; }\n"
      "  T limit;\n};\n"
      "__device__ float first(library::Pair pair) { return pair.first; }\n"
      "__global__ void k(float* p) { p[0] = 2; }\n";
  const TemporaryFile fine("host.cu",
                           text + "void f(float* p) { library::each(p, Above<float>()); }\n");
  testing::internal::CaptureStderr();
  for (const unsigned level : {0u, 2u})
    EXPECT_THAT(kernels(compiled(fine.path(), level)), ElementsAre("k"));
  const std::string messages = testing::internal::GetCapturedStderr();
  for (const char* line : {":2", ":6"})
    EXPECT_THAT(messages, HasSubstr(fine.path() + line + ": warning: this declaration is not"));
  for (const char* call : {"Above<float> a; a.limit = 2; p[0] = a(p[1]);", "p[0] = first(p[1]);"}) {
    const TemporaryFile source("host.cu", text + "__global__ void g(float* p) { " + call + " }\n");
    testing::internal::CaptureStderr();
    EXPECT_THROW(compile_cuda(source.path(), {}), Error) << call;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("error: ")) << call;
  }
}

TEST(MissingHeaders, HeaderWithKernelsIsNeeded) {
  const TemporaryFile source("host.cu",
                             "#include \"no_such_kernel.cu\"\nint main() { return 0; }\n");
  testing::internal::CaptureStderr();
  EXPECT_THROW(compile_cuda(source.path(), {}), Error);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("file not found"));
}

TEST(MissingHeaders, MissingHeadersMayLieAnywhere) {
  const TemporaryFile source("host.cu",
                             "#include \"../no_such_a.h\"\n"
                             "#include \"./../no_such_b/c.h\"\n"
                             "#include \"../../no_such_d.h\"\n"
                             "#include \"no_such_e/../f.h\"\n"
                             "#include \"/no_such_g/h.h\"\n"
                             "#include <no_such_i/j.h>\n"
                             "__global__ void k(int* out) { out[0] = 1; }\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("k"));
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 6) << messages;
  EXPECT_THAT(messages, HasSubstr(":2: warning: header \"./../no_such_b/c.h\" is not there"));
}

// Where programs keep copies of the samples' headers that are not there: ours have the same names.
TEST(MissingHeaders, HeadersOfTheSamplesAreOursWhateverTheirFolder) {
  const TemporaryFile source(
      "host.cu",
      "#include \"../../no_such_folder/inc/helper_cuda.h\"\n"
      "#include <no_such_folder/cutil_math.h>\n"
      "#include <helper_cuda.h>\n"
      "#include \"no_such_folder/other.h\"\n"
      "template <class T> __global__ void k(float3* p) { p[0] = p[1] + p[2] * T(2); }\n"
      "void host(float3* p) {\n"
      "  checkCudaErrors(cudaMalloc((void**)&p, 36));\n"
      "  if (checkCudaCapabilities(1, 0)) k<float><<<1, 1>>>(p);\n"
      "}\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("k"));
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_THAT(messages, HasSubstr("helper_cuda.h\" is not there and is taken for kcc's own"));
  EXPECT_THAT(messages, HasSubstr("cutil_math.h\" is not there and is taken for kcc's own"));
  EXPECT_THAT(messages, HasSubstr("other.h\" is not there and is taken for empty"));
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 3) << messages;
}

// Makefiles of that time said -I. of the folder of the source.
TEST(MissingHeaders, HeaderBesideTheSourceMayStandInAngleBrackets) {
  const TemporaryFile header("beside.h", "#define VALUE_BESIDE 5\n");
  const TemporaryFile source("host.cu",
                             "#include <" + header.path().substr(header.path().rfind('/') + 1) +
                                 ">\n__global__ void k(int* out) { out[0] = VALUE_BESIDE; }\n");
  testing::internal::CaptureStderr();
  EXPECT_THAT(kernels(compiled(source.path())), ElementsAre("k"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace gvp::kcc
