// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/memory_service.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::miaow {
namespace {

TEST(MemoryService, GoesThroughTheStatesOfALoad) {
  MemoryService service;
  EXPECT_EQ(service.state(0), MIAOW_MEMORY_IDLE);
  service.request(false, 0x80000010, 0);
  EXPECT_EQ(service.state(1), MIAOW_MEMORY_LOAD_REQUESTED);
  EXPECT_EQ(service.address(), 0x80000010u);
  service.write_acknowledge(true);
  EXPECT_EQ(service.state(2), MIAOW_MEMORY_LOAD_ACCEPTED);
  service.write_load_data(42);
  EXPECT_FALSE(service.take_completion());
  service.write_done(true, 10);
  EXPECT_EQ(service.state(11), MIAOW_MEMORY_LOAD_DONE);
  EXPECT_EQ(service.state(12), MIAOW_MEMORY_IDLE);
  const auto completion = service.take_completion();
  ASSERT_TRUE(completion);
  EXPECT_EQ(completion->cycle, 10u);
  EXPECT_EQ(completion->data, 42u);
  EXPECT_FALSE(service.take_completion());
}

TEST(MemoryService, GoesThroughTheStatesOfAStore) {
  MemoryService service;
  service.request(true, 4, 77);
  EXPECT_EQ(service.state(0), MIAOW_MEMORY_STORE_REQUESTED);
  EXPECT_EQ(service.store_data(), 77u);
  service.write_acknowledge(true);
  EXPECT_EQ(service.state(0), MIAOW_MEMORY_STORE_ACCEPTED);
  service.write_done(true, 5);
  EXPECT_EQ(service.state(6), MIAOW_MEMORY_STORE_DONE);
  EXPECT_EQ(service.state(7), MIAOW_MEMORY_IDLE);
}

TEST(MemoryService, LooksAtEdgesAlone) {
  MemoryService service;
  service.write_acknowledge(true);
  service.write_done(true, 0);
  service.request(false, 0, 0);
  service.write_acknowledge(true);
  EXPECT_EQ(service.state(1), MIAOW_MEMORY_LOAD_REQUESTED);
  service.write_acknowledge(false);
  service.write_acknowledge(true);
  EXPECT_EQ(service.state(1), MIAOW_MEMORY_LOAD_ACCEPTED);
  service.write_done(true, 2);
  EXPECT_EQ(service.state(2), MIAOW_MEMORY_LOAD_ACCEPTED);
  service.write_done(false, 3);
  service.write_done(true, 4);
  EXPECT_TRUE(service.take_completion());
}

TEST(MemoryService, DoneBeforeAcknowledgeIsLost) {
  MemoryService service;
  service.request(false, 0, 0);
  service.write_done(true, 1);
  EXPECT_EQ(service.state(1), MIAOW_MEMORY_LOAD_REQUESTED);
  EXPECT_FALSE(service.take_completion());
}

TEST(MemoryService, AResetForgetsTheRequest) {
  MemoryService service;
  service.write_load_data(3);
  service.request(true, 8, 9);
  service.reset();
  EXPECT_EQ(service.state(0), MIAOW_MEMORY_IDLE);
  EXPECT_EQ(service.address(), 0u);
  EXPECT_EQ(service.store_data(), 0u);
  EXPECT_EQ(service.load_data(), 3u);
}

// Of two units that share the host's two bits, the second one sees no edge by being shown.
TEST(MemoryService, ATurnBeginsWithTheLevelsOfTheHostsBits) {
  MemoryService first, second;
  second.write_acknowledge(true);
  second.write_done(true, 0);
  second.begin_turn(first);  // both bits are 0
  second.request(false, 0x80000000, 0);
  second.write_acknowledge(true);
  EXPECT_EQ(second.state(1), MIAOW_MEMORY_LOAD_ACCEPTED);
  EXPECT_FALSE(second.turn_over());
  second.write_done(true, 2);
  EXPECT_TRUE(second.turn_over());

  first.begin_turn(second);  // both are 1
  first.request(false, 0x80000000, 0);
  first.write_acknowledge(true);
  EXPECT_EQ(first.state(3), MIAOW_MEMORY_LOAD_REQUESTED) << "that was no edge";
  first.write_acknowledge(false);
  first.write_acknowledge(true);
  first.write_done(true, 4);
  EXPECT_EQ(first.state(4), MIAOW_MEMORY_LOAD_ACCEPTED) << "nor was that";
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
