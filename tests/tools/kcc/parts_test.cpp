// SPDX-License-Identifier: Apache-2.0
// Intermediate code of large files: without lines, in parts.
#include "tools/kcc/front_end/parts.h"

#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

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

TEST(Parts, KnowDoubles) {
  EXPECT_TRUE(computes_in_doubles("define void @f() {\n  %1 = fadd double %0, 1.0\n}\n"));
  EXPECT_FALSE(
      computes_in_doubles("declare double @sin(double)\ndefine void @double() {\n"
                          "  call void @with_double()\n}\n"));
}

}  // namespace
}  // namespace gvp::kcc
