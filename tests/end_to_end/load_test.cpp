// SPDX-License-Identifier: Apache-2.0
// --load, and run.elf, which runs a kernel from a file that is loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

constexpr const char* kSource = R"(
__global__ void scale(const float* in, float* out, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
__global__ void add(const int* a, int* b) { b[threadIdx.x] += a[threadIdx.x]; }
)";

std::string cubin() {
  const std::string source_file = temporary("k.cu");
  const std::string path = temporary("k.cubin");
  write(source_file, kSource);
  const Result result = run("kcc", {source_file, "-o", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return path;
}

Result run_kernel(const std::string& path, const std::string& arguments,
                  std::vector<std::string> options = {}) {
  options.insert(options.end(), {"-q", "--load", "kernel_file=" + path, "--arguments", arguments,
                                 firmware("run")});
  return run("gpgpu-vp", options);
}

TEST(Load, RunsAKernelWithoutACompilerForTheHost) {
  const std::string path = cubin();
  const Result floats = run_kernel(path, "scale 2 8 floats:16 zeros:16:f 1.5 15");
  EXPECT_EQ(floats.exit_code, 0) << floats.out << floats.err;
  EXPECT_THAT(floats.out, HasSubstr("parameter 1:\n"
                                    "     0: 0 1.5 3 4.5 6 7.5 9 10.5\n"
                                    "     8: 12 13.5 15 16.5 18 19.5 21 0\n"
                                    "scale: "));
  const std::string input = temporary("input.bin");
  write(input, std::string("\x05\0\0\0\xff\xff\xff\xff\x00\x00\x00\x80", 12));
  const Result words =
      run_kernel(path, "add 1x1 2x1x1 count:2 input:2@1:d", {"--load", "input_file=" + input});
  EXPECT_EQ(words.exit_code, 0) << words.out << words.err;
  EXPECT_THAT(words.out, HasSubstr("parameter 1:\n     0: -1 -2147483647\n"));
}

// 36,000 bytes: the last of them are in another page of the control window.
TEST(Load, RunsAKernelWhoseConstantsAreMoreThanTheWindowShows) {
  std::string source_text = "__constant__ int table[9000] = {";
  for (int i = 0; i < 9000; ++i) source_text += std::to_string(3 * i) + ",";
  source_text +=
      "};\n__global__ void pick(int* out, int from, int step) {"
      " out[threadIdx.x] = table[from + step * threadIdx.x]; }\n";
  const std::string source_file = temporary("table.cu");
  const std::string path = temporary("table.cubin");
  write(source_file, source_text);
  ASSERT_EQ(run("kcc", {source_file, "-o", path}).exit_code, 0);
  for (const char* timing : {"lt", "at"}) {
    const Result result = run_kernel(path, "pick 1 4 zeros:4:d 8999 -2000",
                                     {"--timing", timing, "--set", "gpgpu.constant_bytes=65536"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("parameter 0:\n     0: 26997 20997 14997 8997\n"));
  }
  EXPECT_THAT(
      run_kernel(path, "pick 1 4 zeros:4:d 0 1", {"--set", "gpgpu.constant_bytes=32768"}).out,
      HasSubstr("out of memory"));
  const std::string dump = temporary("out.hex");
  const Result alone =
      run("gpgpu-run", {"--cubin", path, "--kernel", "pick", "--grid", "1", "--block", "4",
                        "--param", "0x100", "--param", "8999", "--param", "-2000", "--dump",
                        "0x100:16=" + dump, "--set", "gpgpu.constant_bytes=65536"});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(read(dump), "0x00006975\n0x00005205\n0x00003a95\n0x00002325\n");
}

TEST(Load, AFaultNamesTheLineOfTheSource) {
  const std::string source_file = temporary("k.cu");
  const std::string path = temporary("k.cubin");
  write(source_file,
        "__global__ void wild(int* out) {\n  int i = threadIdx.x;\n  out[i] = i;\n}\n");
  ASSERT_EQ(run("kcc", {"-g", source_file, "-o", path}).exit_code, 0);
  for (const char* timing : {"lt", "at"}) {
    const Result result = run_kernel(path, "wild 1 4 0x80000000", {"--timing", timing});
    EXPECT_EQ(result.exit_code, 1) << result.out;
    EXPECT_THAT(result.err, HasSubstr("kernel 1 (wild) stopped: "));
    EXPECT_THAT(result.err, HasSubstr("k.cu:3, SM 0, "));
  }
}

TEST(Load, RunsAKernelWhereGlobalMemoryIsDdr3) {
  const Result result = run_kernel(cubin(), "add 1 4 count:4 count:4:x",
                                   {"--timing", "at", "--set", "gpgpu.global_memory=ddr3"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("0: 00000000 00000002 00000004 00000006\n"));
}

TEST(Load, SaysWhatIsWrongWithAKernelsArguments) {
  const std::string path = cubin();
  const auto expect = [&](const std::string& arguments, int code, const char* why) {
    const Result result = run_kernel(path, arguments);
    EXPECT_EQ(result.exit_code, code) << arguments;
    EXPECT_THAT(result.out, HasSubstr(why)) << arguments;
  };
  expect("", 2, "no arguments");
  expect("scale", 2, "GRID and BLOCK are missing");
  expect("scale 0 16", 2, "\"0\": not an extent such as 4 or 4x2");
  expect("scale 1x1x1 16", 2, "\"1x1x1\": not an extent");
  expect("scale 1 4x4x4x4", 2, "\"4x4x4x4\": not an extent");
  expect("scale 1 16 many", 2, "\"many\": neither a number nor a buffer");
  expect("scale 1 16 zeros:0", 2, "not a buffer");
  expect("scale 1 16 zeros:4:q", 2, "not a buffer");
  expect("scale 1 16 input:4", 2, "input_file has fewer words");
  expect("scale 1 16 zeros:4", 1, "not as many as the kernel has");
  expect("nothing 1 16", 1, "nothing: no such kernel");
  expect("scale 1 1024 zeros:4 zeros:4 1.0 4", 1, "scale: ");
  EXPECT_THAT(run_kernel(source("README.md"), "scale 1 1").out,
              HasSubstr("not a cubin in text form"));
  const Result none = run("gpgpu-vp", {"-q", "--arguments", "scale 1 1", firmware("run")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.out, HasSubstr("no cubin (gpgpu-vp --load kernel_file=FILE.cubin)"));
}

TEST(Load, RefusesWhatHasNoPlace) {
  const auto expect = [](const std::string& load, const char* why) {
    const Result result = run("gpgpu-vp", {"-q", "--load", load, firmware("run")});
    EXPECT_EQ(result.exit_code, 126) << load;
    EXPECT_THAT(result.err, HasSubstr(why)) << load;
  };
  const std::string file = source("README.md");
  expect("kernel_file", "names no place and file");
  expect("=" + file, "names no place and file");
  expect("kernel_file=", "names no place and file");
  expect("nothing=" + file, "the firmware has no array nothing");
  expect("5z=" + file, "\"5z\" is no address");
  expect("0x100000000=" + file, "is no address");
  expect("0x44A00000=" + file, "lies in the registers of gpgpu_control");
  expect("0xFFFFFFF0=" + file, "there is no memory at");
  expect("0x6FFFFFF0=" + file, "there is no memory at 0x70000000");
  expect("kernel_file=/dev/null", "the file to load is empty");
  expect("kernel_file=/dev/zero",
         "/dev/zero: is longer than a file in the array kernel_file can be");
  expect("kernel_file=/nowhere", "/nowhere: cannot open");
  expect("program_argument_text=" + file,
         "is longer than a file in the array program_argument_text can be");
}

TEST(Load, IsNoPlaceToWriteTo) {
  const std::string file = temporary("statistics.json");
  write(file, "data");
  const Result result =
      run("gpgpu-vp", {"-q", "--load", "0x56000000=" + file, "--stats", file, firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("--load"));
  EXPECT_EQ(read(file), "data");
}

}  // namespace
}  // namespace gvp::test
