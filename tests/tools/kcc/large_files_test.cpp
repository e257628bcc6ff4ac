// SPDX-License-Identifier: Apache-2.0
// Files for which clang takes seconds: compiled in parts, and users cannot tell.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

#include "tests/support/tool_test.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

// Writes down what clang is called for.
const char* const kClang =
    "#!/bin/sh\necho \"$*\" >>\"$(dirname \"$0\")/calls\"\nexec clang-14 \"$@\"\n";

// What it is called with to optimise at level 1.
const char* const kGentle = "-O1 -mllvm -spec-exec-max-speculation-cost";

class LargeFiles : public test::ToolTest {
 protected:
  // Sixty kernels that share variables, one of them hidden, a function that is inlined and one
  // that is not, and `more` behind them; they start in line 9.
  void write_source(const std::string& more = "") const {
    write("large.cu",
          "#define TEN(x) x x x x x x x x x x\n"
          "__constant__ int table[4] = {1, 2, 3, 4};\n"
          "static __device__ int hidden = 5;\n"
          "__device__ int twice(int x) { return 2 * x + hidden; }\n"
          "__device__ __noinline__ int sum(int n) {\n"
          "  int s = 0; for (int i = 0; i < n; i++) s += i ^ hidden; return s;\n"
          "}\n"
          "template <int N>\n"
          "__global__ void kernel(int* out) {\n"
          "  __shared__ int s[32];\n"
          "  int x = out[N] + twice(N);\n"
          "  TEN(TEN(out[x & 15] = x; x ^= table[x & 3] + N;))\n"
          "  s[threadIdx.x] = x; __syncthreads();\n"
          "  if (N == 3) hidden = x;\n"
          "  out[threadIdx.x] = s[31 - threadIdx.x] + sum(N);\n"
          "}\n"
          "#define EACH(N) template __global__ void kernel<N>(int*); \\\n"
          "  template __global__ void kernel<N + 10>(int*); "
          "  template __global__ void kernel<N + 20>(int*); "
          "  template __global__ void kernel<N + 30>(int*); \\\n"
          "  template __global__ void kernel<N + 40>(int*); "
          "  template __global__ void kernel<N + 50>(int*);\n"
          "EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7) EACH(8) EACH(9) EACH(10)\n" +
              more);
  }
};

std::string without_line_marks(const std::string& listing) {
  std::istringstream in(listing);
  std::string result;
  for (std::string line; std::getline(in, line);)
    if (line.find("//## File") == std::string::npos) result += line + '\n';
  return result;
}

