// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "tests/models/gpgpu/hierarchy/plain_memory.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::hierarchy {
namespace {

NetworkSettings settings(const char* topology) {
  NetworkSettings s;
  s.topology = topology;
  s.hop_cycles = 3;
  s.flit_bytes = 32;
  s.queue = 8;
  return s;
}

TEST(Occupancy, FindsTheFirstGapThatIsLongEnough) {
  Occupancy link;
  link.take(10, 5);
  link.take(20, 5);
  EXPECT_EQ(link.find(0, 10), 0u);
  EXPECT_EQ(link.find(0, 11), 25u);
  EXPECT_EQ(link.find(12, 5), 15u);
  EXPECT_EQ(link.find(12, 6), 25u);
  EXPECT_EQ(link.find(16, 4), 16u);
  EXPECT_EQ(link.find(22, 1), 25u);
}

TEST(Occupancy, WhatIsLongAgoIsTaken) {
  Occupancy link;
  for (uint64_t i = 0; i < 100; ++i) link.take(10 * i, 5);
  EXPECT_GT(link.find(0, 1), 100u);
  EXPECT_EQ(link.find(996, 2), 996u);
}

TEST(Network, PacketTakesItsHopsAndItsFurtherFlits) {
  Network network(settings("crossbar"), 2);
  EXPECT_EQ(network.hops(0), 2u);
  EXPECT_EQ(network.request(0, 0, 100), 106u);       // 8 bytes: a flit
  EXPECT_EQ(network.answer(0, 128, 200), 206u + 4);  // 136 bytes: five
  EXPECT_EQ(network.counters().flits, 6u);
  EXPECT_EQ(network.counters().blocked, 0u);
}

// SMs 0 and 1 in the first row, 2 and the memory in the second.
TEST(Network, MeshGoesAlongTheRowThenTheColumn) {
  Network network(settings("mesh"), 3);
  EXPECT_EQ(network.hops(0), 3u);
  EXPECT_EQ(network.hops(1), 2u);
  EXPECT_EQ(network.hops(2), 2u);
  EXPECT_EQ(network.request(0, 0, 0), 9u);
}

TEST(Network, MeshIsTheSmallestSquareWithRoom) {
  EXPECT_EQ(Network(settings("mesh"), 1).hops(0), 2u);  // 2 x 2, the memory beside it
  EXPECT_EQ(Network(settings("mesh"), 4).hops(0), 1 + 1 + 1u);
}

TEST(Network, PacketsThatShareALinkGoOneAfterTheOther) {
  Network network(settings("crossbar"), 2);
  EXPECT_EQ(network.request(0, 120, 0), 6u + 3);  // four flits, on the memory's link from 3 to 7
  network.answer(0, 0, 50);
  EXPECT_EQ(network.request(1, 0, 1), 7u + 3);
  EXPECT_EQ(network.counters().blocked, 3u);
}

TEST(Network, PacketOfAnEarlierTimeFindsTheGapBeforeLaterOnes) {
  Network network(settings("crossbar"), 2);
  EXPECT_EQ(network.request(0, 120, 500), 509u);
  network.answer(0, 0, 600);
  EXPECT_EQ(network.request(1, 120, 100), 109u);
}

TEST(Network, BlockedPacketHoldsTheLinksBehindIt) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  Network network(s, 2);
  network.request(0, 0, 0);
  network.taken(100);
  EXPECT_EQ(network.request(0, 0, 10), 100u);
  network.taken(100);
  EXPECT_EQ(network.counters().queue_waits, 1u);
  EXPECT_EQ(network.counters().most_queued, 1u);
  // It stood on the memory's link, which it got in cycle 13, until it left it in 97.
  EXPECT_EQ(network.request(1, 0, 20), 98u + 3);
}

