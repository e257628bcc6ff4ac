// SPDX-License-Identifier: Apache-2.0
// kcc as users call it: exit codes, messages, output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "tests/support/programs.h"
#include "tests/support/temporary_file.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKernel = GVP_SOURCE_DIR "/firmware/kernels/cuda/reduction.cu";

struct Outcome {
  int status = -1;
  std::string text;  // standard output and error
};

Outcome kcc(const std::string& arguments, const std::string& environment = "") {
  const std::string command =
      environment + " " + test::program_path("kcc") + " " + arguments + " 2>&1";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT: the command is ours
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.text.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

TEST(CommandLine, CompilesCudaCToACubin) {
  const Outcome outcome = kcc(kKernel + " -o -");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("name = reduction"));
}

TEST(CommandLine, WritesTheHostPartAsC) {
  const std::string program = GVP_SOURCE_DIR "/firmware/apps/cuda.cu";
  const Outcome outcome = kcc("--host-wrapper " + program + " -o -");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("cuda_launch(&cuda_module, \"weigh\""));
  EXPECT_THAT(outcome.text, HasSubstr("name = weigh"));
  for (const char* option : {" --emit sass", " --format elf"}) {
    const Outcome refused = kcc("--host-wrapper " + program + option);
    EXPECT_EQ(refused.status, 126);
    EXPECT_THAT(refused.text, HasSubstr("--host-wrapper makes C of CUDA C"));
  }
}

TEST(CommandLine, TellsSourceLinesWhenAsked) {
  EXPECT_THAT(kcc(kKernel + " -o -").text, Not(HasSubstr("lines {")));
  for (const char* option : {" -g", " -lineinfo", " --lineinfo"}) {
    const Outcome outcome = kcc(kKernel + option + " --emit sass");
    EXPECT_EQ(outcome.status, 0) << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("firmware/kernels/cuda/reduction.cu\", line "));
    EXPECT_THAT(outcome.text, Not(HasSubstr("__clang"))) << "nobody knows clang's headers";
    EXPECT_THAT(kcc(kKernel + option + " -O0 --emit sass").text, Not(HasSubstr("__clang")));
  }
  EXPECT_THAT(kcc(kKernel + " -g --emit ptx").text, HasSubstr("-g is for cubins"));
}

// As compilers do: where it is called, not where the source lies.
TEST(CommandLine, WritesIntoTheCurrentDirectory) {
  const std::filesystem::path folder =
      std::filesystem::path(GVP_BINARY_DIR) / "tests" / ("kcc_output_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "source");
  std::filesystem::create_directories(folder / "here");
  std::filesystem::copy_file(kKernel, folder / "source" / "k.cu");
  const std::string command =
      "cd " + (folder / "here").string() + " && " GVP_BINARY_DIR "/bin/kcc ../source/k.cu";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT: the command is ours
  EXPECT_TRUE(std::filesystem::exists(folder / "here" / "k.cubin"));
  EXPECT_FALSE(std::filesystem::exists(folder / "source" / "k.cubin"));
  std::filesystem::remove_all(folder);
}

TEST(CommandLine, SaysNothingOfTheTargetThatClangIsTold) {
  const TemporaryFile source(
      "warned.cu", "extern \"C\" __global__ void k(int* out) { int x = 1 << 40; *out = x; }\n");
  const Outcome outcome = kcc(source.path() + " -o /dev/null");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("1 warning generated"));
  EXPECT_THAT(outcome.text, ::testing::Not(HasSubstr("sm_")));
}

TEST(CommandLine, TakesOldWordsOfCWithoutAWord) {
  const TemporaryFile source("old.cu",
                             "struct Scale { static const float of = 2.5f; };\n"
                             "__global__ void k(float* out) {\n"
                             "  register int i = threadIdx.x;\n  out[i] = Scale::of * i;\n"
                             "  if (i < 32 - i && i > 2 || i == 1)\n    if (i & 4 | i << 8-i) "
                             "out[0] = i;\n    else out[1] = i;\n"
                             "}\n");
  const Outcome outcome = kcc(source.path() + " -o /dev/null");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.text, "");
}

