// SPDX-License-Identifier: Apache-2.0
// When words are asked for, worked out by hand: a fetch takes 100 ps, a cycle 10 ps.
#include "models/host/fetch_stream.h"

#include <gtest/gtest.h>

#include "tests/models/host/assembler.h"

namespace gvp::host {
namespace {

constexpr uint64_t kFetch = 100;

class FetchStreamTest : public testing::Test {
 protected:
  // Fetches a word that could execute at `ready`; returns when it was asked for.
  uint64_t fetch(uint32_t address, const char* instruction, uint64_t ready) {
    const uint64_t begin = stream_.request(address, ready);
    stream_.fetched(address, test::assemble_program(instruction).front(), ready, begin,
                    begin + kFetch);
    return begin;
  }
  FetchStream stream_{10};
};

TEST_F(FetchStreamTest, StraightCodeIsAskedForOneWordBehindTheOther) {
  fetch(0x1000, "nop", 1000);
  const uint64_t first = stream_.request(0x1004, 5000) - kFetch;
  EXPECT_EQ(fetch(0x1004, "lwi r3, r0, 0", 5000), first + kFetch);
  // The load takes long; the next word has come meanwhile.
  EXPECT_EQ(fetch(0x1008, "nop", 9000), first + 2 * kFetch);
}

TEST_F(FetchStreamTest, ABranchWaitsForTheWordThatIsThrownAway) {
  fetch(0x1000, "nop", 1000);
  const uint64_t end = fetch(0x1004, "bri 100", 1000) + kFetch;
  // It has been asked for at `end`; the branch is through 30 ps later.
  EXPECT_EQ(stream_.request(0x2000, end + 30), end + kFetch);
  // Later the second one is under way, and after the fourth the buffer is full.
  EXPECT_EQ(stream_.request(0x2000, end + kFetch + 50), end + 2 * kFetch);
  EXPECT_EQ(stream_.request(0x2000, end + 1000), end + 1000 - 20);
}

TEST_F(FetchStreamTest, ABranchWithADelaySlotTurnsTheStreamBehindIt) {
  fetch(0x1000, "nop", 1000);
  const uint64_t branch = fetch(0x1004, "brid 100", 1000) + kFetch;
  const uint64_t slot = fetch(0x1008, "nop", branch) + kFetch;
  EXPECT_EQ(stream_.request(0x2000, slot + 30), slot) << "at once, nothing is thrown away";
}

TEST_F(FetchStreamTest, IsBehindExecutionByNoMoreThanAnAccess) {
  const uint64_t end = fetch(0x1000, "nop", 1000) + kFetch;
  EXPECT_EQ(stream_.behind(end), 0u);
  EXPECT_EQ(stream_.behind(end + 150), 150u);
  EXPECT_EQ(stream_.behind(end + 250), 0u) << "execution is elsewhere";
}

}  // namespace
}  // namespace gvp::host
