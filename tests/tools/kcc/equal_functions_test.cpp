// SPDX-License-Identifier: Apache-2.0
// Instances of templates whose arguments make no difference.
#include "tools/kcc/front_end/equal_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

std::string function(const std::string& name, const std::string& body,
                     const std::string& kind = "linkonce_odr i32") {
  return "define " + kind + " @" + name + "(i32 %0) #1 comdat {\n" + body + "}\n";
}
std::string returns(const std::string& value) { return "  ret i32 " + value + "\n"; }
std::string calls(const std::string& name) {
  return "  %2 = call i32 @" + name + "(i32 %0)\n  ret i32 %2\n";
}
std::string kernel(const std::string& name, const std::string& body) {
  return "define void @" + name + "(i32 %0) #0 {\n" + body + "}\n";
}
std::string says(int node, const std::string& name, const std::string& what = "\"kernel\", i32 1") {
  return "!" + std::to_string(node) + " = !{void (i32)* @" + name + ", !" + what + "}\n";
}
const char* const kAttributes =
    "attributes #0 = { convergent }\nattributes #1 = { convergent }\n"
    "attributes #2 = { convergent noinline }\n";

TEST(EqualFunctions, AreOneForTheirCallers) {
  const std::string text =
      kernel("a", calls("f1")) + kernel("b", calls("f2")) + kernel("c", calls("g1")) +
      function("f1", calls("g1")) + function("f2", calls("g2")) + function("g1", returns("%0")) +
      function("g2", returns("%0")) + "@table = global i32 (i32)* @g2\n" + kAttributes +
      "!nvvm.annotations = !{!0, !1, !2}\n" + says(0, "a") + says(1, "b") + says(2, "c");
  const EqualFunctions equal = without_equal_functions(text);
  EXPECT_EQ(equal.text, kernel("a", calls("f1")) + kernel("c", calls("g1")) +
                            function("f1", calls("g1")) + function("g1", returns("%0")) +
                            "@table = global i32 (i32)* @g1\n" + kAttributes +
                            "!nvvm.annotations = !{!0, !2}\n" + says(0, "a") + says(2, "c"));
  EXPECT_THAT(equal.kernels, ElementsAre(Pair("a", "a"), Pair("b", "a"), Pair("c", "c")));
}

TEST(EqualFunctions, DoTheSameInTheSameWay) {
  for (const std::string& other :
       {function("f2", returns("1")), function("f2", returns("%0"), "internal i32"),
        function("f2", returns("%0"), "linkonce_odr float"), function("f2", calls("f1")),
        function("f2", calls("f2"))}) {
    const std::string text = function("f1", returns("%0")) + other + kAttributes;
    EXPECT_EQ(without_equal_functions(text).text, text);
  }
}

TEST(EqualFunctions, MayCallThemselvesButNotEachOther) {
  EXPECT_EQ(without_equal_functions(function("f1", calls("f1")) + function("f2", calls("f2"))).text,
            function("f1", calls("f1")));
  const std::string circles = function("f1", calls("g1")) + function("g1", calls("f1")) +
                              function("f2", calls("g2")) + function("g2", calls("f2"));
  EXPECT_EQ(without_equal_functions(circles).text, circles);
}

TEST(EqualFunctions, KeepTheirNamesWhereTheSourceWantsThemApart) {
  const auto apart = [](const std::string& name) {
    return "define linkonce_odr i32 @" + name + "(i32 %0) #2 comdat {\n" + returns("%0") + "}\n";
  };
  const std::string text = apart("f1") + apart("f2") + function("g1", calls("f1")) +
                           function("g2", calls("f2")) + kAttributes;
  EXPECT_EQ(without_equal_functions(text).text, text);
}

TEST(EqualFunctions, HaveTheSameLaunchBounds) {
  const std::string text = kernel("a", "  ret void\n") + kernel("b", "  ret void\n") +
                           kernel("c", "  ret void\n") +
                           "!nvvm.annotations = !{!0, !1, !2, !3, !4}\n" + says(0, "a") +
                           says(1, "a", "\"maxntidx\", i32 64") + says(2, "b") + says(3, "c") +
                           says(4, "c", "\"maxntidx\", i32 64");
  const EqualFunctions equal = without_equal_functions(text);
  EXPECT_THAT(equal.kernels, ElementsAre(Pair("a", "a"), Pair("b", "b"), Pair("c", "a")));
  EXPECT_THAT(equal.text, HasSubstr("!nvvm.annotations = !{!0, !1, !2}\n"));
  EXPECT_THAT(equal.text, Not(HasSubstr("@c")));
}

TEST(EqualFunctions, HaveLoopsOfWhichTheSameIsSaid) {
  const auto loop = [](const std::string& name, int number) {
    return function(name, "  br label %1, !llvm.loop !" + std::to_string(number) + "\n");
  };
  const std::string nodes =
      "!3 = distinct !{!3, !7}\n!4 = distinct !{!4, !7}\n"
      "!5 = distinct !{!5, !7, !8}\n!7 = !{!\"llvm.loop.mustprogress\"}\n"
      "!8 = !{!\"llvm.loop.unroll.disable\"}\n";
  EXPECT_EQ(without_equal_functions(loop("f", 3) + loop("g", 4) + loop("h", 5) + nodes).text,
            loop("f", 3) + loop("h", 5) + nodes);
}

}  // namespace
}  // namespace gvp::kcc
