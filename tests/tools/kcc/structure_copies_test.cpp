// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/structure_copies.h"

#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

std::string copy(const std::string& from, unsigned size, const std::string& rest) {
  return "  call void @llvm.memcpy.p0i8.p0i8.i32(i8* align 16 %1, i8* align 8 " + from + ", i32 " +
         std::to_string(size) + ", i1 false)" + rest;
}
std::string whole(const std::string& members, const std::string& from = "%2") {
  return copy(from, 32, ", !tbaa.struct !20, !dbg !5\n") + "!20 = !{" + members + "}\n";
}

// Two words, then one, then four bytes from the 24th on: words 3, 4, 5 and 7 belong to nobody.
TEST(StructureCopies, LeaveOutWordsOfNoMember) {
  const std::string members = "i64 0, i64 8, !1, i64 8, i64 1, !2, i64 26, i64 2, !3";
  EXPECT_EQ(without_holes("a\n" + whole(members) + "b\n"),
            "a\n" + copy("%2", 12, ", !dbg !5\n") +
                "  %kcc.member.0 = getelementptr inbounds i8, i8* %1, i32 24\n"
                "  %kcc.member.1 = getelementptr inbounds i8, i8* %2, i32 24\n"
                "  call void @llvm.memcpy.p0i8.p0i8.i32(i8* align 8 %kcc.member.0, i8* align 8 "
                "%kcc.member.1, i32 4, i1 false), !dbg !5\n!20 = !{" +
                members + "}\nb\n");
}

TEST(StructureCopies, FindTheirOperandsInExpressions) {
  const std::string from =
      "bitcast (%struct.S* getelementptr ([2 x %struct.S], [2 x %struct.S]* @s, i32 0, i32 1) to "
      "i8*)";
  EXPECT_EQ(without_holes(whole("i64 0, i64 4, !1", from)),
            copy(from, 4, ", !dbg !5\n") + "!20 = !{i64 0, i64 4, !1}\n");
}

// Whole ones, holes within a word, unions and fields of bits, members beyond the end, what is
// volatile and what is told of by nobody.
TEST(StructureCopies, OthersStay) {
  for (const char* members :
       {"i64 0, i64 32, !1", "i64 0, i64 2, !1, i64 4, i64 28, !1",
        "i64 0, i64 4, !1, i64 2, i64 4, !1", "i64 0, i64 4, !1, i64 0, i64 1, !2",
        "i64 0, i64 4, !1, i64 36, i64 4, !1", "i64 0"}) {
    EXPECT_EQ(without_holes(whole(members)), whole(members));
  }
  std::string text = whole("i64 0, i64 4, !1");
  text.replace(text.find("false"), 5, "true");
  EXPECT_EQ(without_holes(text), text);
  text = copy("%2", 32, "\n") + "!20 = !{i64 0, i64 4, !1}\n";
  EXPECT_EQ(without_holes(text), text);
  EXPECT_EQ(without_holes(""), "");
}

// Of what is shorter than a word, or a piece of a structure, with the orders of the uses that are
// others then.
TEST(StructureCopies, HolesAreZeroOnWaysWithoutACopy) {
  const std::string begin =
      "define void @k() {\n"
      "  %1 = phi i32 [ undef, %a ], [ %x, %b ]\n";
  const std::string end = "uselistorder i8 1, { 1, 0 }\nuselistorder float undef, { 1, 0 }\n";
  EXPECT_EQ(with_holes_as_zero(begin +
                               "  %2 = phi i8 [ undef, %a ], [ %y, %b ], [ undef, %c ], !dbg !1\n"
                               "  %3 = phi i16 [ %z, %a ], [ undef, %b ]\n"
                               "  %4 = phi i24 [ undef, %a ], [ %w, %b ]\n"
                               "  %.sroa.5.0.lcssa = phi i32 [ undef, %a ], [ %v, %b ]\n"
                               "  %.sroa.6.0 = phi float [ undef, %a ], [ %u, %b ]\n"
                               "}\n  uselistorder i8 undef, { 1, 0 }\n"
                               "uselistorder i16 0, { 1, 0 }\n" +
                               end),
            begin +
                "  %2 = phi i8 [ 0, %a ], [ %y, %b ], [ 0, %c ], !dbg !1\n"
                "  %3 = phi i16 [ %z, %a ], [ 0, %b ]\n"
                "  %4 = phi i24 [ 0, %a ], [ %w, %b ]\n"
                "  %.sroa.5.0.lcssa = phi i32 [ 0, %a ], [ %v, %b ]\n"
                "  %.sroa.6.0 = phi float [ undef, %a ], [ %u, %b ]\n}\n" +
                end);
  const std::string other =
      "@text = global [36 x i8] c\"x = phi i8 [ undef, %1 ], [ undef, %2 ]\"\n" + begin +
      "  %2 = phi i8 [ 0, %a ], [ %y, %b ]\n}\nuselistorder i8 0, { 1, 0 }\n";
  EXPECT_EQ(with_holes_as_zero(other), other);
}

}  // namespace
}  // namespace gvp::kcc