// Doubles that functions reach by reference: dozens of instructions for each, unless clang inlines
// the calls.  What clang cannot make smaller is refused, since no device could load it.
TEST(CommandLine, InlinesAtEveryLevelWhatNoDeviceHasRoomForOtherwise) {
  const TemporaryFile calls("many_calls.cu",
                            "#define TEN(x) x x x x x x x x x x\n"
                            "__device__ void add(double& a, double& b) { a += b; b += a; }\n"
                            "__global__ void k(float* out) {\n"
                            "  double a = out[0], b = out[1];\n"
                            "  TEN(TEN(add(a, b); add(a, b); add(a, b);))\n"
                            "  out[0] = a;\n"
                            "}\n");
  const Outcome plain = kcc("-O0 " + calls.path() + " -v -o /dev/null");
  EXPECT_EQ(plain.status, 0) << plain.text;
  EXPECT_THAT(plain.text, HasSubstr("kernel \"k\" would take "));
  EXPECT_THAT(plain.text, HasSubstr("clang inlines functions of this file in spite of -O0"));
  EXPECT_THAT(plain.text, HasSubstr("k: "));
  const TemporaryFile stores("many_stores.cu",
                             "#define TEN(x) x x x x x x x x x x\n"
                             "__global__ void k(volatile float* out) {\n"
                             "  TEN(TEN(TEN(TEN(out[1] = out[0]; out[2] = out[0];))))\n"
                             "}\n");
  const Outcome large = kcc("-O2 " + stores.path() + " -o /dev/null");
  EXPECT_EQ(large.status, 126);
  EXPECT_THAT(large.text, HasSubstr("devices have room for 262144 (split it)"));
}

// Functions that fit when they are called: at -O0 they are, and what clang has inlined it leaves.
TEST(CommandLine, CallsAtEveryLevelWhatNoDeviceHasRoomForOtherwise) {
  const TemporaryFile listing("many_steps.sass");
  const TemporaryFile source("many_steps.cu",
                             "#define TEN(x) x x x x x x x x x x\n"
                             "__device__ unsigned step(unsigned x, volatile unsigned* p) {\n"
                             "  TEN(x = x * p[0] + 12345;) x ^= p[1]; x -= p[2]; return x;\n"
                             "}\n"
                             "__global__ void k(unsigned* out) {\n"
                             "  unsigned a = out[0];\n"
                             "  TEN(TEN(a = step(a, out); a = step(a, out); a = step(a, out);\n"
                             "          a = step(a, out); a = step(a, out); a = step(a, out);\n"
                             "          a = step(a, out);))\n"
                             "  out[0] = a;\n"
                             "}\n");
  for (const char* level : {"-O0 ", "-O2 "}) {
    const Outcome outcome = kcc(level + source.path() + " --emit sass -o " + listing.path());
    EXPECT_EQ(outcome.status, 0) << outcome.text;
    const char* warning = "clang inlines no functions of this file";
    if (level[2] == '0') {
      EXPECT_EQ(outcome.text, "");
    } else {
      EXPECT_THAT(outcome.text, HasSubstr(warning));
    }
    std::ifstream in(listing.path());
    const std::string code{std::istreambuf_iterator<char>(in), {}};
    size_t calls = 0;
    for (size_t at = code.find("CAL."); at != std::string::npos; at = code.find("CAL.", at + 1))
      ++calls;
    EXPECT_EQ(calls, 700u) << level;
  }
}

// LLVM ends in a dump of its stack for some of them.
TEST(CommandLine, RefusesAddressesAsInitialValues) {
  const TemporaryFile source("address.cu",
                             "__device__ int x[4];\n__device__ int* p = x + 1;\n"
                             "__global__ void k(int* out) { *out = *p; }\n");
  const Outcome outcome = kcc(source.path() + " -o /dev/null");
  EXPECT_EQ(outcome.status, 126);
  EXPECT_THAT(outcome.text, HasSubstr("initial values that are addresses are not supported"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("Stack dump")));
}

