// SPDX-License-Identifier: Apache-2.0
// Which of clang's warnings are about host code, and what is left of its messages without them.
#include "tools/kcc/front_end/host_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

const char* const kText =
    "# 1 \"k.cu\"\n"
    "# 1 \"h.h\" 1\n"
    "inline int of_header(int a) {\n"
    "  return a;\n"
    "}\n"
    "# 2 \"k.cu\" 2\n"
    "struct S { int host() { return 1; } __attribute__((device)) int f() { return 2; } };\n"
    "int host(int a) {\n"
    "  do { if (a) f(); } while (0);\n"
    "# 8 \"k.cu\"\n"
    "  return a;\n"
    "} int x = 4;\n"
    "constexpr int both(int a) { return a; }\n"
    "__attribute__((global)) void k(int* p) {\n"
    "  p[0] = 1;\n"
    "}\n"
    "int other() { return 3; } int another() { return 4; }\n"
    "int hidden() { struct A { __attribute__((device)) int f() { return 3; } }; return 1; }\n";

TEST(HostWarnings, LinesOfTheHostAreThoseOfItsFunctionsAlone) {
  const SourceText text(kText);
  const HostLines lines(text);
  std::vector<size_t> host;
  for (size_t line = 0; line < 20; ++line)
    if (lines.contains({"k.cu", line, 1})) host.push_back(line);
  // Those between 4 and 8 are what macros were given.
  EXPECT_THAT(host, ::testing::ElementsAre(3, 4, 5, 6, 7, 8, 14));
  for (const size_t line : {1u, 2u, 3u}) EXPECT_TRUE(lines.contains({"h.h", line, 1}));
  EXPECT_FALSE(lines.contains({"h.h", 4, 1}));
  EXPECT_FALSE(lines.contains({"another.cu", 3, 1}));
}

// A header that is the host's in one place and the device's in another.
TEST(HostWarnings, LinesThatTheDeviceHasAnywhereAreItsOwn) {
  const std::string header = "# 1 \"h.h\" 1\n  return 1 << 40;\n# 2 \"k.cu\" 2\n";
  const SourceText text("# 1 \"k.cu\"\nint host() {\n" + header +
                        "}\n"
                        "__attribute__((device)) int f() {\n" +
                        header + "}\n");
  EXPECT_FALSE(HostLines(text).contains({"h.h", 1, 1}));
}

TEST(HostWarnings, MessagesLoseThemWithAllThatBelongsToThem) {
  const std::string included = "In file included from k.cu:1:\n";
  const std::string of_header = "h.h:2:1: warning: one\n  return a;\n  ^\n";
  const std::string of_host =
      "k.cu:4:1: warning: two\n  f();\n  ^\nk.cu:12:1: note: from here\n  k();\n";
  const std::string of_device = "k.cu:12:3: warning: three\n  p[0] = 1;\n  ^\n";
  const std::string in_header = "h.h:9:3: warning: four\n  d\n  ^\nh.h:2:1: note: see\n";
  const SourceText text(kText);
  const auto left = [&](const std::string& messages) {
    return without_host_warnings(messages, text);
  };
  EXPECT_EQ(left(included + of_header + of_host + "2 warnings generated.\n"), "");
  EXPECT_EQ(left(of_device + "1 warning generated.\n"), of_device + "1 warning generated.\n");
  EXPECT_EQ(left(included + of_header + of_host + of_device +
                 "3 warnings generated when compiling for sm_20.\n"),
            of_device + "1 warning generated when compiling for sm_20.\n");
  EXPECT_EQ(left(of_device + of_host + of_device + "3 warnings generated.\n"),
            of_device + of_device + "2 warnings generated.\n");
  // Clang says by which way it came to a header where that is another than before.
  EXPECT_EQ(left(included + of_header + in_header + of_device), included + in_header + of_device);
  EXPECT_EQ(left(included + of_header + included + in_header), included + in_header);
  const std::string error = "k.cu:4:1: error: five\n  g();\n";
  EXPECT_EQ(left(of_host + error), error);
  EXPECT_EQ(left("warning: six\n"), "warning: six\n");
}

TEST(HostWarnings, ColoursOfATerminalChangeNothing) {
  const SourceText text(kText);
  const std::string of_device = "\x1b[1mk.cu:12:3: \x1b[0m\x1b[0;1;35mwarning: \x1b[0mthree\n";
  EXPECT_EQ(without_host_warnings("\x1b[1mk.cu:4:3: \x1b[0m\x1b[0;1;35mwarning: \x1b[0mtwo\n" +
                                      of_device + "\x1b[0m2 warnings generated.\n",
                                  text),
            of_device + "1 warning generated.\n");
}

}  // namespace
}  // namespace gvp::kcc
