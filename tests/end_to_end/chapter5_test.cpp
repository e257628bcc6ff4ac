// SPDX-License-Identifier: Apache-2.0
// The eleven benchmarks of the thesis's chapter 5 on the whole board: the firmware compares every
// result with what the MicroBlaze computes itself, and prints a checksum of its bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Result chapter5(const Options& options) {
  return run("gpgpu-vp",
             Options{"--quiet", "-c", source("platform/configs/flexgrip_chapter5.toml")} + options +
                 Options{firmware("chapter5")});
}

// By benchmark; of those that were verified alone.
std::map<std::string, std::string> checksums(const std::string& table) {
  std::map<std::string, std::string> by_name;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    std::string checksum;
    std::string verdict;
    for (std::string word; words >> word; verdict = word) checksum = verdict;
    if (verdict == "ok") by_name[name] = checksum;
  }
  return by_name;
}

const Options kL1 = {"--set", "gpgpu.l1.enabled=true"};
const Options kL2 = {"--set", "gpgpu.l2.enabled=true", "--set", "gpgpu.network.topology=mesh"};
const Options kTwo = {"--set", "gpgpu.sms=2"};

TEST(Chapter5, AllElevenAreVerifiedAndBitIdenticalInEveryTimingWithAndWithoutCaches) {
  std::map<std::string, std::string> first;
  const Options lt = {"--model", "gpgpu=lt"};
  const Options at = {"--model", "gpgpu=at"};
  for (const Options& options : {lt, at, kL1 + lt, kL1 + kL2 + kTwo + at,
                                 Options{"--set", "gpgpu.perfect_memory=true"} + at}) {
    SCOPED_TRACE(testing::PrintToString(options));
    const Result result = chapter5(options);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("11 of 11 without a difference"));
    const auto found = checksums(result.out);
    EXPECT_EQ(found.size(), 11u) << result.out;
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
  }
}

