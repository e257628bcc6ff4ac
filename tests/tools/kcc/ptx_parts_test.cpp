// SPDX-License-Identifier: Apache-2.0
// PTX of parts of a file as one, and with the kernels that have the code of others.
#include "tools/kcc/front_end/ptx_parts.h"

#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

const std::string kHeader = "//\n// by LLVM\n//\n\n.version 3.2\n.target sm_20\n.address_size 32\n";

// A function with a loop and a call, as the n-th of its file.
std::string function(const std::string& name, int n, const std::string& body = "bar.sync 0;") {
  const std::string number = std::to_string(n);
  return "\t// .globl\t" + name + "\n.visible .func  (.param .b32 func_retval0) " + name +
         "(\n\t.param .b32 " + name + "_param_0\n)\n{\n\t" + body + "\n$LBB" + number +
         "_1:\n\tbra $LBB" + number + "_1;\n\t{ // callseq " + number + ", 0\n\t}\n}\n";
}
std::string kernel_text(const std::string& name) {
  return ".visible .entry " + name + "(\n\t.param .u32 " + name + "_param_0\n)\n{\n\tret;\n}\n";
}
const char* const kTable = ".visible .const .align 4 .b8 table[8] = {1, 2, 3};\n";
const char* const kCount = ".visible .global .align 4 .u32 count;\n";

TEST(PtxParts, JoinWhatEachHas) {
  const auto ptx = joined({kHeader + kTable + function("f", 0) + kernel_text("a"),
                           kHeader + kTable + kCount + function("f", 12) + kernel_text("b")});
  ASSERT_TRUE(ptx);
  const std::string f = function("f", 0);
  EXPECT_EQ(*ptx, kHeader + kTable + f.substr(f.find(".visible")) + kernel_text("a") + kCount +
                      kernel_text("b"));
}

TEST(PtxParts, JoinDeclarations) {
  const std::string other = ".extern .func  (.param .b32 r) g\n(\n\t.param .b32 p\n)\n;\n";
  const auto ptx = joined({kHeader + other + kernel_text("a"), kHeader + other + kernel_text("b")});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + other + kernel_text("a") + kernel_text("b"));
}

// Where its callers come first.
TEST(PtxParts, JoinFunctionsThatAreDeclaredBeforeTheyAreDefined) {
  const std::string first = ".func  (.param .b32 r) f\n(\n\t.param .b32 p\n)\n;\n";
  const std::string whole = function("f", 0);
  const std::string body = whole.substr(whole.find(".visible"));
  const auto ptx = joined({kHeader + first + kernel_text("a") + function("f", 0),
                           kHeader + function("f", 4) + kernel_text("b")});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + first + kernel_text("a") + body + kernel_text("b"));
}

// Each part counts its files and labels.
TEST(PtxParts, JoinLines) {
  const auto with_lines = [](const std::string& name, int first, int file) {
    const std::string number = std::to_string(first);
    return ".visible .entry " + name + "()\n{\nLfunc_begin" + number + ":\n\t.loc\t" +
           std::to_string(file) + " 7 3\nLtmp" + number + ":\n\tret;\nLfunc_end" + number +
           ":\n\n}\n";
  };
  const std::string rest = "\t.section\t.debug_loc\t{\t}\n";
  const std::string a = "\t.file\t1 \"a.cu\"\n";
  const auto ptx = joined({kHeader + with_lines("f", 0, 1) + with_lines("g", 1, 1) + rest + a,
                           kHeader + with_lines("g", 0, 2) + with_lines("h", 1, 1) + rest +
                               "\t.file\t1 \"b.cu\"\n\t.file\t2 \"a.cu\"\n"});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + with_lines("f", 0, 1) + with_lines("g", 1, 1) + with_lines("h", 1, 2) +
                      a + "\t.file\t2 \"b.cu\"\n");
  // Another line is another function.
  EXPECT_FALSE(joined({kHeader + with_lines("f", 0, 1) + rest + a,
                       kHeader + with_lines("f", 0, 1) + rest + "\t.file\t1 \"b.cu\"\n"}));
}

TEST(PtxParts, JoinNothingWhereTheyDisagree) {
  const std::pair<std::string, std::string> pairs[] = {
      {function("f", 0), function("f", 0, "bar.sync 1;")},
      {kTable, ".visible .const .align 4 .b8 table[8] = {1, 2, 4};\n"},
      {kTable, function("table", 0)},
      {kCount, ".visible .shared .align 4 .u32 count;\n"}};
  for (const auto& [one, other] : pairs) {
    EXPECT_FALSE(joined({kHeader + one, kHeader + other})) << other;
    EXPECT_TRUE(joined({kHeader + one, kHeader + one})) << one;
  }
}

TEST(PtxParts, JoinNothingThatIsNotUnderstood) {
  for (const char* text :
       {".file 1 \"k.cu\"\n", "\t.section .debug\n", ".visible .entry k(\n)\n{\n"})
    EXPECT_FALSE(joined({kHeader + text})) << text;
  EXPECT_FALSE(joined({kernel_text("a")})) << "no header";
  EXPECT_TRUE(joined({kHeader}));
}

TEST(PtxParts, GiveKernelsTheCodeOfOthersInTheirOrder) {
  const std::string f = function("f", 0).substr(function("f", 0).find(".visible"));
  const auto ptx =
      with_copies(kHeader + kTable + kernel_text("k") + f + kernel_text("kernel") + kCount,
                  {{"kernel", "kernel"}, {"k", "k"}, {"k2", "k"}, {"a", "kernel"}});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + kTable + f + kCount + kernel_text("kernel") + kernel_text("k") +
                      kernel_text("k2") + kernel_text("a"));
}

TEST(PtxParts, CopyKernelsWithNothingElseRenamed) {
  const auto text = [](const std::string& name) {
    return ".visible .entry " + name + "(\n\t.param .u32 " + name +
           "_param_0\n)\n{\n\tld.param.u32 %r1, [" + name + "_param_0];\n\tcall.uni k_of,\n" +
           "\tst.shared.u32 [_ZZ1kvE1s], %r1;\n\tst.shared.u32 [k$1], %r1;\n\tmov.u32 %r2, "
           "kk;\n}\n";
  };
  const auto ptx = with_copies(kHeader + text("k"), {{"k", "k"}, {"copy", "k"}});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + text("k") + text("copy"));
}

TEST(PtxParts, StayAsTheyAreWithoutCopies) {
  const std::string ptx = kHeader + kernel_text("b") + kCount + kernel_text("a");
  EXPECT_EQ(with_copies(ptx, {}), ptx);
  EXPECT_EQ(with_copies(ptx, {{"a", "a"}, {"b", "b"}}), ptx);
}

TEST(PtxParts, AreNotCopiedWhereTheyAreNotThereOrHaveLines) {
  EXPECT_FALSE(with_copies(kHeader + kernel_text("a"), {{"a", "a"}, {"b", "c"}}));
  EXPECT_FALSE(with_copies(kHeader + kernel_text("a") + "\t.file\t1 \"a.cu\"\n", {{"b", "a"}}));
}

}  // namespace
}  // namespace gvp::kcc