// Of a listing: kernels and operations, one a line.  Operands may change places.
std::string operations_of(const std::string& listing) {
  static const std::regex kLine("(?:^|\\n)(\\.kernel .*|    /\\*[0-9a-f]+\\*/  [^ ;]+)");
  std::string result;
  for (std::sregex_iterator each(listing.begin(), listing.end(), kLine), end; each != end; ++each)
    result += each->str(1) + '\n';
  return result;
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST_F(LargeFiles, HaveTheOperationsThatTheyHaveAsAWhole) {
  write_source();
  write("clang", kClang);
  const std::string clang = "chmod +x clang && KCC_CLANG=$PWD/clang ";
  const test::ToolResult parts = run(clang + "kcc large.cu --emit sass -o -");
  EXPECT_EQ(parts.code, 0);
  EXPECT_EQ(count(parts.output, ".kernel "), 60u) << parts.output.substr(0, 2000);
  EXPECT_EQ(count(run("cat calls").output, "-disable-llvm-passes"),
            1 + std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
  EXPECT_EQ(count(run("cat calls").output, kGentle), 0u);
  const test::ToolResult whole = run("rm calls; " + clang +
                                     "kcc large.cu --emit ptx -o whole.ptx && cat calls >&2 &&"
                                     " kcc whole.ptx --emit sass -o -");
  EXPECT_EQ(count(whole.output, "-disable-llvm-passes"), 2u);
  EXPECT_EQ(operations_of(whole.output), operations_of(parts.output));
}

TEST_F(LargeFiles, OthersAreOptimisedInBothWaysAtLevel2) {
  write("small.cu", "__global__ void k(int* out) { out[0] = out[1] * 3; }\n");
  write("clang", kClang);
  for (const char* level : {"-O0", "-O1", "-O2"}) {
    EXPECT_EQ(run(std::string("chmod +x clang; rm -f calls; KCC_CLANG=$PWD/clang kcc ") + level +
                  " small.cu -o small.cubin")
                  .code,
              0);
    const std::string calls = run("cat calls").output;
    EXPECT_EQ(count(calls, "-spec-exec-max-speculation-cost"),
              std::string(level) == "-O2" ? 2u : 1u);
    EXPECT_EQ(count(calls, kGentle), std::string(level) == "-O0" ? 0u : 1u) << level;
  }
}

TEST_F(LargeFiles, HaveTheSameCodeWithLines) {
  write_source();
  const test::ToolResult without = run("kcc large.cu --emit sass -o -");
  const test::ToolResult with = run("kcc -g large.cu --emit sass -o -");
  EXPECT_THAT(with.output, HasSubstr("large.cu\", line 12"));
  EXPECT_EQ(without.output, without_line_marks(with.output));
}

// Of instances of a template that an argument makes no difference to LLVM sees one.
TEST_F(LargeFiles, HaveEqualKernelsThatAreCompiledOnce) {
  write("equal.cu",
        "#define TEN(x) x x x x x x x x x x\n"
        "template <bool UNUSED> __device__ int twice(int x) { return 2 * x; }\n"
        "template <int N, bool UNUSED> __global__ void kernel(int* out) {\n"
        "  int x = out[N];\n  TEN(TEN(out[x & 15] = x; x ^= twice<UNUSED>(N);))\n}\n"
        "#define BOTH(N) template __global__ void kernel<N, true>(int*); "
        "  template __global__ void kernel<N, false>(int*);\n"
        "#define EACH(N) BOTH(N) BOTH(N + 10) BOTH(N + 20) BOTH(N + 30) BOTH(N + 40) BOTH(N + 50)\n"
        "EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7) EACH(8) EACH(9) EACH(10)\n");
  write("clang",
        "#!/bin/sh\ncase \"$*\" in *'-x ir'*) tee -a read.ll | clang-14 \"$@\" ;; "
        "*) exec clang-14 \"$@\" ;; esac\n");
  const std::string clang = "chmod +x clang && KCC_CLANG=$PWD/clang ";
  const test::ToolResult equal = run(clang + "kcc equal.cu --emit sass -o -");
  EXPECT_EQ(equal.code, 0);
  EXPECT_EQ(count(equal.output, ".kernel "), 120u);
  const std::string read = run("grep '^define ' read.ll").output;
  EXPECT_EQ(count(read, "ELb1EEvPi("), 120u);  // to optimise, and to generate code
  EXPECT_EQ(count(read, "ELb0EEvPi("), 0u);
  EXPECT_EQ(count(read, "5twiceI"), std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
  const test::ToolResult each = run("kcc -g equal.cu --emit sass -o -");
  EXPECT_EQ(equal.output, without_line_marks(each.output));
}

TEST_F(LargeFiles, HaveLinesInWhatIsSaidOfThem) {
  write_source(
      "__global__ void with_double(float* out) {\n"
      "  out[0] = out[1] * 0.1;\n"
      "}\n"
      "__global__ void with_sum(int* out) {\n"
      "  atomicAdd(out, 1);\n"
      "}\n");
  const test::ToolResult refused = run("kcc -O1 large.cu -o /dev/null");
  EXPECT_EQ(refused.code, 126);
  EXPECT_THAT(refused.output, HasSubstr("large.cu:25:3: atomic operations need"));
  const test::ToolResult others = run("kcc -O1 --keep-going large.cu --emit sass -o out.sass");
  EXPECT_EQ(others.code, 1);
  EXPECT_EQ(count(others.output, "large.cu:22:12: warning: double precision"), 1u) << others.output;
  EXPECT_EQ(count(others.output, "large.cu:25:3: atomic operations need"), 1u) << others.output;
  EXPECT_EQ(count(run("cat out.sass").output, ".kernel "), 61u);
}

// What clang reads without lines as there is so much of it, it reads again for what is to be said.
// With host code that is to be cleaned, and without.
TEST_F(LargeFiles, ThatAreReadWithoutLinesHaveLinesInWhatIsSaidOfThem) {
  for (const char* host : {"not_known();", ""}) {
    std::string many = "#define MANY(x) x x x x x x x x x x\n";
    many += "MANY(MANY(MANY(MANY(typedef int many; typedef int more;))))\n";
    write_source(
        "__global__ void waits(float* out) {\n"
        "  for (int i = 0; i < 4; i++) { int x = out[i]; if (x == 7) return; __syncthreads(); }\n"
        "  out[0] = out[1] * 0.1;\n"
        "}\n" +
        many + "int main() { " + host + " waits<<<1, 32>>>(0); }\n");
    write("clang", kClang);
    const std::string clang = "chmod +x clang && rm -f calls; KCC_CLANG=$PWD/clang ";
    const test::ToolResult result = run(clang + "kcc large.cu --emit sass -o out.sass");
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.output, HasSubstr("large.cu:23:12: warning: double precision"));
    EXPECT_EQ(count(run("cat out.sass").output, ".kernel "), 61u);
    EXPECT_EQ(count(run("cat calls").output, " -g0"), 2u);  // as it is, and with direct ways
    EXPECT_EQ(run(clang + "kcc -g large.cu --emit sass -o lines.sass").code, 0);
    EXPECT_EQ(count(run("cat calls").output, " -g0"), 0u);
    EXPECT_EQ(run("cat out.sass").output, without_line_marks(run("cat lines.sass").output));
  }
}

// Inlined are functions that LLVM would not inline by itself, as long as their code has room.
TEST_F(LargeFiles, CallWhatWouldTakeTooMuchRoom) {
  const auto ptx_with = [this](const std::string& work) {
    write("calls.cu",
          "#define TEN(x) x x x x x x x x x x\n"
          "__device__ int f(int a, int b) {\n  " +
              work +
              "\n  return a + b;\n}\n"
              "__global__ void k(int* out) {\n"
              "  int x = out[0];\n  TEN(x = f(x, 3);)\n  out[1] = x;\n}\n");
    return run("kcc calls.cu --emit ptx").output;
  };
  const std::string hundred = "TEN(TEN(a = (a ^ b >> 1) * 3 + 5; b ^= a >> 3;))";
  EXPECT_EQ(count(ptx_with(hundred), "call.uni"), 0u);
  EXPECT_EQ(count(ptx_with("TEN(" + hundred + ")"), "call.uni"), 10u);
}

}  // namespace
}  // namespace gvp::kcc
