// SPDX-License-Identifier: Apache-2.0
#include "models/base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models/base/error.h"

namespace gvp {
namespace {

using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() { std::filesystem::create_directories(folder_); }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(path(name)) << contents;
    return path(name);
  }
  std::string complaint(const std::vector<FileUse>& inputs, const std::vector<FileUse>& outputs) {
    try {
      check_file_uses(inputs, outputs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("files_test_" + std::to_string(getpid()));
};

TEST_F(Files, AreReadWholeUpToTheLimitOfTheirKind) {
  const std::string text(100000, 'x');
  EXPECT_EQ(read_whole_file(write("a", text), {"a test", text.size()}), text);
  EXPECT_THROW(read_whole_file(path("a"), {"a test", text.size() - 1}), Error);
  EXPECT_EQ(read_whole_file(write("empty", ""), {"a test", 1}), "");
}

TEST_F(Files, WhatDoesNotBeginAsItsKindIsReadNoFurther) {
  constexpr size_t kAny = size_t{1} << 40;  // reading up to it would take minutes
  EXPECT_EQ(read_whole_file("/dev/zero", {"a test", kAny, "ELF"})[0], '\0');
}

TEST_F(Files, DirectoriesAndMissingFilesAreRefusedByName) {
  for (const std::string& name : {testing::TempDir(), path("missing")}) try {
      read_whole_file(name, {"a test", 10});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
}

TEST_F(Files, AnOutputIsNoInputByAnyName) {
  const std::string file = write("file", "x");
  std::filesystem::create_symlink(file, path("symbolic"));
  std::filesystem::create_hard_link(file, path("hard"));
  for (const char* name : {"file", "symbolic", "hard", "./file"})
    EXPECT_THAT(complaint({{"the input", file}}, {{"-o", path(name)}}),
                HasSubstr("-o would overwrite the input"))
        << name;
  EXPECT_EQ(complaint({{"the input", file}}, {{"-o", path("other")}}), "");
}

// A terminal is both, and a batch job may have /dev/null for both.
TEST_F(Files, StandardOutputMayBeTheDeviceThatStandardInputIs) {
  const int input = dup(STDIN_FILENO), output = dup(STDOUT_FILENO);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  const std::string one = complaint({{"standard input", "-"}}, {{"--stats", "-"}});
  const std::string two = complaint({}, {{"--stats", "-"}, {"--profile", "-"}});
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  for (const int number : {input, output, null}) close(number);
  EXPECT_EQ(one, "");
  EXPECT_THAT(two, HasSubstr("would write to one file"));
}

TEST_F(Files, TwoOutputsAreTwoFiles) {
  std::filesystem::create_symlink(path("new"), path("dangling"));
  EXPECT_THAT(complaint({}, {{"-a", path("new")}, {"-b", path("dangling")}}),
              HasSubstr("-a and -b would write to one file"));
  EXPECT_THAT(complaint({}, {{"-a", "-"}, {"-b", "-"}}), HasSubstr("-a and -b"));
  EXPECT_EQ(complaint({}, {{"-a", path("new")}, {"-b", path("newer")}}), "");
  EXPECT_EQ(complaint({}, {{"-a", "/dev/null"}, {"-b", "/dev/null"}}), "");
  EXPECT_THAT(complaint({}, {{"-a", ""}}), HasSubstr("-a: the name of the file to write is empty"));
}

}  // namespace
}  // namespace gvp
