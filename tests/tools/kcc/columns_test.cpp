// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/support/temporary_file.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {
namespace {

using test::TemporaryFile;
using ::testing::HasSubstr;

// Where a mark stands in the preprocessed line, and where it is found in the source's.
size_t found(const std::string& source, std::string preprocessed) {
  const size_t at = preprocessed.find('@');
  preprocessed.erase(at, 1);
  return column_of_source(source, preprocessed, at + 1);
}

TEST(Columns, BlanksAndCommentsOfTheSourceCount) {
  EXPECT_EQ(found("  a  =  b;", "  a = @b;"), 9u);
  EXPECT_EQ(found("/* why */ a = bcd;", " a = b@cd;"), 16u);
  EXPECT_EQ(found("a = b;  // \"c\"", "a @= b;"), 3u);
}

TEST(Columns, MacrosMayStandOnOneSide) {
  EXPECT_EQ(found("a  = TWICE(b) + c;", "a = ((b) + (b)) + @c;"), 17u);
  EXPECT_EQ(found("a  = TWICE(b) + c;", "@a = ((b) + (b)) + c;"), 1u);
  EXPECT_EQ(found("a  = TWICE(b) + c;", "a = ((@b) + (b)) + c;"), 0u);
  EXPECT_EQ(found("__global__ void k(int* p)", "__attribute__((global)) void @k(int* p)"), 17u);
  EXPECT_EQ(found("A  = B * C;", "1 + 2 = @b * 4;"), 0u);
}

TEST(Columns, OtherPlacesAreNone) {
  EXPECT_EQ(found("", "@a;"), 0u);
  EXPECT_EQ(found("a b", "a@ b"), 0u);
  EXPECT_EQ(column_of_source("a", "a", 0), 0u);
  EXPECT_EQ(column_of_source("a", "a", 7), 0u);
  EXPECT_EQ(column_of_source("a", "", 1), 0u);
}

TEST(Columns, PlacesOfPtxAreThoseOfItsSources) {
  const TemporaryFile source("columns.cu", "int   a;\n  x  =  y;\n");
  const std::string file = "\t.file\t1 \"" + source.path() + "\"\n\t.file\t2 \"/other.cu\"\n";
  const std::string preprocessed = "# 1 \"" + source.path() +
                                   "\"\nint a;\n# 1 \"in.h\" 1\n x = y;\n" + "# 2 \"" +
                                   source.path() + "\" 2\n  x = y;\n";
  EXPECT_EQ(with_columns_of_sources("\t.loc\t1 1 5\n\t.loc\t1 2 7\n\tx;\n" + file, preprocessed),
            "\t.loc\t1 1 7\n\t.loc\t1 2 9\n\tx;\n" + file);
  const std::string others = "\t.loc\t2 1 5\n\t.loc\t3 1 5\n\t.loc\t1 2 0\n\t.loc\tx\n";
  EXPECT_EQ(with_columns_of_sources(others + file, preprocessed), others + file);
  EXPECT_EQ(with_columns_of_sources("\t.loc\t1 9 5, f, 1\n" + file, preprocessed),
            "\t.loc\t1 9 0, f, 1\n" + file);
}

// Whether the host's part had to be repaired or not.
TEST(Columns, RefusalsPointIntoTheSource) {
  for (const std::string host : {"int main() {}\n", "int main() { no_such_function(); }\n"}) {
    const TemporaryFile source("columns.cu",
                               "#include <stdio.h>\n__global__ void k(int*   p) {\n"
                               "  p[1]  =  2;  /* , */  p[2]   =   printf(\"a\");\n}\n" +
                                   host);
    try {
      g80::Options options;
      options.generated = true;
      g80::compile(source.path(), compile_cuda(source.path(), {}), options);
      ADD_FAILURE() << host;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(source.path() + ":3:36: printf()")) << host;
    }
  }
}

}  // namespace
}  // namespace gvp::kcc