// By kernel and launch, the counters of its caches.
std::vector<nlohmann::json> cache_counters(const Options& options) {
  const std::string file = temporary("statistics.json");
  const Result result = chapter5(options + Options{"--set", "gpgpu.sm_requests=0", "--stats", file,
                                                   "--arguments", "unverified small"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  std::vector<nlohmann::json> counters;
  const auto statistics = nlohmann::json::parse(read(file));
  for (const auto& kernel : statistics["gpgpu"]["kernels"]) {
    nlohmann::json of = {{"l1", kernel["caches"]["l1"][0]}, {"l2", kernel["caches"]["l2"]}};
    // These tell how requests overlap, which is a matter of time.
    for (nlohmann::json& cache : of)
      for (const char* timed :
           {"merged_misses", "full_miss_registers", "full_miss_requests", "most_miss_registers"})
        cache.erase(timed);
    of["name"] = kernel["name"];
    counters.push_back(of);
  }
  return counters;
}

// The warps of the graph search go round their loops a different number of times, so the order of
// their accesses is a matter of time.
TEST(Chapter5, CachesOfOneSmCountTheSameInBothTimingsWhereTheOrderOfAccessesIsTheSame) {
  const Options caches =
      kL1 + Options{"--set", "gpgpu.l1.sets=8", "--set", "gpgpu.l1.ways=1"} + kL2;
  const auto lt = cache_counters(caches + Options{"--model", "gpgpu=lt"});
  const auto at = cache_counters(caches + Options{"--model", "gpgpu=at"});
  ASSERT_EQ(lt.size(), at.size());
  ASSERT_GT(lt.size(), 11u);
  uint64_t misses = 0;
  for (size_t i = 0; i < lt.size(); ++i) {
    if (lt[i]["name"] == "bfs_visit") {
      EXPECT_NEAR(lt[i]["l1"]["read_hits"].get<double>(), at[i]["l1"]["read_hits"].get<double>(),
                  0.01 * lt[i]["l1"]["reads"].get<double>());
    } else {
      EXPECT_EQ(lt[i], at[i]) << "launch " << i;
    }
    misses += lt[i]["l1"]["reads"].get<uint64_t>() - lt[i]["l1"]["read_hits"].get<uint64_t>();
  }
  EXPECT_GT(misses, 1000u);
}

// k-means reads its turned points as a texture, where the device has any: past the L1 cache.
TEST(Chapter5, TexturesLeaveTheL1CacheToOtherLoadsAndResultsAsTheyAre) {
  const auto kmeans = [](const Options& options) {
    const std::string file = temporary("statistics.json");
    const Result result =
        chapter5(options + kL1 + kL2 + Options{"--stats", file, "--arguments", "kmn 200"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    const auto kernels = nlohmann::json::parse(read(file))["gpgpu"]["kernels"];
    EXPECT_EQ(kernels.size(), 2u);
    return std::pair{checksums(result.out), kernels};
  };
  const auto [plain_sum, plain] = kmeans({"--set", "gpgpu.texture_cache.enabled=false"});
  EXPECT_FALSE(plain[1]["caches"].contains("texture"));
  for (const char* const model : {"gpgpu=lt", "gpgpu=at"}) {
    const auto [sum, kernels] = kmeans({"--model", model});
    EXPECT_EQ(sum, plain_sum);
    const auto& turn = kernels[0]["caches"];
    EXPECT_EQ(turn["texture"][0]["reads"], 0);
    EXPECT_EQ(turn["l1"][0]["reads"], plain[0]["caches"]["l1"][0]["reads"]);
    const auto& search = kernels[1]["caches"];
    EXPECT_EQ(search["l1"][0]["reads"], 0);
    // 7 warps, 170 loads each; 800 bytes of a dimension are seldom the beginning of a line.
    EXPECT_GT(search["texture"][0]["reads"], 7 * 170);
    EXPECT_LE(search["texture"][0]["reads"], 2 * 7 * 170);
    EXPECT_LT(search["below"]["bytes_read"], plain[1]["caches"]["l1"][0]["reads"]);
  }
}

TEST(Chapter5, TheSmallestSizesAreVerified) {
  const Result result = chapter5(
      {"--arguments", "ac 32 bs 32 fwt 64 mm 16 rd 64 tp 32 bfs 2 kmn 1 ge 2 lud 16 srad 2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("11 of 11 without a difference"));
}

TEST(Chapter5, UnverifiedRunsComputeTheSame) {
  const Result verified = chapter5({"--arguments", "tp ge 12"});
  const Result unverified = chapter5({"--arguments", "unverified tp ge 12"});
  EXPECT_EQ(unverified.exit_code, 0) << unverified.out;
  std::string expected = verified.out;
  for (size_t at; (at = expected.find("  ok\n")) != std::string::npos;)
    expected.replace(at, 5, "  not verified\n");
  EXPECT_EQ(unverified.out, expected);
}

// What the device refuses fails those benchmarks alone.
TEST(Chapter5, ReportsWhatADeviceCannotDo) {
  const Result result =
      chapter5({"--set", "gpgpu.floating_point=false", "--arguments", "tp 32 ge 4 rd 64"});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(result.out, HasSubstr("2 of 3 without a difference"));
  EXPECT_THAT(result.out, HasSubstr("FAILED"));
}

TEST(Chapter5, RefusesArgumentsWithAReason) {
  const auto refused = [](const char* arguments, const char* reason) {
    const Result result = chapter5({"--arguments", arguments});
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.out, HasSubstr(reason)) << arguments;
    EXPECT_THAT(result.out, Not(HasSubstr("checksum"))) << arguments;
  };
  refused("ac 64 mm 17", "a size of mm is from 16 to 1024 and a multiple of 16");
  refused("bs 96", "a size of bs is from 32 to 1048576 and a power of two");
  refused("kmn 65537", "a size of kmn is from 1 to 65536");
  refused("ac 64 sorting", "cannot read \"sorting\"; expected are small, large, or some of ac bs");
  refused("ac 64k", "a size of ac");
  refused("ac unverified", "cannot read \"unverified\"");
}

}  // namespace
}  // namespace gvp::test
