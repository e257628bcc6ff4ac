// SPDX-License-Identifier: Apache-2.0
// Intermediate code of large files: without lines, in parts, and their PTX as one.
#include "tools/kcc/front_end/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Parts, LosesLinesAndNothingElse) {
  EXPECT_EQ(without_lines("@s = addrspace(3) global i32 undef\n"
                          "define void @f(i32* %0) #1 !dbg !4 {\n"
                          "  store i32 1, i32* %0, align 4, !dbg !7, !tbaa !8\n"
                          "  br label %1, !dbg !7, !llvm.loop !9\n}\n"
                          "!llvm.dbg.cu = !{!0}\n"
                          "!nvvm.annotations = !{!2}\n"
                          "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1)\n"
                          "!1 = !DIFile(filename: \"k.cu\", directory: \"/home\")\n"
                          "!2 = !{void (i32*)* @f, !\"kernel\", i32 1}\n"
                          "!4 = distinct !DISubprogram(name: \"f\", scope: !1, unit: !0)\n"
                          "!7 = !DILocation(line: 2, column: 3, scope: !4)\n"
                          "!8 = !{!11, !11, i64 0}\n"
                          "!9 = distinct !{!9, !7, !7, !10}\n"
                          "!10 = !{!\"llvm.loop.mustprogress\"}\n"
                          "!11 = !{!\"a {b\"}\n"
                          "!12 = !{}\n"),
            "@s = addrspace(3) global i32 undef\n"
            "define void @f(i32* %0) #1 {\n"
            "  store i32 1, i32* %0, align 4, !tbaa !8\n"
            "  br label %1, !llvm.loop !9\n}\n"
            "!nvvm.annotations = !{!2}\n"
            "!2 = !{void (i32*)* @f, !\"kernel\", i32 1}\n"
            "!8 = !{!11, !11, i64 0}\n"
            "!9 = distinct !{!9, !10}\n"
            "!10 = !{!\"llvm.loop.mustprogress\"}\n"
            "!11 = !{!\"a {b\"}\n"
            "!12 = !{}\n");
}

// Kernels a and b call first(), c calls last() by way of another, and nobody calls idle().
const char* const kFile =
    "@table = addrspace(4) global i32 1\n"
    "define void @a() {\n  call void @first()\n  ret void\n}\n"
    "define void @b() {\n  call void @first()\n  ret void\n}\n"
    "define void @c() {\n  call void @middle()\n  ret void\n}\n"
    "define void @first() {\n  ret void\n}\n"
    "define void @middle() {\n  call void @last()\n  ret void\n}\n"
    "define void @last() {\n  ret void\n}\n"
    "define void @idle() {\n  ret void\n}\n"
    "declare void @llvm.nvvm.barrier0()\n"
    "!nvvm.annotations = !{!0, !1, !2, !3}\n"
    "!0 = !{void ()* @a, !\"kernel\", i32 1}\n"
    "!1 = !{void ()* @b, !\"kernel\", i32 1}\n"
    "!2 = !{void ()* @c, !\"kernel\", i32 1}\n"
    "!3 = !{void ()* @c, !\"maxntidx\", i32 64}\n"
    "!4 = !{i32 7}\n";

TEST(Parts, HaveWhatTheirKernelsCall) {
  const std::vector<std::string> parts = parts_of(kFile, 2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0],
            "@table = addrspace(4) global i32 1\n"
            "define void @a() {\n  call void @first()\n  ret void\n}\n"
            "define void @b() {\n  call void @first()\n  ret void\n}\n"
            "define void @first() {\n  ret void\n}\n"
            "declare void @llvm.nvvm.barrier0()\n"
            "!nvvm.annotations = !{!0, !1}\n"
            "!0 = !{void ()* @a, !\"kernel\", i32 1}\n"
            "!1 = !{void ()* @b, !\"kernel\", i32 1}\n"
            "!4 = !{i32 7}\n");
  EXPECT_EQ(parts[1],
            "@table = addrspace(4) global i32 1\n"
            "define void @c() {\n  call void @middle()\n  ret void\n}\n"
            "define void @middle() {\n  call void @last()\n  ret void\n}\n"
            "define void @last() {\n  ret void\n}\n"
            "declare void @llvm.nvvm.barrier0()\n"
            "!nvvm.annotations = !{!2, !3}\n"
            "!2 = !{void ()* @c, !\"kernel\", i32 1}\n"
            "!3 = !{void ()* @c, !\"maxntidx\", i32 64}\n"
            "!4 = !{i32 7}\n");
}

TEST(Parts, AreNoMoreThanKernels) {
  EXPECT_EQ(parts_of(kFile, 8).size(), 3u);
  std::string needed = kFile;
  const std::string idle = "define void @idle() {\n  ret void\n}\n";
  needed.erase(needed.find(idle), idle.size());
  EXPECT_EQ(parts_of(kFile, 1), std::vector<std::string>{needed});
  EXPECT_EQ(parts_of(idle, 2), std::vector<std::string>{""});
}

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

TEST(Parts, JoinWhatEachHas) {
  const auto ptx = joined({kHeader + kTable + function("f", 0) + kernel_text("a"),
                           kHeader + kTable + kCount + function("f", 12) + kernel_text("b")});
  ASSERT_TRUE(ptx);
  const std::string f = function("f", 0);
  EXPECT_EQ(*ptx, kHeader + kTable + f.substr(f.find(".visible")) + kernel_text("a") + kCount +
                      kernel_text("b"));
}

TEST(Parts, JoinDeclarations) {
  const std::string other = ".extern .func  (.param .b32 r) g\n(\n\t.param .b32 p\n)\n;\n";
  const auto ptx = joined({kHeader + other + kernel_text("a"), kHeader + other + kernel_text("b")});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + other + kernel_text("a") + kernel_text("b"));
}

// Where its callers come first.
TEST(Parts, JoinFunctionsThatAreDeclaredBeforeTheyAreDefined) {
  const std::string first = ".func  (.param .b32 r) f\n(\n\t.param .b32 p\n)\n;\n";
  const std::string whole = function("f", 0);
  const std::string body = whole.substr(whole.find(".visible"));
  const auto ptx = joined({kHeader + first + kernel_text("a") + function("f", 0),
                           kHeader + function("f", 4) + kernel_text("b")});
  ASSERT_TRUE(ptx);
  EXPECT_EQ(*ptx, kHeader + first + kernel_text("a") + body + kernel_text("b"));
}

// Each part counts its files and labels.
TEST(Parts, JoinLines) {
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

TEST(Parts, KnowDoubles) {
  EXPECT_TRUE(computes_in_doubles("define void @f() {\n  %1 = fadd double %0, 1.0\n}\n"));
  EXPECT_FALSE(
      computes_in_doubles("declare double @sin(double)\ndefine void @double() {\n"
                          "  call void @with_double()\n}\n"));
}

TEST(Parts, JoinNothingWhereTheyDisagree) {
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

TEST(Parts, JoinNothingThatIsNotUnderstood) {
  for (const char* text :
       {".file 1 \"k.cu\"\n", "\t.section .debug\n", ".visible .entry k(\n)\n{\n"})
    EXPECT_FALSE(joined({kHeader + text})) << text;
  EXPECT_FALSE(joined({kernel_text("a")})) << "no header";
  EXPECT_TRUE(joined({kHeader}));
}

}  // namespace
}  // namespace gvp::kcc
