// SPDX-License-Identifier: Apache-2.0
// The ports of two compared devices: one memory, whose time and answers the second device gets,
// too.
#include "models/compare/port_comparison.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

#include "models/tlm/memory.h"
#include "tests/support/initiator.h"

namespace gvp::compare {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

kit::MemoryConfiguration slow_memory() {
  kit::MemoryConfiguration configuration;
  configuration.size = 0x1000;
  configuration.read_latency = sc_time(100, SC_NS);
  configuration.write_latency = sc_time(70, SC_NS);
  return configuration;
}

// Both devices are played by one thread, unless a test spawns another one.
class PortComparisonTest : public testing::Test {
 protected:
  PortComparisonTest() {
    ports.bind(kSteering, steering.socket);
    ports.bind(kFollowing, following.socket);
    ports.bus.bind(memory.socket);
    ports.listen([this](Side side) { return ended[side]; },
                 [this](const PortComparison::Difference& each) { differences.push_back(each); });
  }
  void end_job(Side side) {
    ++ended[side];
    if (side == kSteering) ports.job_ended();
  }

  test::Initiator steering{"steering_device"};
  test::Initiator following{"following_device"};
  PortComparison ports{"ports"};
  kit::Memory memory{"memory", slow_memory()};
  uint64_t ended[2] = {};
  std::vector<PortComparison::Difference> differences;
};

TEST_F(PortComparisonTest, TheFollowingDeviceGetsAnswerAndTimeOfTheSteeringOnes) {
  steering.run([&] {
    steering.write32(0x10, 7);
    EXPECT_EQ(steering.read32(0x10), 7u);
    EXPECT_EQ(steering.delay, sc_time(170, SC_NS));
    const uint32_t later = 8;  // somebody else's
    std::memcpy(memory.storage().data() + 0x10, &later, 4);
    following.write32(0x10, 7);
    EXPECT_EQ(following.delay, sc_time(70, SC_NS));
    EXPECT_EQ(following.read32(0x10), 7u) << "what the steering device has read";
    EXPECT_EQ(following.delay, sc_time(170, SC_NS));
    EXPECT_EQ(following.peek32(0x10), 8u) << "its write has not gone to the memory";
  });
  EXPECT_TRUE(differences.empty());
  EXPECT_EQ(ports.compared(), 2u);
}

TEST_F(PortComparisonTest, AnAccessThatComesFirstWaitsForItsLike) {
  std::optional<uint32_t> value;
  sc_time end;
  sc_core::sc_spawn([&] {
    following.delay = sc_time(30, SC_NS);
    value = following.read32(0x20);
    end = sc_core::sc_time_stamp() + following.delay;
  });
  steering.run([&] {
    std::memset(memory.storage().data() + 0x20, 0x5a, 4);
    sc_core::wait(sc_time(500, SC_NS));
    EXPECT_FALSE(value.has_value());
    steering.read32(0x20);
    steering.advance();
  });
  EXPECT_EQ(value, 0x5a5a5a5au);
  EXPECT_EQ(end, sc_time(600, SC_NS)) << "as long as the steering device's, from then on";
  EXPECT_TRUE(differences.empty());
}

TEST_F(PortComparisonTest, DataThatDifferAreTold) {
  steering.run([&] {
    steering.write32(0x10, 0x11);
    following.write32(0x10, 0x12);
  });
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_TRUE(differences[0].write);
  EXPECT_EQ(differences[0].address, 0x10u);
  EXPECT_EQ(differences[0].values[kSteering], "0x00000011");
  EXPECT_EQ(differences[0].values[kFollowing], "0x00000012");
}

TEST_F(PortComparisonTest, AnAccessThatTheSteeringDeviceHasNotMadeIsToldWhenItsJobHasEnded) {
  steering.run([&] {
    std::memset(memory.storage().data() + 0x40, 0x33, 4);
    end_job(kSteering);
    EXPECT_EQ(following.read32(0x40), 0x33333333u) << "it finds what is there";
    following.write32(0x44, 1);
    EXPECT_EQ(following.peek32(0x44), 0u) << "and changes nothing";
  });
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].what, "the read of 4 bytes at 0x40");
  EXPECT_EQ(differences[0].values[kSteering], "not made");
  EXPECT_EQ(differences[1].values[kSteering], "not made");
  EXPECT_EQ(differences[1].values[kFollowing], "0x00000001");
  EXPECT_EQ(ports.compared(), 0u);
}

TEST_F(PortComparisonTest, TheEarliestThatIsLeftOfAJobIsToldAtItsEnd) {
  steering.run([&] {
    steering.write32(0x80, 1);
    steering.write32(0x60, 2);
    steering.write32(0x50, 3);
    following.write32(0x80, 1);
    end_job(kSteering);
    end_job(kFollowing);
    const auto left = ports.close(0);
    ASSERT_TRUE(left.has_value());
    EXPECT_EQ(left->address, 0x60u);
    EXPECT_EQ(left->values[kFollowing], "not made");
    EXPECT_FALSE(ports.close(0).has_value()) << "the job is forgotten";
  });
  EXPECT_TRUE(differences.empty());
}

// Accesses of a later job are not taken for those of the one before.
TEST_F(PortComparisonTest, JobsAreComparedEachOnItsOwn) {
  steering.run([&] {
    end_job(kSteering);
    steering.write32(0x10, 5);
    following.write32(0x10, 5);
    EXPECT_EQ(differences.size(), 1u);
    EXPECT_FALSE(ports.close(0).has_value());
    end_job(kFollowing);
    following.write32(0x10, 5);
    EXPECT_EQ(differences.size(), 1u);
  });
  EXPECT_EQ(ports.compared(), 1u);
}

TEST_F(PortComparisonTest, ARestartForgetsWhatIsUnderWay) {
  bool answered = false;
  sc_core::sc_spawn([&] {
    following.read32(0x20);
    answered = true;
  });
  steering.run([&] {
    steering.write32(0x30, 1);
    sc_core::wait(sc_time(10, SC_NS));
    ports.restart();
    sc_core::wait(sc_time(10, SC_NS));
    EXPECT_TRUE(answered) << "nothing waits for what will not come";
    EXPECT_FALSE(ports.close(0).has_value());
  });
  EXPECT_TRUE(differences.empty());
}

}  // namespace
}  // namespace gvp::compare