TEST(Network, RequestIsTakenWhenItHasTheFirstLink) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  Network network(s, 2);
  PlainMemory memory(4096, 60);
  memory.takes_when_it_answers = true;
  NetworkPort port(network, 0, memory);
  uint8_t data[120] = {};
  uint64_t first = 10, second = 10, third = 11, fourth = 12;
  port.write(0, data, 120, first);  // four flits
  EXPECT_EQ(port.accepted(), 10u);
  port.read(0, data, 4, second);
  EXPECT_EQ(port.accepted(), 14u);
  // The second stands on the memory's link until the first is taken, the third on its own.
  port.read(0, data, 4, third);
  EXPECT_EQ(port.accepted(), 15u);
  port.read(0, data, 4, fourth);
  EXPECT_GT(port.accepted(), 10u + 60);
}

TEST(Network, RequestThatIsNotTakenYetKeepsItsPlace) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  for (const bool writes : {false, true}) {
    Network network(s, 1);
    PlainMemory memory(4096, 20);
    memory.accepted_at = 200;
    NetworkPort port(network, 0, memory);
    uint8_t data[4] = {};
    uint64_t first = 0, second = 10;
    if (writes)
      port.write(0, data, 4, first);
    else
      port.read(0, data, 4, first);
    port.read(0, data, 4, second);
    EXPECT_EQ(second, 200u + 20 + 6) << writes;
    EXPECT_EQ(network.counters().queue_waits, 1u);
  }
}

// However long its answer takes.
TEST(Network, PlaceIsFreeWhenTheRequestIsTaken) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  Network network(s, 1);
  PlainMemory memory(4096, 1000);
  NetworkPort port(network, 0, memory);
  uint8_t data[4] = {};
  for (uint64_t begin = 0; begin < 10; ++begin) {
    uint64_t cycle = begin;
    if (begin % 2 == 0)
      port.read(0, data, 4, cycle);
    else
      port.write(0, data, 4, cycle);
    EXPECT_EQ(port.accepted(), begin);
  }
  EXPECT_EQ(network.counters().queue_waits, 0u);
}

TEST(Network, RequestsAndAnswersDoNotMeet) {
  Network network(settings("crossbar"), 1);
  network.request(0, 1000, 0);
  EXPECT_EQ(network.answer(0, 0, 1), 7u);
}

TEST(Network, EachRequestIsAnsweredAndNoPlaceIsGivenTwice) {
  const uint32_t seed = test::seed(505);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::minstd_rand random(seed);
  for (const char* topology : {"crossbar", "mesh"}) {
    for (const uint32_t queue : {1u, 2u, 8u}) {
      NetworkSettings s = settings(topology);
      s.queue = queue;
      Network network(s, 5);
      PlainMemory memory(1 << 16, 40);
      memory.takes_when_it_answers = true;
      std::vector<std::unique_ptr<NetworkPort>> ports;
      for (unsigned sm = 0; sm < 5; ++sm)
        ports.push_back(std::make_unique<NetworkPort>(network, sm, memory));
      std::vector<uint64_t> cycles(5, 0);
      uint64_t bytes = 0, asked = 0;
      for (unsigned i = 0; i < 20000; ++i) {
        const unsigned sm =
            static_cast<unsigned>(std::min_element(cycles.begin(), cycles.end()) - cycles.begin());
        uint8_t data[128] = {};
        const auto size = static_cast<uint32_t>(32u << random() % 3);
        const auto address = static_cast<uint32_t>(random() % 512 * 128);
        uint64_t answered = cycles[sm];
        const FaultCause cause = random() % 3 == 0 ? ports[sm]->write(address, data, size, answered)
                                                   : ports[sm]->read(address, data, size, answered);
        ASSERT_EQ(cause, FaultCause::kNone);
        // At least the way there and back, alone, and the memory's time.
        ASSERT_GE(answered, cycles[sm] + 2 * network.hops(sm) * s.hop_cycles + 40);
        bytes += size;
        ++asked;
        cycles[sm] = random() % 8 == 0 ? answered : cycles[sm] + random() % 4;
      }
      const NetworkCounters& c = network.counters();
      EXPECT_EQ(c.packets, asked);
      EXPECT_EQ(c.answers, asked);
      EXPECT_EQ(memory.reads + memory.writes, asked);
      EXPECT_EQ(c.bytes, bytes);
      EXPECT_LE(c.most_queued, queue);
      EXPECT_GT(c.queue_waits, 0u);
      EXPECT_LT(c.blocked, c.cycles);
    }
  }
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
