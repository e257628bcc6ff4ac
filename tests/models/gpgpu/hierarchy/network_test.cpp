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
  for (uint64_t i = 0; i < 200; ++i) link.take(10 * i, 5);
  EXPECT_GT(link.find(0, 1), 100u);
  EXPECT_EQ(link.find(1996, 2), 1996u);
}

// Three intervals of 4 cycles that end with 12, 16 and 20.
TEST(Occupancy, ThoseBeforeStandInABufferAndAQueue) {
  Occupancy link;
  for (uint64_t begin = 8; begin <= 16; begin += 4) link.take(begin, 4);
  EXPECT_EQ(link.room(20, 0, 0), 20u);  // it comes when the one before it has gone
  EXPECT_EQ(link.room(20, 3, 0), 20u);
  EXPECT_EQ(link.room(20, 4, 0), 16u);
  EXPECT_EQ(link.room(20, 8, 0), 12u);
  EXPECT_EQ(link.room(20, 12, 0), 0u);
  EXPECT_EQ(link.room(20, 0, 1), 16u);
  EXPECT_EQ(link.room(20, 4, 1), 12u);
  EXPECT_EQ(link.room(20, 0, 3), 0u);
  EXPECT_EQ(link.room(16, 0, 0), 16u);  // those behind it do not count
  link.take(20, 8);
  EXPECT_EQ(link.room(28, 7, 1), 20u);  // behind a longer one none slips into the buffer
}

TEST(FlitBuffer, FlitsFindRoomAsThoseBeforeThemLeave) {
  FlitBuffer buffer(3);
  EXPECT_EQ(buffer.find(10, 5), 10u);
  buffer.take(2, 20);  // leave in 20 and 21
  EXPECT_EQ(buffer.find(12, 1), 12u);
  EXPECT_EQ(buffer.find(12, 2), 19u);  // the second of them, in 20
  EXPECT_EQ(buffer.find(12, 3), 19u);
  buffer.take(1, 40);
  EXPECT_EQ(buffer.find(12, 1), 20u);
  EXPECT_EQ(buffer.find(12, 3), 38u);
  EXPECT_EQ(buffer.find(50, 3), 50u);
  buffer.take(1, 60);
  EXPECT_EQ(buffer.find(12, 1), 21u);
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

TEST(Network, RequestThatWaitsLeavesItsLinkToOthers) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  s.buffer_flits = 2;
  Network network(s, 2);
  network.request(0, 0, 0);
  network.taken(100);
  EXPECT_EQ(network.request(0, 0, 10), 100u);  // at the end of the memory's link since 16
  EXPECT_EQ(network.counters().queue_waits, 1u);
  EXPECT_EQ(network.counters().most_queued, 1u);
  network.taken(200);
  EXPECT_EQ(network.request(1, 0, 11), 200u);  // behind it, over the same link
  network.taken(300);
  // There is room again when the first of them leaves it.
  network.request(0, 0, 12);
  EXPECT_EQ(network.counters().blocked, 84u + 183 + (300 - 12 - 6));
}

TEST(Network, RequestsStandInTheBuffersOnTheirWayAndThenInTheSm) {
  NetworkSettings s = settings("crossbar");
  s.queue = 1;
  s.buffer_flits = s.input_flits = 1;
  s.hop_cycles = 1;
  Network network(s, 1);
  PlainMemory memory(4096, 60);
  memory.takes_when_it_answers = true;
  NetworkPort port(network, 0, memory);
  uint8_t data[4] = {};
  std::vector<uint64_t> accepted;
  for (uint64_t begin = 0; begin < 6; ++begin) {
    uint64_t cycle = begin;
    port.read(0, data, 4, cycle);
    accepted.push_back(port.accepted());
  }
  // The first is at the memory from 2 to 62; three more have room on two links and before them.
  EXPECT_EQ(accepted, (std::vector<uint64_t>{0, 1, 2, 3, 62, 122}));
}

TEST(Network, PacketThatIsLongerThanABufferKeepsOthersFromTheLinkUntilItsTailHasRoom) {
  for (const uint32_t buffer : {4u, 3u, 2u}) {
    NetworkSettings s = settings("crossbar");
    s.queue = 1;
    s.buffer_flits = buffer;
    Network network(s, 2);
    network.request(1, 0, 0);
    network.taken(100);
    network.request(0, 120,
                    10);  // four flits, on the memory's link from 13 on; the first goes in 100
    network.taken(0);
    network.request(1, 120, 50);
    const uint64_t begins = buffer == 4 ? 100 : 100 + 4 - buffer;
    EXPECT_EQ(network.counters().cycles, 6 + (103 - 10) + (begins + 3 + 3 - 50)) << buffer;
  }
}

TEST(Network, IsEmptyWhenAKernelBegins) {
  NetworkSettings s = settings("crossbar");
  s.queue = s.answer_queue = s.buffer_flits = s.input_flits = 1;
  Network network(s, 1);
  for (int i = 0; i < 6; ++i) {
    network.request(0, 0, 0);
    network.taken(1000);
    network.answer(0, 120, 0);
  }
  EXPECT_GT(network.entered(), 0u);
  network.begin();
  for (uint64_t cycle : {0u, 6u, 12u}) {
    EXPECT_EQ(network.request(0, 0, cycle), cycle + 6);
    EXPECT_EQ(network.entered(), cycle);
    network.taken(cycle + 6);
  }
  EXPECT_EQ(network.answer(0, 0, 0), 6u);
  EXPECT_EQ(network.counters().packets, 3u);
}

TEST(Network, AnswersThatFindNoRoomHoldTheLevel) {
  NetworkSettings s = settings("crossbar");
  s.answer_queue = 1;
  s.input_flits = 4;
  Network network(s, 1);
  std::vector<uint64_t> arrives, taken;
  for (int i = 0; i < 4; ++i) {
    arrives.push_back(network.answer(0, 120, 100));  // four flits
    taken.push_back(network.entered());
  }
  EXPECT_EQ(arrives, (std::vector<uint64_t>{109, 113, 117, 121}));
  // The first is in the buffer, the second in the queue.
  EXPECT_EQ(taken, (std::vector<uint64_t>{100, 100, 104, 108}));
  EXPECT_EQ(network.counters().answer_waits, 2u);
  // They are under way from the buffer on: as long as if they were alone.
  EXPECT_EQ(network.counters().cycles, 4u * 9);
  EXPECT_EQ(network.counters().blocked, 0u);
}

TEST(Network, LevelIsToldWhenItsAnswerIsTaken) {
  NetworkSettings s = settings("crossbar");
  s.answer_queue = s.input_flits = 1;
  for (const bool writes : {false, true}) {
    Network network(s, 1);
    PlainMemory memory(4096, 20);
    NetworkPort port(network, 0, memory);
    uint8_t data[120] = {};
    for (int i = 0; i < 3; ++i) {
      uint64_t cycle = 0;
      port.read(0, data, 120, cycle);
    }
    uint64_t cycle = 0;
    if (writes)
      port.write(0, data, 4, cycle);
    else
      port.read(0, data, 4, cycle);
    // The requests come in 6 and in each cycle after.
    EXPECT_EQ(memory.taken, (std::vector<uint64_t>{26, 27, 30, 34})) << writes;
  }
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
      s.queue = s.buffer_flits = s.input_flits = s.answer_queue = queue;
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
