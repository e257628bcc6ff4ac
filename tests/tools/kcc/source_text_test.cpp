// SPDX-License-Identifier: Apache-2.0
// Preprocessed text, and what clang says of it: what belongs to the device, places, reasons.
#include "tools/kcc/front_end/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/kcc/front_end/diagnostics.h"

namespace gvp::kcc {
namespace {

using ::testing::ElementsAre;

TEST(SourceText, FindsWhatBelongsToTheDevice) {
  const SourceText text(
      "# 1 \"k.cu\"\n"
      "namespace n { extern \"C\" { __attribute__((global)) void k(int* p) { *p = 1; } } }\n"
      "struct S { int a; __attribute__((device)) int f() const { return a; } };\n"
      "template <class T> void host(T x) { if (x) { k<T><<<1, 2>>>(x); } else f(x); }\n"
      "texture<float, 2> t;\n"
      "int table[] = { 1, 2 };\n");
  std::vector<std::string> device;
  unsigned textures = 0;
  for (const Declaration& each : text.declarations()) {
    if (each.device) device.push_back(each.name + (each.kernel ? " (kernel)" : ""));
    textures += each.texture ? 1 : 0;
  }
  EXPECT_THAT(device, ElementsAre("k (kernel)", "f"));
  EXPECT_EQ(textures, 1U);
  const size_t place = text.text().find("f(x)");
  const Declaration* host = text.declaration_at(place);
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(host->name, "host");
  const Span statement = text.statement_at(*host, place);
  EXPECT_EQ(text.text().substr(statement.begin, statement.end - statement.begin), "else f(x);");
  const auto launches = text.template_launches(host->all);
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(text.text().substr(launches[0].begin, launches[0].end - launches[0].begin), "k<T>");
  EXPECT_EQ(text.place_of(place), "k.cu:3");
}

TEST(SourceText, FunctionThatReturnsATextureIsNone) {
  const SourceText text("texture<float, (3 > 2)>& get();\ntexture<float, 2>* other();\n");
  for (const Declaration& each : text.declarations()) EXPECT_FALSE(each.texture) << each.name;
}

TEST(SourceText, FindsTheValueInAStatement) {
  const SourceText text("void f() { int a = g(1, 2), b = a == h; a += 3; if (a <= 4) b = i; }\n");
  const Declaration function = text.declarations().at(0);
  const auto value = [&](const char* place) {
    const size_t at = text.text().find(place);
    const Span span = text.value_at(text.statement_at(function, at), at);
    return text.text().substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(value("2)"), "= g(1, 2)");
  EXPECT_EQ(value("h;"), "= a == h");
  EXPECT_EQ(value("a = g"), "");
  EXPECT_EQ(value("3;"), "");
  EXPECT_EQ(value("4)"), "");
  EXPECT_EQ(value("i;"), "= i");
}

TEST(SourceText, BlanksWithoutMovingLines) {
  SourceText text("void f() {\n# 7 \"x.h\"\n  g<1><<<a, b>>>();\n}\n");
  const Declaration function = text.declarations().at(0);
  text.blank(function.body, text.template_launches(function.body));
  EXPECT_EQ(text.text(), "void f() {\n# 7 \"x.h\"\n  g<1>;            \n}\n");
}

// What is kept of a launch may be the last word of its line, even the last before a linemarker.
TEST(SourceText, BlanksLaunchesThatGoOnInTheNextLine) {
  SourceText text("void f() {\n  g<1>\n  <<<a, b>>>();\n  g<2>\n# 7 \"x.h\"\n <<<a, b>>>();\n}\n");
  const Declaration function = text.declarations().at(0);
  text.blank(function.body, text.template_launches(function.body));
  EXPECT_EQ(text.text(),
            "void f() {\n  g<1>\n;              \n  g<2>\n# 7 \"x.h\"\n;             \n}\n");
}

TEST(SourceText, ReplacesInTheFirstLineThatHasRoom) {
  const std::string before = "int i;\nint number; X\n# 9 \"a_file.cu\"\nlong_name(int a)\n{}";
  const size_t begin = before.find('X');
  const Span head{begin, before.find('{')};
  SourceText text(before);
  EXPECT_TRUE(text.replace(head, "void f() "));
  EXPECT_EQ(text.text(), "int i;\nint number;  \n# 9 \"a_file.cu\"\nvoid f()        \n{}");
  SourceText same(before);
  EXPECT_FALSE(same.replace(head, "void longer_than_it() "));
  EXPECT_EQ(same.text(), before);
}

TEST(Diagnostics, TellPlacesAndWhatAskedForThem) {
  const auto errors = errors_in(
      "\x1b[1mk.cu:3:7: \x1b[0m\x1b[0;1;31merror: \x1b[0mbad\n"
      "a/b.h:9:1: note: in instantiation of function template specialization 'f' requested here\n"
      "k.cu:4:2: warning: odd\n"
      "k.cu:5:2: note: that was requested here\n"
      "k.cu:6:10: fatal error: 'x/y.h' file not found\n");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].place.line, 3U);
  EXPECT_EQ(errors[0].place.column, 7U);
  ASSERT_EQ(errors[0].through.size(), 1U);
  EXPECT_EQ(errors[0].through[0].file, "a/b.h");
  EXPECT_EQ(missing_header(errors[0]), "");
  EXPECT_EQ(missing_header(errors[1]), "x/y.h");
}

}  // namespace
}  // namespace gvp::kcc