// Each file has one kernel that is refused and one that is not.
TEST(CommandLine, RefusesFunctionPointersAndMemoryWhereKernelsUseThem) {
  const std::pair<const char*, const char*> sources[] = {
      {"__device__ int f(int x) { return x; }\n__device__ int (*p)(int) = f;\n"
       "__global__ void k(int* out) { *out = p != 0; }\n",
       ":3:38: initial values that are addresses of functions are not supported (\"p\")"},
      {"__device__ int f(int x) { return x; }\n__device__ int (*p)(int) = f;\n"
       "__global__ void k(int* out) { *out = p(*out); }\n",
       ":3:38: indirect calls are not supported"},
      {"struct A { __device__ virtual int f() = 0; };\n"
       "struct B : A { __device__ int f() { return 1; } };\n"
       "struct C : A { __device__ int f() { return 2; } };\n"
       "__global__ void k(int* out) { B b; C c; A* a = &b; if (*out) a = &c; *out = a->f(); }\n",
       ":4:80: indirect calls are not supported"},
      {"__global__ void k(int** out) { *out = new int[4]; }\n",
       ":1:39: malloc(), free(), new and delete in kernels need compute capability 2.0"},
      {"struct S { int a; };\n__global__ void k(S* s) { delete s; }\n",
       ":2:27: malloc(), free(), new and delete in kernels need compute capability 2.0"}};
  const std::string good = "__global__ void good(int* out) { *out = 1; }\n";
  for (const auto& [source, message] : sources) {
    const TemporaryFile file("initial.cu", source + good);
    for (const char* level : {"-O0 ", "-O2 "}) {
      const Outcome outcome = kcc(level + file.path() + " --keep-going -o /dev/null");
      EXPECT_EQ(outcome.status, 1);
      EXPECT_THAT(outcome.text, HasSubstr(message));
      EXPECT_THAT(outcome.text, HasSubstr("1 of 2 kernels"));
      EXPECT_THAT(outcome.text, Not(HasSubstr("Stack dump")));
    }
  }
}

TEST(CommandLine, VerbosePrintsResourcesAndOccupancy) {
  const Outcome outcome = kcc("-v -O1 " + kKernel + " -o /dev/null");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("reduction: "));
  EXPECT_THAT(outcome.text, HasSubstr("occupancy of an SM"));
}

TEST(CommandLine, EmitsTextOfEveryStep) {
  EXPECT_THAT(kcc("--emit ptx " + kKernel).text, HasSubstr(".entry reduction"));
  EXPECT_THAT(kcc("--emit sass -O0 " + kKernel).text, HasSubstr(".kernel reduction"));
}

TEST(CommandLine, BadInputIs126) {
  EXPECT_EQ(kcc("").status, 126);
  EXPECT_EQ(kcc("-O3 " + kKernel).status, 126);
  EXPECT_EQ(kcc("/nowhere/k.ptx").status, 126);
  EXPECT_EQ(kcc("--nonsense " + kKernel).status, 126);
}

TEST(CommandLine, FilesThatCannotBeReadAreNamed) {
  const Outcome missing = kcc("/nowhere/k.cu");
  EXPECT_EQ(missing.status, 126);
  EXPECT_THAT(missing.text, HasSubstr("/nowhere/k.cu: cannot open: No such file or directory"));
  EXPECT_THAT(missing.text, Not(HasSubstr("clang")));
  EXPECT_THAT(kcc("''").text, HasSubstr("the name of the file is empty"));
  EXPECT_THAT(kcc("-x cu -").text, HasSubstr("not from standard input"));
}

