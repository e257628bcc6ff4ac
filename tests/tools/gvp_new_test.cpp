// SPDX-License-Identifier: Apache-2.0
// gvp-new as a program: what it makes, and what it refuses.  tests/package builds and runs a
// project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GvpNew : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("gvp_new_" + std::string(test->name()) + "_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result make(const std::string& directory, std::vector<std::string> options = {}) const {
    options.push_back((folder_ / directory).string());
    return run("gvp-new", options);
  }
  void expect_refused(const Result& result, const std::string& why) const {
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, HasSubstr(why));
  }

  fs::path folder_;
};

TEST_F(GvpNew, MakesAProjectOfTheDirectorysName) {
  const Result result = make("my_app");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("cmake --preset release"));
  EXPECT_THAT(read((folder_ / "my_app/CMakeLists.txt").string()),
              HasSubstr("gvp_firmware(my_app SOURCES main.c KERNELS vector_add.cu)"));
  EXPECT_THAT(read((folder_ / "my_app/.gitignore").string()), HasSubstr("/build/"));
}

TEST_F(GvpNew, TakesAnotherNameAndAnEmptyDirectory) {
  fs::create_directories(folder_ / "2 words");
  const Result result = make("2 words/", {"--name", "blinky"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read((folder_ / "2 words/CMakeLists.txt").string()), HasSubstr("project(blinky "));
}

TEST_F(GvpNew, LeavesNoPlaceholder) {
  EXPECT_EQ(make("my_app").exit_code, 0);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "my_app")) {
    if (entry.is_directory()) continue;
    EXPECT_THAT(read(entry.path().string()), testing::Not(testing::ContainsRegex("@[A-Z]+@")));
  }
}

// VS Code starts the task that the launch names, waits for what gpgpu-vp prints, and runs a
// debugger that is there on the program that the preset builds.
TEST_F(GvpNew, DebugsInVisualStudioCode) {
  EXPECT_EQ(make("my_app").exit_code, 0);
  const auto json = [&](const char* name) {
    return nlohmann::json::parse(read((folder_ / "my_app" / name).string()));
  };
  const nlohmann::json launch = json(".vscode/launch.json")["configurations"][0];
  EXPECT_EQ(launch["program"], "${workspaceFolder}/build/debug/my_app.elf");
  EXPECT_TRUE(fs::exists(launch["miDebuggerPath"].get<std::string>()));
  const nlohmann::json tasks = json(".vscode/tasks.json")["tasks"];
  bool found = false;
  for (const nlohmann::json& task : tasks) {
    if (task["label"] != launch["preLaunchTask"]) continue;
    found = true;
    EXPECT_EQ(task["problemMatcher"]["background"]["endsPattern"], "waiting for GDB");
  }
  EXPECT_TRUE(found) << launch;
  const nlohmann::json presets = json("CMakePresets.json");
  EXPECT_TRUE(fs::exists(presets["configurePresets"][0]["toolchainFile"].get<std::string>()));
}

TEST_F(GvpNew, ChangesNothingThatExists) {
  fs::create_directories(folder_ / "full");
  write((folder_ / "full/main.c").string(), "mine");
  expect_refused(make("full"), "the directory is not empty");
  EXPECT_EQ(read((folder_ / "full/main.c").string()), "mine");
  write((folder_ / "file").string(), "");
  expect_refused(make("file"), "there is a file of this name");
}

TEST_F(GvpNew, RefusesNamesThatCMakeWouldNotTake) {
  for (const char* name : {"7zip", "a b", "a;b", "-x", "", "..", "\xc3\xa4"})
    expect_refused(make("dir", {std::string("--name=") + (*name == '\0' ? " " : name)}),
                   "cannot be the name of a program");
  for (const char* name : {"run", "debug", "test", "gvp_sdk"})
    expect_refused(make(name), "is the name of a target that every project has");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(GvpNew, NamesWhatIsMissing) {
  expect_refused(run("gvp-new", {}), "no directory to make");
  expect_refused(make("my_app", {"--sdk", "/nowhere"}), "/nowhere: no SDK there");
  write((folder_ / "file").string(), "");
  expect_refused(make("file/my_app"), "cannot write");
  EXPECT_THAT(run("gvp-new", {"--help"}).out, HasSubstr("usage: gvp-new [options] DIRECTORY"));
}

}  // namespace
}  // namespace gvp::test
