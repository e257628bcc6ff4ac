// SPDX-License-Identifier: Apache-2.0
#include "models/axi/exclusive_monitor.h"

#include <gtest/gtest.h>

namespace gvp::axi {
namespace {

TEST(ExclusiveMonitor, ReservationHoldsForItsMasterAddressAndSize) {
  ExclusiveMonitor monitor;
  monitor.reserve(0, 1, 0x100, 4);
  EXPECT_TRUE(monitor.holds(0, 1, 0x100, 4));
  EXPECT_FALSE(monitor.holds(1, 1, 0x100, 4));
  EXPECT_FALSE(monitor.holds(0, 2, 0x100, 4));
  EXPECT_FALSE(monitor.holds(0, 1, 0x104, 4));
  EXPECT_FALSE(monitor.holds(0, 1, 0x100, 8));
}

TEST(ExclusiveMonitor, AnyOverlappingWriteEndsIt) {
  ExclusiveMonitor monitor;
  monitor.reserve(0, 1, 0x100, 4);
  monitor.written(0xfc, 4);
  monitor.written(0x104, 4);
  EXPECT_TRUE(monitor.holds(0, 1, 0x100, 4));
  monitor.written(0x103, 1);
  EXPECT_FALSE(monitor.holds(0, 1, 0x100, 4));
  EXPECT_TRUE(monitor.empty());
}

TEST(ExclusiveMonitor, ANewReservationReplacesTheMastersOldOne) {
  ExclusiveMonitor monitor;
  monitor.reserve(0, 1, 0x100, 4);
  monitor.reserve(0, 1, 0x200, 4);
  EXPECT_FALSE(monitor.holds(0, 1, 0x100, 4));
  EXPECT_TRUE(monitor.holds(0, 1, 0x200, 4));
}

}  // namespace
}  // namespace gvp::axi