TEST(CommandLine, WhatWasLeftOutIsNamedWhereNothingIsLeft) {
  const TemporaryFile source("none.cu", "int x;\nFoo void k(int* p) { p[0] = 1; }\n");
  const Outcome none = kcc(source.path() + " -o /dev/null");
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.text, HasSubstr("there is no kernel in this file"));
  EXPECT_THAT(none.text, HasSubstr("not understood and left out: " + source.path() + ":2: "));
  const TemporaryFile one("one.cu",
                          "Foo void host() {}\n__global__ void k(int* p) { p[0] = 1; }\n");
  EXPECT_EQ(kcc(one.path() + " -o /dev/null").text, "");
}

TEST(CommandLine, TheLanguageMayBeSaid) {
  const TemporaryFile source("kernel.cpp", "extern \"C\" __global__ void k(int* p) { *p = 1; }\n");
  const Outcome said = kcc("-x cu " + source.path() + " -o -");
  EXPECT_EQ(said.status, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("name = k\n"));
  const Outcome unsaid = kcc(source.path() + " -o -");
  EXPECT_EQ(unsaid.status, 126);
  EXPECT_THAT(unsaid.text, HasSubstr("a file that ends in .cpp is no PTX (-x cu"));
  EXPECT_THAT(kcc("-x c++ " + source.path()).text, HasSubstr("-x c++ has no meaning here"));
}

TEST(CommandLine, OptionsThatWouldChangeNothingAreRefused) {
  const std::string ptx = GVP_SOURCE_DIR "/tests/fuzz/seeds/fuzz_ptx/srad.ptx";
  EXPECT_EQ(kcc(ptx + " -o /dev/null").status, 0);
  EXPECT_EQ(kcc("-D N=3 " + ptx).status, 126);
  EXPECT_EQ(kcc("--emit ptx " + ptx).status, 126);
  EXPECT_EQ(kcc("--emit sass --format elf " + kKernel).status, 126);
  EXPECT_EQ(kcc("--emit ptx -v " + kKernel).status, 126);
}

TEST(CommandLine, OptionsOfNvccMeanTheSame) {
  const std::string plain = kcc(kKernel + " -o -").text;
  EXPECT_EQ(kcc("-cubin -arch=sm_10 -m32 " + kKernel + " -o -").text, plain);
  EXPECT_EQ(kcc("-gencode=arch=compute_10,code=sm_10 -arch compute_10 " + kKernel + " -o -").text,
            plain);
  for (const std::string targets :
       {"-code sm_10,compute_10", "-code=sm_10", "-gencode arch=compute_10,code=[sm_10,compute_10]",
        "-gencode 'arch=compute_10,code=\"sm_10,compute_10\"'"})
    EXPECT_EQ(kcc(targets + " " + kKernel + " -o -").text, plain) << targets;
  const Outcome resources = kcc("--ptxas-options=-v " + kKernel + " -o /dev/null");
  EXPECT_EQ(resources.status, 0);
  EXPECT_THAT(resources.text, HasSubstr("occupancy of an SM"));
  EXPECT_EQ(kcc("-Xptxas -v " + kKernel + " -o /dev/null").text, resources.text);
  EXPECT_EQ(kcc("-maxrregcount=8 " + kKernel + " -o -").text,
            kcc("--max-registers 8 " + kKernel + " -o -").text);
  EXPECT_EQ(kcc("-maxrregcount 8 " + kKernel + " -o -").text,
            kcc("--max-registers 8 " + kKernel + " -o -").text);
  EXPECT_EQ(kcc("-ptx " + kKernel + " -o -").text, kcc("--emit ptx " + kKernel).text);
  const TemporaryFile source(
      "quotient.cu",
      "extern \"C\" __global__ void k(float* p) { *p = p[1] / p[2] + sqrtf(p[3]); }\n");
  const TemporaryFile macro("macro.cu",
                            "#ifdef B\n#error B\n#endif\n"
                            "extern \"C\" __global__ void k(int* p) { *p = A; }\n");
  EXPECT_THAT(
      kcc("--define-macro A=30000 --define-macro=B --undefine-macro B --emit ptx " + macro.path())
          .text,
      HasSubstr("30000"));
  const TemporaryFile folder("include");
  std::filesystem::create_directory(folder.path());
  std::ofstream(folder.path() + "/number.h") << "#define A 30001\n";
  const TemporaryFile including("including.cu",
                                "#include <number.h>\n"
                                "extern \"C\" __global__ void k(int* p) { *p = A; }\n");
  for (const std::string option : {"--include-path ", "--include-path=", "-isystem ", "-I"})
    EXPECT_THAT(kcc(option + folder.path() + " --emit ptx " + including.path()).text,
                HasSubstr("30001"))
        << option;
  std::filesystem::remove_all(folder.path());
  EXPECT_THAT(kcc("-use_fast_math --emit ptx " + source.path()).text, HasSubstr("div.approx"));
  EXPECT_THAT(kcc("--emit ptx " + source.path()).text, Not(HasSubstr("div.approx")));
}

