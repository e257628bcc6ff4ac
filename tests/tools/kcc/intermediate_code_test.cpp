// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/intermediate_code.h"

#include <gtest/gtest.h>

#include "tools/kcc/front_end/generated_code.h"
#include "tools/kcc/front_end/inlined_size.h"

namespace gvp::kcc {
namespace {

TEST(IntermediateCode, ItsSizeCountsFunctionsOnceForEachCall) {
  const std::string text =
      "declare i32 @other(i32)\n"
      "define i32 @one(i32 %0) #0 !dbg !3 {\n"
      "  call void @llvm.dbg.declare(metadata i32 %0), !dbg !4\n"
      "  %2 = call i32 @other(i32 %0), !dbg !4\n"
      "  ret i32 %2\n}\n"
      "define i32 @two(i32 %0) {\n"
      "  %2 = call i32 @one(i32 %0)\n"
      "  %3 = tail call i32 @one(i32 %2)\n"
      "  br label %4\n\n4:\n"
      "  ret i32 %3\n}\n"
      "define i32 @three(i32 %0) {\n"
      "  %2 = call i32 @two(i32 %0)\n"
      "  %3 = call i32 @two(i32 %2)\n"
      "  ret i32 %3\n}\n";
  EXPECT_EQ(largest_when_inlined(text), 3 + 2 * (4 + 2 * 2u));
  EXPECT_EQ(largest_when_inlined("define void @f() {\n  call void @f()\n  ret void\n}\n"), 4u);
  EXPECT_EQ(largest_when_inlined(""), 0u);
}

TEST(IntermediateCode, VariablesOfADeviceArePublic) {
  EXPECT_EQ(with_shared_variables("@a = internal addrspace(3) global i32 undef\n"
                                  "@b = internal addrspace(4) constant i32 1\n"
                                  "@c = internal global i32 0"),
            "@a = addrspace(3) global i32 undef\n"
            "@b = internal addrspace(4) constant i32 1\n"
            "@c = internal global i32 0");
}

TEST(IntermediateCode, LoadsOfFixedPlacesStay) {
  const std::string groups =
      "attributes #0 = { convergent \"target-cpu\"=\"sm_20\" }\nattributes #1 = { nounwind }\n";
  const std::string changed =
      "attributes #0 = { sanitize_thread convergent \"target-cpu\"=\"sm_20\" }\n"
      "attributes #1 = { nounwind }\n";
  const std::string cast = "* addrspacecast (i32 addrspace(";
  for (const char* space : {"1", "3"}) {
    const std::string load = "  %1 = load i32, i32" + cast + space + ")* @n to i32*)\n";
    EXPECT_EQ(with_loads_in_their_place(load + groups), load + changed);
  }
  const std::string others = "@n = addrspace(3) global i32 undef\n  store i32 %2, i32" + cast +
                             "3)* @n to i32*)\n  %3 = load i32, i32" + cast +
                             "4)* @c to i32*)\n  %4 = load i32, i32* %3\n";
  EXPECT_EQ(with_loads_in_their_place(others + groups), others + groups);
}

TEST(IntermediateCode, FunctionsOfHeadersHaveNoLines) {
  const std::string rest =
      "!1 = !DIFile(filename: \"k.cu\", directory: \"/home\")\n"
      "!2 = !DIFile(filename: \"/usr/lib/clang/14/include/__clang_cuda_builtin_vars.h\", "
      "directory: \"\")\n"
      "!3 = !DIFile(filename: \"/our headers/kcc_cuda.h\", directory: \"\")\n"
      "!4 = distinct !DISubprogram(name: \"mine\", scope: !2, file: !1, line: 1)\n"
      "!5 = distinct !DISubprogram(name: \"x\", scope: !2, file: !2, line: 66)\n"
      "!6 = distinct !DISubprogram(name: \"min\", scope: !3, file: !3, line: 6)\n";
  const std::string mine = "define void @mine() #1 !dbg !4 {\n  ret void, !dbg !7, !tbaa !8\n}\n";
  EXPECT_EQ(without_lines_of_headers(mine +
                                         "define i32 @x() #1 !dbg !5 {\n"
                                         "  %1 = load i32, i32* %0, !dbg !9, !tbaa !8\n"
                                         "  ret i32 %1, !dbg !9\n}\n"
                                         "define i32 @min() comdat !dbg !6 {\n  br label %1\n}\n" +
                                         mine + rest,
                                     "/our headers"),
            mine +
                "define i32 @x() #1 {\n  %1 = load i32, i32* %0, !tbaa !8\n  ret i32 %1\n}\n"
                "define i32 @min() comdat {\n  br label %1\n}\n" +
                mine + rest);
}

TEST(IntermediateCode, ShiftsAreSaidToLoseBits) {
  const std::string others =
      "@text = constant [20 x i8] c\"  = ashr exact i32 2\\00\"\n  %1 = sdiv exact i32 %0, 4\n";
  EXPECT_EQ(without_exact_shifts(others + "  %2 = ashr exact i32 %1, 16, !dbg !5\n"
                                          "  %3 = lshr exact i64 %x, %y\n}\n"),
            others + "  %2 = ashr i32 %1, 16, !dbg !5\n  %3 = lshr i64 %x, %y\n}\n");
  EXPECT_EQ(without_exact_shifts(""), "");
}

TEST(IntermediateCode, NothingIsSaidOfTheOrderInWhichAssemblyIsUsed) {
  const std::string others =
      "  %1 = call i32 asm sideeffect \"vote\", \"=r,r\"(i32 %0)\n"
      "uselistorder i32 2, { 1, 0 }\n  uselistorder i32 %1, { 1, 0 }\n";
  EXPECT_EQ(without_orders_of_assembly(
                others + "uselistorder i32 (i32)* asm sideeffect \"vote\", \"=r,r\", { 1, 0 }\n" +
                "  uselistorder i32 (i32)* asm \"vote\", \"=r,r\", { 1, 0 }\n"),
            others);
  EXPECT_EQ(without_orders_of_assembly(""), "");
}

TEST(GeneratedCode, ProductsThatStandForShiftsAreShiftsAgain) {
  const std::string before =
      "\tmul.wide.s32 \t%rd2, %r1, 77;\n\tmul.wide.u32 %rd1, %r2, -2147483648;\n";
  EXPECT_EQ(with_wide_shifts(before + "\tmul.wide.s32 \t%rd1, %r14, -2147483648;\n\tret;\n"),
            before + "\tcvt.s64.s32 %rd1, %r14; shl.b64 %rd1, %rd1, 31;\n\tret;\n");
  for (const std::string& text : {before, std::string("mul.wide.s32"), std::string()})
    EXPECT_EQ(with_wide_shifts(text), text);
}

TEST(GeneratedCode, FieldsBeyondTheEndAreShiftedSigns) {
  const std::string before =
      "\tbfe.u64 \t%rd2, %rd1, 43, 21;\n\tbfe.u64 %rd3, %rd1, %r7, 40;\n\tbfe.s64 %rd2, %rd1, "
      "43, 32;\n";
  EXPECT_EQ(with_shifted_signs(before + "\tbfe.u64 \t%rd4, %rd1, 43, 32;\n\tret;\n"),
            before + "\tshr.s64 %rd4, %rd1, 43; and.b64 %rd4, %rd4, 4294967295;\n\tret;\n");
  for (const std::string& text :
       {before, std::string("bfe.u64"), std::string("bfe.u64;"), std::string("bfe.u64 %rd1,"),
        std::string("bfe.u64 %rd1, ;"), std::string()})
    EXPECT_EQ(with_shifted_signs(text), text);
}

}  // namespace
}  // namespace gvp::kcc
