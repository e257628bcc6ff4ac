// SPDX-License-Identifier: Apache-2.0
// Profiles of the whole board: real, optimised firmware with its libraries and interrupts.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

struct Profile {
  std::string text;
  uint64_t cycles = 0;
  uint64_t rooted = 0;                     // in stacks that begin with _start
  uint64_t recursive = 0;                  // in stacks that name a function twice
  std::map<std::string, uint64_t> within;  // by function, with what it calls
};

Profile profile_of(std::vector<std::string> options) {
  const std::string path = temporary("profile");
  options.insert(options.end(), {"--quiet", "--profile", path});
  const Result result = run("gpgpu-vp", options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Profile profile;
  profile.text = read(path);
  std::remove(path.c_str());
  std::remove((path + ".txt").c_str());
  std::istringstream lines(profile.text);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.rfind(' ');
    const uint64_t cycles = std::stoull(line.substr(space + 1));
    std::istringstream stack(line.substr(0, space));
    std::set<std::string> functions;
    bool twice = false;
    for (std::string name; std::getline(stack, name, ';');) twice |= !functions.insert(name).second;
    profile.cycles += cycles;
    if (line.rfind("_start", 0) == 0) profile.rooted += cycles;
    if (twice) profile.recursive += cycles;
    for (const std::string& name : functions) profile.within[name] += cycles;
  }
  return profile;
}

// The benchmarks call nothing that calls itself.
void expect_good(const Profile& profile) {
  EXPECT_GT(profile.cycles, 1000000u);
  EXPECT_GE(static_cast<double>(profile.rooted), 0.99 * static_cast<double>(profile.cycles))
      << profile.text;
  EXPECT_EQ(profile.recursive, 0u) << profile.text;
  EXPECT_GE(static_cast<double>(profile.within.at("main")),
            0.95 * static_cast<double>(profile.cycles));
}

TEST(Profile, OfTheBenchmarksAreRootedAtTheStart) {
  const Profile interpreted = profile_of({firmware("bench")});
  expect_good(interpreted);
  EXPECT_GT(interpreted.within.at("host_matrix_multiply"), 20000000u);
  const Profile translated = profile_of({"--set", "host.engine=jit", firmware("bench")});
  EXPECT_EQ(translated.text, interpreted.text);
}

TEST(Profile, OfTheApproximatelyTimedProcessorAreRootedAtTheStart) {
  expect_good(profile_of({"--model", "host=at", "--arguments", "32", firmware("bench")}));
}

TEST(Profile, ChangesNothingThatIsMeasured) {
  const auto cycles = [](std::vector<std::string> options) {
    const std::string path = temporary("statistics");
    options.insert(options.end(), {"--quiet", "--stats", path, firmware("bench")});
    EXPECT_EQ(run("gpgpu-vp", options).exit_code, 0);
    const std::string kernels = nlohmann::json::parse(read(path))["gpgpu"]["kernels"].dump();
    std::remove(path.c_str());
    return kernels;
  };
  const std::string path = temporary("profile");
  EXPECT_EQ(cycles({}), cycles({"--profile", path}));
  std::remove(path.c_str());
  std::remove((path + ".txt").c_str());
}

}  // namespace
}  // namespace gvp::test