TEST(CommandLine, OptionsOfNvccThatCannotBeMetAreNamed) {
  const Outcome other = kcc("-arch=sm_13 " + kKernel + " -o /dev/null");
  EXPECT_EQ(other.status, 0);
  EXPECT_THAT(other.text, HasSubstr("the code is for sm_10"));
  const std::pair<const char*, const char*> refused[] = {
      {"-arch=fermi", "\"fermi\" names no architecture"},
      {"-m64", "32 bits"},
      {"-Xptxas -dlcm=cg", "\"-dlcm=cg\" has no meaning here"},
      {"-Xcompiler -fopenmp", "-Xcompiler"},
      {"-deviceemu", "-deviceemu"},
      {"-odir=folder", "-odir has no meaning here"},
      {"-optf options", "-optf has no meaning here"},
      {"--keep", "--keep"},
      {"--max=16", "--max"},
      {"-maxrregcount=200", "8 to 64"},
  };
  for (const auto& [option, message] : refused) {
    const Outcome outcome = kcc(std::string(option) + " " + kKernel + " -o /dev/null");
    EXPECT_EQ(outcome.status, 126) << option;
    EXPECT_THAT(outcome.text, HasSubstr(message));
  }
}

// With extensions kernels may have what 1.1 and 1.2 have.
TEST(CommandLine, TargetsThatAreNotMetAreNamedWithWhatMeetsThem) {
  const auto said = [](const std::string& options) {
    return kcc(options + " " + kKernel + " -o /dev/null").text;
  };
  for (const char* target : {"sm_11", "sm_12", "compute_20"}) {
    EXPECT_THAT(said(std::string("-arch=") + target),
                HasSubstr(std::string("not for ") + target + ": __CUDA_ARCH__ is 100"));
    EXPECT_THAT(said(std::string("-arch ") + target), HasSubstr("need --device-extensions"));
  }
  EXPECT_EQ(said("-arch=sm_12 --device-extensions"), "");
  EXPECT_EQ(said("--device-extensions -gencode=arch=compute_11,code=sm_11"), "");
  EXPECT_EQ(said("-arch=sm_10 --device-extensions"), "");
  EXPECT_THAT(said("--device-extensions -gencode arch=compute_12,code=sm_13"),
              HasSubstr("with device extensions, not for sm_13: __CUDA_ARCH__ is 120"));
}

TEST(CommandLine, TheArchitectureIsTheDevicesUnlessTheUserSaysOtherwise) {
  const TemporaryFile source("architecture.cu",
                             "#ifdef __CUDA_ARCH__\n"
                             "__global__ void k(int* p) { p[0] = __CUDA_ARCH__ * 1000; }\n"
                             "#endif\n");
  const auto ptx = [&](const std::string& options) {
    return kcc(options + " --emit ptx " + source.path()).text;
  };
  EXPECT_THAT(ptx(""), HasSubstr(", 100000;"));
  EXPECT_THAT(ptx("--device-extensions"), HasSubstr(", 120000;"));
  for (const char* extensions : {"", "--device-extensions "}) {
    const std::string defined = ptx(extensions + std::string("-D__CUDA_ARCH__=130"));
    EXPECT_THAT(defined, HasSubstr(", 130000;"));
    EXPECT_THAT(defined, Not(HasSubstr("redefined")));
    EXPECT_THAT(ptx(extensions + std::string("-D __CUDA_ARCH__")), HasSubstr(", 1000;"));
    EXPECT_THAT(ptx(extensions + std::string("-U __CUDA_ARCH__")), Not(HasSubstr(".entry")));
  }
  for (const char* value : {"sm_12", "", "-1"}) {
    const Outcome refused = kcc("-D__CUDA_ARCH__=" + std::string(value) + " " + source.path());
    EXPECT_EQ(refused.status, 126);
    EXPECT_THAT(refused.text, HasSubstr("__CUDA_ARCH__ is a number (as 120"));
  }
}

TEST(CommandLine, MacrosAndHeadersReachTheSource) {
  const TemporaryFile header("value.h", "#define VALUE 41\n");
  const Outcome outcome = kcc("-DNAME=marked -UVALUE_TOO --pre-include " + header.path() + " " +
                              kKernel + " -o /dev/null");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_EQ(kcc("-include /nowhere/at_all.h " + kKernel + " -o /dev/null").status, 126);
}

// The folder of the source is looked into last only where nobody names it.
TEST(CommandLine, FoldersOfHeadersKeepTheirOrder) {
  namespace fs = std::filesystem;
  const TemporaryFile place("order", "");
  const fs::path folder = place.path() + ".d";
  const auto write = [&](const char* name, const char* text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  };
  write("own/in/value.h", "#define VALUE 1111\n");
  write("in/value.h", "#define VALUE 2222\n");
  write("own/other/uses.h", "#include \"in/value.h\"\n");
  write("own/k.cu", "#include \"other/uses.h\"\n__global__ void k(int* p) { *p = VALUE; }\n");
  const std::string own = (folder / "own").string();
  const std::string source = own + "/k.cu --emit ptx";
  const auto with = [&](const std::string& first, const std::string& second) {
    return kcc("-I" + first + " -I" + second + " " + source).text;
  };
  EXPECT_THAT(with(own, folder), HasSubstr("1111"));
  EXPECT_THAT(with(own + "/other/..", folder), HasSubstr("1111"));
  EXPECT_THAT(with(folder, own), HasSubstr("2222"));
  EXPECT_THAT(kcc(source).text, HasSubstr("1111"));
  fs::remove_all(folder);
}

TEST(CommandLine, KeepGoingLeavesOutWhatHasErrorsAndSaysSo) {
  const TemporaryFile source("some.cu",
                             "__global__ void good(int* p) { *p = 1; }\n"
                             "__global__ void bad(int* p) { *p = no_such; }\n"
                             "__global__ void sums(int* p) {\n"
                             "  atomicAdd(p, 1);\n"
                             "}\n");
  const Outcome strict = kcc(source.path() + " -o -");
  EXPECT_EQ(strict.status, 126);
  EXPECT_THAT(strict.text, Not(HasSubstr("name = good")));
  const Outcome outcome = kcc("--keep-going " + source.path() + " -o -");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.text, HasSubstr("name = good"));
  EXPECT_THAT(outcome.text, HasSubstr(":2:36: error: use of undeclared"));
  EXPECT_THAT(outcome.text, HasSubstr(":4:3: atomic operations need"));
  EXPECT_THAT(outcome.text, HasSubstr("2 of 3 kernels have errors and are left out"));
  EXPECT_EQ(kcc("--keep-going " + kKernel + " -o /dev/null").status, 0);
}

TEST(CommandLine, MissingClangIsNamed) {
  const Outcome outcome = kcc(kKernel, "KCC_CLANG=/nowhere/clang");
  EXPECT_EQ(outcome.status, 126);
  EXPECT_THAT(outcome.text, HasSubstr("cannot run clang"));
}

}  // namespace
}  // namespace gvp::kcc
